import { Type } from '@sinclair/typebox'
import { call } from '../../access/call.ts'
import { requireLogin } from '../../access/caller.ts'
import { Created, Deleted } from '../../platform/wire/openapi/schemas.ts'
import { anyItems, documentedAsRequired, flag, text } from '../../platform/wire/params.ts'
import {
  changeScheduledMail,
  createScheduledMail,
  getOwnScheduledMail,
  MOST_PARTS,
  removeScheduledMail,
  SCHEDULING_FOR_OTHERS_GROUP,
  SCHEDULING_GROUP,
} from './change-scheduled-mail.ts'
import { presentScheduledMail } from './scheduled-mail.ts'
import { listScheduledMails } from './scheduled-mail-store.ts'

const resource = 'scheduled_mail'
const pathParams = { id: 'Id of a scheduled mail of the caller.' }

const Search = Type.Object(
  { search: Type.String(), title: Type.String(), one_mail_per_bug: Type.Boolean() },
  { additionalProperties: false },
)
const Schedule = Type.Object(
  {
    day: Type.String(),
    time: Type.String(),
    user: Type.Optional(Type.String()),
    group: Type.Optional(Type.String()),
    next_time: Type.String({ format: 'date-time' }),
  },
  { additionalProperties: false },
)
const Mail = Type.Object(
  {
    id: Type.Integer(),
    owner: Type.String(),
    subject: Type.String(),
    body: Type.String(),
    mail_if_no_bugs: Type.Boolean(),
    searches: Type.Array(Search),
    schedules: Type.Array(Schedule),
  },
  { title: 'ScheduledMail', additionalProperties: false },
)
const Mails = Type.Object({ scheduled_mails: Type.Array(Mail) }, { additionalProperties: false })

const Part = Type.Object({}, { additionalProperties: true })

const params = {
  subject: text('One line.'),
  body: text('Text before the lists of bugs.'),
  mail_if_no_bugs: flag('Whether it is sent if no search finds a bug.'),
  searches: anyItems(
    'The searches to mail: a list of {search, title, one_mail_per_bug}, where search is a saved search of the caller by name or id.',
    Part,
    MOST_PARTS,
  ),
  schedules: anyItems(
    'The times in UTC and the recipients: a list of {day, time, user or group}. The day is All, MF, Sun to Sat, 1 to 31 or last; the time 0 to 23, 15min, 30min or 60min.',
    Part,
    MOST_PARTS,
  ),
}

const about = `For members of ${SCHEDULING_GROUP}; sending to other users needs ${SCHEDULING_FOR_OTHERS_GROUP}.`

const getMails = call({
  method: 'GET',
  path: '/scheduled_mail',
  resource,
  summary: 'List the caller’s scheduled mails.',
  params: {},
  answers: Mails,
  selectsFields: true,
  scope: 'read',
  async run({ db, caller, select }) {
    const mails = await listScheduledMails(db, requireLogin(caller).id)
    return { scheduled_mails: mails.map((mail) => select.pick(presentScheduledMail(mail))) }
  },
})

const getMail = call({
  method: 'GET',
  path: '/scheduled_mail/:id',
  pathParams,
  resource,
  summary: 'Get one scheduled mail.',
  params: {},
  answers: Mails,
  selectsFields: true,
  scope: 'read',
  async run({ db, caller, path, select }) {
    const mail = await getOwnScheduledMail({ db }, requireLogin(caller), path.id ?? '')
    return { scheduled_mails: [select.pick(presentScheduledMail(mail))] }
  },
})

const postMail = call({
  method: 'POST',
  idempotency: 'once',
  path: '/scheduled_mail',
  resource,
  summary: 'Mail saved searches on a schedule.',
  about: `${about} Each recipient gets only what they may see.`,
  params: {
    ...params,
    subject: documentedAsRequired(params.subject),
    searches: documentedAsRequired(params.searches),
    schedules: documentedAsRequired(params.schedules),
  },
  answers: Created,
  status: 201,
  scope: 'write',
  run: async (context) => ({ id: await createScheduledMail(context, context.params) }),
})

const putMail = call({
  method: 'PUT',
  path: '/scheduled_mail/:id',
  pathParams,
  resource,
  summary: 'Change a scheduled mail.',
  about: `${about} Lists are replaced as a whole. Returns the changed mail.`,
  params,
  unknownParams: 'refused',
  answers: Mails,
  scope: 'write',
  run: async (context) => ({
    scheduled_mails: [presentScheduledMail(await changeScheduledMail(context, context.path.id ?? '', context.params))],
  }),
})

const deleteMail = call({
  method: 'DELETE',
  path: '/scheduled_mail/:id',
  pathParams,
  resource,
  summary: 'Delete a scheduled mail.',
  about: 'The response has its subject as name.',
  params: {},
  answers: Deleted,
  scope: 'write',
  async run(context) {
    const { id, subject } = await removeScheduledMail(context, requireLogin(context.caller), context.path.id ?? '')
    return { id, name: subject }
  },
})

export const scheduledMailRoutes = [getMails, getMail, postMail, putMail, deleteMail] as const
