import { reasonNumbered } from '../../../../shared/reasons.ts'
import { separateAddresses } from '../../../catalogue/flag-types/flag-type.ts'
import type { Db } from '../../../platform/database/db.ts'
import { fold } from '../../../platform/text/fold.ts'
import type { OutboundEvent } from '../../events/event.ts'
import type { MailContext } from '../mail-context.ts'
import type { MailJob, Topic } from '../mail-job.ts'
import { type Choice, type MailPreferences, preferencesOf } from '../preferences/mail-preference.ts'
import { leftPlaces, lostRoles } from './event-people.ts'
import { listCcLists } from './event-store.ts'
import { flagRecipients } from './flag-mail.ts'
import { causesIn, changesIn, type MailCause, type MailedEvent, mailedEvents } from './mail-causes.ts'
import {
  type Channel,
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

/** That an event concerns a user, whatever mail they want. */
export interface PossibleNote extends Pick<MailJob, 'bugId' | 'at'> {
  userId: number
  reasons: MailReason[]
  isOwn: boolean
  commentId: number | null
}

/** What events of bugs concern whom: for the inbox, which has also those who get no mail. */
export async function possibleNotes(
  db: Db,
  mailContext: MailContext,
  events: readonly OutboundEvent[],
): Promise<PossibleNote[]> {
  const causes = changesIn(mailedEvents(events))
  return (await concernedBy(db, mailContext, causes, { channel: 'inbox' })).map(({ cause, userId, reasons }) => ({
    bugId: cause.bugId,
    at: cause.event.at,
    userId,
    reasons,
    isOwn: cause.event.userId === userId,
    commentId: cause.facts.commentId,
  }))
}

async function messagesTo(
  db: Db,
  mailContext: MailContext,
  causes: readonly MailCause[],
  only: OnlyRecipient | undefined,
): Promise<PossibleMessage[]> {
  const concerned = await concernedBy(db, mailContext, causes, { channel: 'mail', ...(only && { only }) })
  return concerned.map(({ cause, userId, login, choices, reasons }) => ({
    job: jobFor(cause.event, cause.bugId, { userId }, cause.topic(reasons)),
    login,
    preferences: preferencesOf(JSON.parse(choices) as Choice[]),
    reasons,
    trigger: { ...cause.occasion, isOwn: cause.event.userId === userId },
  }))
}

/** A user whom a cause concerns, with all their reasons. */
interface Concerned {
  cause: MailCause
  userId: number
  login: string
  choices: string
  reasons: MailReason[]
}

/** The one decision whom something about a bug reaches, for mail and inbox. */
async function concernedBy(
  db: Db,
  { settings }: MailContext,
  causes: readonly MailCause[],
  looked: { channel: Channel; only?: OnlyRecipient },
): Promise<Concerned[]> {
  if (causes.length === 0) return []
  const unknown = causes.filter(({ people }) => people === undefined).map(({ bugId }) => bugId)
  const peopleNow = await listPeopleOf(db, [...new Set(unknown)])
  const subjects = causes.flatMap(({ bugId, people = peopleNow.get(bugId), facts }, key): RecipientQuery[] => {
    if (people === undefined) return []
    const qaContact = settings.useqacontact ? people.qaContact : null
    return [
      {
        key,
        bugId,
        people: { ...people, qaContact },
        lost: lostRoles(facts.changes),
        mentioned: facts.mentioned,
        left: leftPlaces(facts.changes),
      },
    ]
  })
  const rows = await listInvolved(db, subjects, { watchingAll: globalWatchers(settings), ...looked })
  const people = Map.groupBy(rows, ({ key, user_id }) => `${key} ${user_id}`)
  return [...people.values()].flatMap((own): Concerned[] => {
    const [first] = own
    const cause = causes[first?.key ?? 0]
    if (first === undefined || cause === undefined) return []
    const { user_id: userId, login, choices } = first
    return [{ cause, userId, login, choices, reasons: own.map(reasonIn) }]
  })
}

/** The folded logins of the users who watch all bugs. */
export function globalWatchers({ globalwatchers }: MailContext['settings']): string[] {
  return globalwatchers
    .split(/[\s,]+/)
    .filter((login) => login !== '')
    .map(fold)
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
