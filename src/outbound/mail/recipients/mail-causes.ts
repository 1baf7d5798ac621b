import { keptFields } from '../../../catalogue/fields/field-store.ts'
import type { Db } from '../../../platform/database/db.ts'
import type { EventPeople, OutboundEvent } from '../../events/event.ts'
import { type EventFacts, factsOf } from '../../events/event-facts.ts'
import type { MailContext } from '../mail-context.ts'
import type { Topic } from '../mail-job.ts'
import { peopleIn } from './event-people.ts'
import { listBlockedBy } from './event-store.ts'
import { eventsIn, FIELD_OF_ROLE } from './mail-events.ts'
import type { MailReason, MailTrigger } from './wants-mail.ts'

/** An event that mail may be about, with its data. */
export interface MailedEvent {
  event: OutboundEvent
  facts: EventFacts
}

/** Something that the users with a role in a bug may get mail about. */
export interface MailCause extends MailedEvent {
  bugId: number
  /** The users who had a role at the time of the event; undefined means those who have one now. */
  people: EventPeople | undefined
  occasion: Omit<MailTrigger, 'isOwn'>
  /** It reaches those whom it mentions, and nobody else. */
  isOnlyMention?: true
  topic(reasons: MailReason[]): Topic
}

/** The events that mail may be about: not of deleted bugs, nor of pictures in comments; of edits of comments only for those whom they mention. */
export function mailedEvents(events: readonly OutboundEvent[]): MailedEvent[] {
  return events
    .filter(({ kind }) => kind !== 'bug.delete')
    .map((event) => ({ event, facts: factsOf(event) }))
    .filter(({ event, facts }) => event.kind !== 'comment.update' || facts.mentioned.length > 0)
    .filter(({ facts }) => !facts.isInComment)
}

/** What the users with a role in these bugs, or in bugs that depend on them, may get mail about. */
export async function causesIn(
  db: Db,
  mailContext: MailContext,
  planned: readonly MailedEvent[],
): Promise<MailCause[]> {
  return [...changesIn(planned), ...(await dependenciesOf(db, mailContext, planned))]
}

/** Bugs were filed, changed or commented on. */
export function changesIn(planned: readonly MailedEvent[]): MailCause[] {
  return planned.map(changeOf)
}

/** A bug was filed, changed or commented on. */
function changeOf({ event, facts }: MailedEvent): MailCause {
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
    ...(event.kind === 'comment.update' && { isOnlyMention: true as const }),
    occasion: { events, people: peopleIn(changes), isUnconfirmed: false },
    topic: (reasons) => ({ type: 'change', reasons, history, commentId, attachmentId }),
  }
}

/** Whether roles changed, but the event does not say whose. */
function changesRolesOf({ fields, changes }: EventFacts) {
  return Object.values(FIELD_OF_ROLE).some((field) => fields.includes(field) && !changes.has(field))
}

/** Users with a role in the dependent bugs get mail when the bug is opened or closed. */
async function dependenciesOf(db: Db, mailContext: MailContext, all: readonly MailedEvent[]): Promise<MailCause[]> {
  const isOpen = await openStatuses(mailContext)
  const turned = all.filter(({ facts }) => {
    const status = facts.changes.get('status')
    return status !== undefined && isOpen(status.removed) !== isOpen(status.added)
  })
  const blocked = await listBlockedBy(db, [...new Set(turned.map(({ event }) => event.bugId))])
  return turned.flatMap(({ event, facts }) =>
    (blocked.get(event.bugId) ?? []).map((bugId) => ({
      event,
      facts: { ...facts, changes: new Map(), mentioned: [] },
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
