import { reasonNumbered } from '../../../../shared/reasons.ts'
import { separateAddresses } from '../../../catalogue/flag-types/flag-type.ts'
import type { Db } from '../../../platform/database/db.ts'
import { fold } from '../../../platform/text/fold.ts'
import type { OutboundEvent } from '../../events/event.ts'
import type { MailContext } from '../mail-context.ts'
import type { MailJob, Topic } from '../mail-job.ts'
import { type Choice, type MailPreferences, preferencesOf } from '../preferences/mail-preference.ts'
import { lostRoles } from './event-people.ts'
import { listCcLists } from './event-store.ts'
import { flagRecipients } from './flag-mail.ts'
import { causesIn, type MailCause, type MailedEvent, mailedEvents } from './mail-causes.ts'
import {
  type InvolvedRow,
  listInvolved,
  listPeopleOf,
  type OnlyRecipient,
  type RecipientQuery,
} from './recipient-store.ts'
import type { MailReason, MailTrigger } from './wants-mail.ts'

/** A message that a user may get, whatever they chose: what happened, and what they chose. */
export interface PossibleMessage {
  job: MailJob
  login: string
  preferences: MailPreferences
  reasons: MailReason[]
  trigger: MailTrigger
}

/** The messages that the users with a role may get, and those about flags. With `only`, just those of one user. */
export async function possibleMail(
  db: Db,
  mailContext: MailContext,
  events: readonly OutboundEvent[],
  only?: OnlyRecipient,
): Promise<{ changes: PossibleMessage[]; requests: MailJob[] }> {
  const planned = mailedEvents(events)
  const changes = await messagesTo(db, mailContext, await causesIn(db, mailContext, planned), only)
  return { changes, requests: await requestMessages(db, planned) }
}

async function messagesTo(
  db: Db,
  { settings }: MailContext,
  causes: readonly MailCause[],
  only: OnlyRecipient | undefined,
): Promise<PossibleMessage[]> {
  if (causes.length === 0) return []
  const unknown = causes.filter(({ people }) => people === undefined).map(({ bugId }) => bugId)
  const peopleNow = await listPeopleOf(db, [...new Set(unknown)])
  const subjects = causes.flatMap(({ bugId, people = peopleNow.get(bugId), facts }, key): RecipientQuery[] => {
    if (people === undefined) return []
    const qaContact = settings.useqacontact ? people.qaContact : null
    return [
      { key, bugId, people: { ...people, qaContact }, lost: lostRoles(facts.changes), mentioned: facts.mentioned },
    ]
  })
  const rows = await listInvolved(db, subjects, { watchingAll: globalWatchers(settings), ...(only && { only }) })
  const people = Map.groupBy(rows, ({ key, user_id }) => `${key} ${user_id}`)
  return [...people.values()].flatMap((reasons) => messageTo(causes, reasons))
}

/** The folded logins of the users who watch all bugs. */
export function globalWatchers({ globalwatchers }: MailContext['settings']): string[] {
  return globalwatchers
    .split(/[\s,]+/)
    .filter((login) => login !== '')
    .map(fold)
}

function messageTo(causes: readonly MailCause[], rows: readonly InvolvedRow[]): PossibleMessage[] {
  const [first] = rows
  const cause = causes[first?.key ?? 0]
  if (first === undefined || cause === undefined) return []
  const reasons = rows.map(reasonIn)
  return [
    {
      job: jobFor(cause.event, cause.bugId, { userId: first.user_id }, cause.topic(reasons)),
      login: first.login,
      preferences: preferencesOf(JSON.parse(first.choices) as Choice[]),
      reasons,
      trigger: { ...cause.occasion, isOwn: cause.event.userId === first.user_id },
    },
  ]
}

function reasonIn({ reason, watched_login }: InvolvedRow): MailReason {
  const role = reasonNumbered(reason)?.name ?? 'global_watcher'
  return { role, ...(watched_login !== null && { watched: watched_login }) }
}

async function requestMessages(db: Db, all: readonly MailedEvent[]): Promise<MailJob[]> {
  const flags = all.flatMap(({ facts }) => facts.flags)
  if (flags.length === 0) return []
  const lists = await listCcLists(db, [...new Set(flags.map(({ type_id }) => type_id))])
  return all.flatMap(({ event, facts }) =>
    facts.flags.flatMap((flag) =>
      flagRecipients(flag, separateAddresses(lists.get(flag.type_id) ?? '')).map(({ to, as, notice }) =>
        jobFor(event, event.bugId, to, { type: 'request', as, flag: notice, commentId: facts.commentId }),
      ),
    ),
  )
}

function jobFor(
  { position, kind, userId, at }: OutboundEvent,
  bugId: number,
  to: MailJob['to'],
  topic: Topic,
): MailJob {
  return { position, kind, bugId, who: userId, at, to, topic }
}
