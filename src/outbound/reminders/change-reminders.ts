import type { CallContext } from '../../access/call.ts'
import { isIn, requireLogin } from '../../access/caller.ts'
import { OWN_LIMITS, requireOwnRoom } from '../../access/own-limits.ts'
import { viewerOf } from '../../access/visibility/visible-bugs.ts'
import { requireVisibleBugs } from '../../bugs/values/bug-refs.ts'
import { lockEnabledUser } from '../../people/users/user-store.ts'
import type { Settings } from '../../platform/config/settings.ts'
import { errors } from '../../platform/errors.ts'
import { timeNow } from '../../platform/time/clock.ts'
import { deleteReminders, insertReminder, listReminders, type Reminder } from './own-reminder-store.ts'

export const LONGEST_NOTE = 1000
export const MOST_YEARS_AHEAD = 10

interface RequestedReminder {
  bugId: string
  note: string
  day: string
}

type ReminderContext = Pick<CallContext, 'db' | 'caller' | 'settings'>

export async function createReminder(context: ReminderContext, requested: RequestedReminder): Promise<Reminder> {
  const caller = requireLogin(context.caller)
  requireReminders(context)
  const at = timeNow()
  const remindOn = requireDay(requested.day, at)
  const note = requireNote(requested.note)
  return context.db.transaction(async (tx) => {
    await lockEnabledUser(tx, caller.id)
    const [bugId] = await requireVisibleBugs(tx, context.settings, viewerOf(caller), [requested.bugId])
    const all = await listReminders(tx, caller.id)
    const tooMany = Math.max(0, all.length + 1 - OWN_LIMITS.reminders.most)
    const forgotten = all.filter(({ sent_at }) => sent_at !== null).slice(0, tooMany)
    requireOwnRoom('reminders', all.length - forgotten.length)
    await deleteReminders(
      tx,
      forgotten.map(({ id }) => id),
    )
    return insertReminder(tx, { userId: caller.id, bugId: bugId as number, note, remindOn, at })
  }, 'accounts')
}

function requireReminders({ caller, settings }: Pick<CallContext, 'caller'> & { settings: Settings }) {
  if (!settings.reminders_enabled) throw errors.not_allowed({ need: 'the parameter reminders_enabled is off' })
  if (settings.reminders_group !== '' && !isIn(caller, settings.reminders_group))
    throw errors.not_allowed({ need: `reminders need membership in ${settings.reminders_group}` })
}

/** A day from today on, in UTC. */
function requireDay(input: string, now: string): string {
  const day = input.trim()
  const time = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== day)
    throw errors.bad_day({ name: 'reminder_ts', value: input })
  const today = now.slice(0, 10)
  const last = `${Number(today.slice(0, 4)) + MOST_YEARS_AHEAD}-12-31`
  if (day >= today && day <= last) return day
  throw errors.bad_value({ name: 'reminder_ts', value: day, right: `it must be a day from ${today} to ${last}` })
}

/** Several lines are allowed; the subject of the mail has none of them. */
function requireNote(input: string): string {
  const note = input.replaceAll('\r\n', '\n').trim()
  if (note.length > LONGEST_NOTE) throw errors.text_too_long({ name: 'note', most: LONGEST_NOTE })
  if (/[^\P{Cc}\n\t]/u.test(note))
    throw errors.bad_value({ name: 'note', value: note, right: 'it must not contain control characters' })
  return note
}
