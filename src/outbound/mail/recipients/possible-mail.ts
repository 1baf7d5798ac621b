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
import { type Followed, listFollowed } from './followed-places.ts'
import { causesIn, changesIn, type MailCause, type MailedEvent, mailedEvents } from './mail-causes.ts'
import {
  type Channel,
  type InvolvedRow,
  listInvolved,
  listPeopleOf,
  type Only,
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

/** What happened to a bug, with the users it reaches. */
export interface Reaching {
  cause: MailCause
  subject: RecipientQuery
}

/** With more followers, the messages are made by a job of their own, in parts. */
const MOST_FOLLOWERS_AT_ONCE = 50

/**
 * The messages that the users with a role may get, and those about flags. What reaches more users than messages are made for at once is in `many`. With
 * `only`, just those of some users, of everything.
 */
export async function possibleMail(
  db: Db,
  mailContext: MailContext,
  events: readonly OutboundEvent[],
  only?: Only,
): Promise<{ changes: PossibleMessage[]; many: Reaching[]; requests: MailJob[] }> {
  const planned = mailedEvents(events)
  const reaching = await reachingOf(db, mailContext, await causesIn(db, mailContext, planned))
  const followable = reaching.filter(({ cause }) => cause.isOnlyMention !== true)
  const followed = await listFollowed(
    db,
    followable.map(({ cause, subject }) => ({
      ...subject,
      left: leftPlaces(cause.facts.changes),
      personIds: idsOf(subject),
    })),
    MOST_FOLLOWERS_AT_ONCE + 1,
  )
  const placed = reaching.map(({ cause, subject }) => ({
    cause,
    subject: { ...subject, places: followed.get(subject.key)?.places ?? [] },
  }))
  const isMany = ({ subject }: Reaching) => only === undefined && hasMany(subject, followed.get(subject.key))
  const few = placed.filter((it) => !isMany(it))
  return {
    changes: await messagesTo(db, mailContext, few, only),
    many: placed.filter(isMany),
    requests: await requestMessages(db, planned),
  }
}

function hasMany({ people, isOnlyMention }: RecipientQuery, followed: Followed | undefined) {
  return isOnlyMention !== true && people.cc.length + (followed?.followers ?? 0) > MOST_FOLLOWERS_AT_ONCE
}

function idsOf({ people: { assignedTo, qaContact, creator, cc } }: RecipientQuery) {
  return [...new Set([assignedTo, creator, ...(qaContact === null ? [] : [qaContact]), ...cc])]
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
  const reaching = await reachingOf(db, mailContext, causes)
  return (await concernedBy(db, mailContext, reaching, { channel: 'inbox' })).map(({ cause, userId, reasons }) => ({
    bugId: cause.bugId,
    at: cause.event.at,
    userId,
    reasons,
    isOwn: cause.event.userId === userId,
    commentId: cause.facts.commentId,
  }))
}

/** The messages that these causes may bring to users: with `only`, just to some. */
export async function messagesTo(
  db: Db,
  mailContext: MailContext,
  reaching: readonly Reaching[],
  only: Only | undefined,
): Promise<PossibleMessage[]> {
  const concerned = await concernedBy(db, mailContext, reaching, { channel: 'mail', ...(only && { only }) })
  return concerned.map(({ cause, userId, login, choices, reasons }) => ({
    job: jobFor(cause.event, cause.bugId, { userId }, cause.topic(reasons)),
    login,
    preferences: preferencesOf(JSON.parse(choices) as Choice[]),
    reasons,
    trigger: { ...cause.occasion, isOwn: cause.event.userId === userId },
  }))
}

/** With the users who have a role in the bug: at the time of the event, or now. */
async function reachingOf(db: Db, { settings }: MailContext, causes: readonly MailCause[]): Promise<Reaching[]> {
  const unknown = causes.filter(({ people }) => people === undefined).map(({ bugId }) => bugId)
  const peopleNow = await listPeopleOf(db, [...new Set(unknown)])
  return causes.flatMap((cause, key): Reaching[] => {
    const { bugId, people = peopleNow.get(bugId), facts } = cause
    if (people === undefined) return []
    const qaContact = settings.useqacontact ? people.qaContact : null
    const { changes, mentioned } = facts
    const own = { people: { ...people, qaContact }, lost: lostRoles(changes), mentioned, places: [] }
    const subject = { key, bugId, ...own, ...(cause.isOnlyMention && { isOnlyMention: cause.isOnlyMention }) }
    return [{ cause, subject }]
  })
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
  reaching: readonly Reaching[],
  looked: { channel: Channel; only?: Only },
): Promise<Concerned[]> {
  if (reaching.length === 0) return []
  const causes = new Map(reaching.map(({ cause, subject }) => [subject.key, cause]))
  const subjects = reaching.map(({ subject }) => subject)
  const rows = await listInvolved(db, subjects, { watchingAll: globalWatchers(settings), ...looked })
  const people = Map.groupBy(rows, ({ key, user_id }) => `${key} ${user_id}`)
  return [...people.values()].flatMap((own): Concerned[] => {
    const [first] = own
    const cause = causes.get(first?.key ?? 0)
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
