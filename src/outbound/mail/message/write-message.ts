import { keptFields } from '../../../catalogue/fields/field-store.ts'
import { findName } from '../addressee/addressee-store.ts'
import type { Addressee } from '../addressee/find-addressee.ts'
import type { ChangeTopic, DependencyTopic, MailJob } from '../mail-job.ts'
import type { MessageContent } from './message-content.ts'
import {
  actorInSentence,
  changeLine,
  countedReasons,
  factsOfBug,
  fieldNamesIn,
  type MessageDraft,
  messageComments,
  NOTHING_SEEN,
  newMessageContent,
} from './message-parts.ts'
import { attachmentFor, bugFor, changesFor, commentFor, descriptionFor, type Reader } from './read-as.ts'
import { requestMessage } from './request-message.ts'

/** The content for the recipient; undefined if nothing is left that they may see and want. */
export async function writeMessage(
  reader: Reader,
  addressee: Addressee,
  job: MailJob,
): Promise<MessageContent | undefined> {
  const bug = await bugFor(reader, job.bugId)
  if (bug === undefined) return undefined
  const { login, real_name } = await findName(reader.db, job.who)
  const writing = { reader, addressee, job, bug, fields: await reader.catalogue(keptFields), login, name: real_name }
  switch (job.topic.type) {
    case 'change':
      return job.kind === 'bug.create' ? letterOfNewBug(writing, job.topic) : letterOfChange(writing, job.topic)
    case 'dependency':
      return letterOfDependency(writing, job.topic)
    case 'request':
      return requestMessage(writing, job.topic)
  }
}

async function letterOfNewBug(writing: MessageDraft, topic: ChangeTopic): Promise<MessageContent | undefined> {
  const { reader, addressee, job, bug } = writing
  const reasons = countedReasons(writing, topic.reasons, { ...NOTHING_SEEN, kind: 'new' })
  if (reasons.length === 0) return undefined
  const facts = factsOfBug(writing)
  return {
    ...newMessageContent(writing, reasons),
    type: 'new',
    title: `${addressee.form.has_new_prefix === 1 ? 'New: ' : ''}${bug.summary}`,
    opening: `${actorInSentence(writing)} filed bug ${bug.id}.`,
    facts,
    changedFields: facts.map(({ field }) => field),
    comments: await messageComments(writing, await descriptionFor(reader, job.bugId, job.at)),
  }
}

async function letterOfChange(writing: MessageDraft, topic: ChangeTopic): Promise<MessageContent | undefined> {
  const { reader, job, bug } = writing
  const changes = await changesFor(reader, job.bugId, job.at, topic.history)
  const comment = await commentFor(reader, topic.commentId)
  if (changes.length === 0 && comment === undefined) return undefined
  const attachment = await attachmentFor(reader, topic.attachmentId)
  const hasNewAttachment = attachment !== undefined
  const reasons = countedReasons(writing, topic.reasons, { kind: 'changed', changes, comment, hasNewAttachment })
  if (reasons.length === 0) return undefined
  const deed = changes.length > 0 ? 'changed' : hasNewAttachment ? 'attached a file to' : 'commented on'
  return {
    ...newMessageContent(writing, reasons),
    opening: `${actorInSentence(writing)} ${deed} bug ${bug.id}.`,
    changes: changes.map((line) => changeLine(writing, line)),
    comments: await messageComments(writing, comment),
    changedFields: [...fieldNamesIn(changes), ...(hasNewAttachment ? ['attachments.created'] : [])],
    attachmentId: attachment?.id ?? changes.find(({ attachment_id }) => attachment_id !== undefined)?.attachment_id,
  }
}

const DEPENDENCY_FIELDS = ['status', 'resolution']

/** Says that a bug which this one depends on was opened or closed, if the recipient may see both. */
async function letterOfDependency(writing: MessageDraft, topic: DependencyTopic): Promise<MessageContent | undefined> {
  const { reader, job, bug } = writing
  const blocker = await bugFor(reader, topic.blockerId)
  if (blocker === undefined) return undefined
  const lines = await changesFor(reader, topic.blockerId, job.at, topic.history)
  const changes = lines.filter(({ field_name }) => DEPENDENCY_FIELDS.includes(field_name))
  const reasons = countedReasons(writing, topic.reasons, { ...NOTHING_SEEN, kind: 'dependency' })
  if (changes.length === 0 || reasons.length === 0) return undefined
  return {
    ...newMessageContent(writing, reasons),
    type: 'dep_changed',
    opening: `Bug ${bug.id} depends on bug ${blocker.id} (${blocker.summary}), which ${actorInSentence(writing)} changed.`,
    changes: changes.map((line) => changeLine(writing, line)),
    changedFields: fieldNamesIn(changes),
  }
}
