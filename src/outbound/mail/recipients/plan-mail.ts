import { MAIL_QUEUE } from '../../../access/account-notice.ts'
import { keptFields } from '../../../catalogue/fields/field-store.ts'
import { separateAddresses } from '../../../catalogue/flag-types/flag-type.ts'
import type { Db } from '../../../platform/database/db.ts'
import type { NewJob } from '../../../platform/database/new-jobs.ts'
import type { EventPeople, OutboundEvent } from '../../events/event.ts'
import { type EventFacts, factsOf } from '../../events/event-facts.ts'
import type { MailContext } from '../mail-context.ts'
import { laneOfMail, type MailJob, type Topic } from '../mail-job.ts'
import { type Choice, preferencesOf, ROLES, type Role, roles } from '../preferences/mail-preference.ts'
import { lostRoles, peopleIn } from './event-people.ts'
import { listBlockedBy, listCcLists } from './event-store.ts'
import { flagRecipients } from './flag-mail.ts'
import { eventsIn, FIELD_OF_ROLE } from './mail-events.ts'
import { type InvolvedRow, listInvolved, listPeopleOf, type RecipientQuery } from './recipient-store.ts'
import { type MailReason, type MailTrigger, sufficientReasons } from './wants-mail.ts'

/**
 * The messages that events may cause. Visibility is checked when they are sent; here only users are left out who do not
 * want mail about the event in any of their roles. There is no mail about deleted bugs.
 */
export async function planMail(db: Db, mailContext: MailContext, events: readonly OutboundEvent[]): Promise<NewJob[]> {
  const planned = events.filter(({ kind }) => kind !== 'bug.delete').map((event) => ({ event, facts: factsOf(event) }))
  const causes = [...planned.map(changeOf), ...(await dependenciesOf(db, mailContext, planned))]
  const changes = await messagesTo(db, mailContext, causes)
  const requests = await requestMessages(db, planned)
  return [...changes, ...requests]
    .toSorted((a, b) => a.position - b.position)
    .map((job) => ({ queue: MAIL_QUEUE, lane: laneOfMail(job), payload: job }))
}

interface PlannedRecipients {
  event: OutboundEvent
  facts: EventFacts
}

/** Something that the users with a role in a bug may get mail about. */
interface MailCause extends PlannedRecipients {
  bugId: number
  /** The users who had a role at the time of the event; undefined means those who have one now. */
  people: EventPeople | undefined
  occasion: Omit<MailTrigger, 'isOwn'>
  topic(reasons: MailReason[]): Topic
}

/** A bug was filed, changed or commented on. */
function changeOf({ event, facts }: PlannedRecipients): MailCause {
  const { history, fields, commentId, changes } = facts
  const attachmentId = event.kind === 'attachment.create' ? facts.attachmentId : null
  const kind = event.kind === 'bug.create' ? 'new' : 'changed'
  const events = eventsIn({ kind, fields, hasComment: commentId !== null, hasNewAttachment: attachmentId !== null })
  if (changesRolesOf(facts)) events.add('role')
  return {
    event,
    facts,
    bugId: event.bugId,
    people: event.people,
    occasion: { events, people: peopleIn(changes), isUnconfirmed: false },
    topic: (reasons) => ({ type: 'change', reasons, history, commentId, attachmentId }),
  }
}

/** Whether roles changed, but the event does not say whose. */
function changesRolesOf({ fields, changes }: EventFacts) {
  return Object.values(FIELD_OF_ROLE).some((field) => fields.includes(field) && !changes.has(field))
}

/** Users with a role in the dependent bugs get mail when the bug is opened or closed. */
async function dependenciesOf(
  db: Db,
  mailContext: MailContext,
  all: readonly PlannedRecipients[],
): Promise<MailCause[]> {
  const isOpen = await openStatuses(mailContext)
  const turned = all.filter(({ facts }) => {
    const status = facts.changes.get('status')
    return status !== undefined && isOpen(status.removed) !== isOpen(status.added)
  })
  const blocked = await listBlockedBy(db, [...new Set(turned.map(({ event }) => event.bugId))])
  return turned.flatMap(({ event, facts }) =>
    (blocked.get(event.bugId) ?? []).map((bugId) => ({
      event,
      facts: { ...facts, changes: new Map() },
      bugId,
      people: undefined,
      occasion: {
        events: eventsIn({ kind: 'dependency', fields: [], hasComment: false, hasNewAttachment: false }),
        people: new Map(),
        isUnconfirmed: false,
      },
      topic: (reasons: MailReason[]) => ({
        type: 'dependency',
        reasons,
        blockerId: event.bugId,
        history: facts.history,
      }),
    })),
  )
}

async function openStatuses({ catalogue }: MailContext) {
  const statuses = (await catalogue(keptFields)).valuesOf('bug_status')
  const open = new Set(statuses.filter(({ is_open }) => is_open === 1).map(({ name }) => name))
  return (status: string) => open.has(status)
}

async function messagesTo(db: Db, { settings }: MailContext, causes: readonly MailCause[]): Promise<MailJob[]> {
  if (causes.length === 0) return []
  const unknown = causes.filter(({ people }) => people === undefined).map(({ bugId }) => bugId)
  const peopleNow = await listPeopleOf(db, [...new Set(unknown)])
  const subjects = causes.flatMap(({ bugId, people = peopleNow.get(bugId), facts }, key): RecipientQuery[] => {
    if (people === undefined) return []
    const qaContact = settings.useqacontact ? people.qaContact : null
    return [{ key, bugId, people: { ...people, qaContact }, lost: lostRoles(facts.changes) }]
  })
  const watchingAll = settings.globalwatchers.split(/[\s,]+/).filter((login) => login !== '')
  const rows = await listInvolved(db, subjects, watchingAll)
  const people = Map.groupBy(rows, ({ key, user_id }) => `${key} ${user_id}`)
  return [...people.values()].flatMap((reasons) => messageTo(causes, reasons))
}

function messageTo(causes: readonly MailCause[], rows: readonly InvolvedRow[]): MailJob[] {
  const [first] = rows
  const cause = causes[first?.key ?? 0]
  if (first === undefined || cause === undefined) return []
  const preferences = preferencesOf(JSON.parse(first.choices) as Choice[])
  const trigger = { ...cause.occasion, isOwn: cause.event.userId === first.user_id }
  const reasons = sufficientReasons(preferences, first.login, rows.map(reasonIn), trigger)
  if (reasons.length === 0) return []
  return [jobFor(cause.event, cause.bugId, { userId: first.user_id }, cause.topic(rows.map(reasonIn)))]
}

const roleOf = new Map<number, Role>(roles.map((role) => [ROLES[role], role]))

function reasonIn({ role, watched_login }: InvolvedRow): MailReason {
  return { role: roleOf.get(role) ?? 'global_watcher', ...(watched_login !== null && { watched: watched_login }) }
}

async function requestMessages(db: Db, all: readonly PlannedRecipients[]): Promise<MailJob[]> {
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
