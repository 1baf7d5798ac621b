import { Type } from '@sinclair/typebox'
import { call } from '../../access/call.ts'
import { requireLogin } from '../../access/caller.ts'
import { errors } from '../../platform/errors.ts'
import { flag, ref, required, text } from '../../platform/wire/params.ts'
import { idIn } from '../../platform/wire/reference.ts'
import { createReminder, LONGEST_NOTE, MOST_YEARS_AHEAD } from './change-reminders.ts'
import { deleteReminder, findReminder, listReminders, type Reminder } from './own-reminder-store.ts'

const resource = 'reminder'
const pathParams = { id: 'Id of a reminder of the caller.' }

const ReminderSchema = Type.Object(
  {
    id: Type.Integer(),
    bug_id: Type.Integer(),
    note: Type.String(),
    reminder_ts: Type.String({ format: 'date' }),
    creation_ts: Type.String({ format: 'date-time' }),
    sent: Type.Boolean(),
  },
  { title: 'Reminder', additionalProperties: false },
)
const Reminders = Type.Object({ reminders: Type.Array(ReminderSchema) }, { additionalProperties: false })

const getReminders = call({
  method: 'GET',
  path: '/reminder',
  resource,
  summary: 'List the caller’s reminders.',
  params: { all: flag('Also those that were sent.') },
  answers: Reminders,
  selectsFields: true,
  scope: 'read',
  async run({ db, caller, params, select }) {
    const reminders = await listReminders(db, requireLogin(caller).id)
    const wanted = params.all ? reminders : reminders.filter(({ sent_at }) => sent_at === null)
    return { reminders: wanted.map((reminder) => select.pick(present(reminder))) }
  },
})

const getReminder = call({
  method: 'GET',
  path: '/reminder/:id',
  pathParams,
  resource,
  summary: 'Get one reminder.',
  params: {},
  answers: ReminderSchema,
  selectsFields: true,
  scope: 'read',
  async run({ db, caller, path, select }) {
    const { id: userId } = requireLogin(caller)
    const reminder = await findReminder(db, idIn(path.id ?? '') ?? 0)
    if (reminder?.user_id !== userId) throw errors.no_such_object({ what: 'reminder', ref: path.id ?? '' })
    return select.pick(present(reminder))
  },
})

const postReminder = call({
  method: 'POST',
  idempotency: 'once',
  path: '/reminder',
  resource,
  summary: 'Be reminded of a bug.',
  about:
    'Mails the caller once on that day. Needs the parameter reminders_enabled, and membership in reminders_group if it names a group.',
  params: {
    bug_id: required(ref('Number or alias of a bug that the caller may see.')),
    note: text(`Text of the mail: at most ${LONGEST_NOTE} characters, on several lines.`),
    reminder_ts: required(
      text(`The day in UTC, such as 2026-01-31: from today on, at most ${MOST_YEARS_AHEAD} years from now.`),
    ),
  },
  unknownParams: 'refused',
  answers: ReminderSchema,
  status: 201,
  scope: 'write',
  async run(context) {
    const { bug_id, note = '', reminder_ts } = context.params
    return present(await createReminder(context, { bugId: bug_id, note, day: reminder_ts }))
  },
})

const deleteOne = call({
  method: 'DELETE',
  path: '/reminder/:id',
  pathParams,
  resource,
  summary: 'Delete a reminder.',
  about: 'The response has `success` 0 if the caller has no such reminder.',
  params: {},
  answers: Type.Object({ success: Type.Union([Type.Literal(0), Type.Literal(1)]) }, { additionalProperties: false }),
  scope: 'write',
  async run({ db, caller, path }) {
    const { id } = requireLogin(caller)
    return { success: (await deleteReminder(db, id, idIn(path.id ?? '') ?? 0)) ? 1 : 0 } as { success: 0 | 1 }
  },
})

function present({ id, bug_id, note, remind_on, created_at, sent_at }: Reminder) {
  return { id, bug_id, note, reminder_ts: remind_on, creation_ts: created_at, sent: sent_at !== null }
}

export const reminderRoutes = [getReminders, getReminder, postReminder, deleteOne] as const
