import { keptFields } from '../../../catalogue/fields/field-store.ts'
import { findName } from '../addressee/addressee-store.ts'
import type { Addressee } from '../addressee/find-addressee.ts'
import type { ChangeTopic, DependencyTopic, MailJob } from '../mail-job.ts'
import type { MessageContent } from './message-content.ts'
import {
  actorInSentence,
  changeLine,
  factsOfBug,
  fieldNamesIn,
  type MessageDraft,
  messageComments,
  newMessageContent,
} from './message-parts.ts'
import { attachmentFor, bugFor, changesFor, commentFor, descriptionFor, type MailReader } from './read-as.ts'
import { requestMessage } from './request-message.ts'
import { countedReasons, NEW_BUG_SEEN, seenChange, seenDependency } from './seen-changes.ts'

/** The content for the recipient; undefined if nothing is left that they may see and want. */
export async function writeMessage(
  reader: MailReader,
  addressee: Addressee,
  job: MailJob,
): Promise<MessageContent | undefined> {
  const bug = await bugFor(reader, job.bugId)
  if (bug === undefined) return undefined
  const { login, real_name } = await findName(reader.db, job.who)
  const draft = { reader, addressee, job, bug, fields: await reader.catalogue(keptFields), login, name: real_name }
  switch (job.topic.type) {
    case 'change':
      return job.kind === 'bug.create' ? newBugMessage(draft, job.topic) : changeMessage(draft, job.topic)
    case 'dependency':
      return dependencyMessage(draft, job.topic)
    case 'request':
      return requestMessage(draft, job.topic)
  }
}

async function newBugMessage(draft: MessageDraft, topic: ChangeTopic): Promise<MessageContent | undefined> {
  const { reader, addressee, job, bug } = draft
  const description = await descriptionFor(reader, job.bugId, job.at)
  // Who may not see the description must not learn that it mentions them.
  const given = topic.reasons.filter(({ role }) => role !== 'mentioned' || description !== undefined)
  const reasons = countedReasons(draft, given, NEW_BUG_SEEN)
  if (reasons.length === 0) return undefined
  const facts = factsOfBug(draft)
  return {
    ...newMessageContent(draft, reasons),
    type: 'new',
    title: `${addressee.form.has_new_prefix === 1 ? 'New: ' : ''}${bug.summary}`,
    opening: `${actorInSentence(draft)} filed bug ${bug.id}.`,
    facts,
    changedFields: facts.map(({ field }) => field),
    comments: await messageComments(draft, description),
  }
}

async function changeMessage(draft: MessageDraft, topic: ChangeTopic): Promise<MessageContent | undefined> {
  const { reader, job, bug } = draft
  const lines = await changesFor(reader, job.bugId, job.at, topic.history)
  const comment = await commentFor(reader, topic.commentId)
  const attachment = await attachmentFor(reader, topic.attachmentId)
  const hasNewAttachment = attachment !== undefined
  const seen = seenChange(reader.settings, lines, comment, hasNewAttachment)
  if (seen === undefined) return undefined
  const reasons = countedReasons(draft, topic.reasons, seen)
  if (reasons.length === 0) return undefined
  const { changes } = seen
  const verb =
    job.kind === 'comment.update'
      ? 'mentioned you in a comment on'
      : changes.length > 0
        ? 'changed'
        : hasNewAttachment
          ? 'attached a file to'
          : 'commented on'
  return {
    ...newMessageContent(draft, reasons),
    opening: `${actorInSentence(draft)} ${verb} bug ${bug.id}.`,
    changes: changes.map((line) => changeLine(draft, line)),
    comments: await messageComments(draft, comment),
    changedFields: [...fieldNamesIn(changes), ...(hasNewAttachment ? ['attachments.created'] : [])],
    attachmentId: attachment?.id ?? changes.find(({ attachment_id }) => attachment_id !== undefined)?.attachment_id,
  }
}

/** Says that a bug which this one depends on was opened or closed, if the recipient may see both. */
async function dependencyMessage(draft: MessageDraft, topic: DependencyTopic): Promise<MessageContent | undefined> {
  const { reader, job, bug } = draft
  const blocker = await bugFor(reader, topic.blockerId)
  if (blocker === undefined) return undefined
  const lines = await changesFor(reader, topic.blockerId, job.at, topic.history)
  const seen = seenDependency(lines)
  const reasons = seen === undefined ? [] : countedReasons(draft, topic.reasons, seen)
  if (seen === undefined || reasons.length === 0) return undefined
  const { changes } = seen
  return {
    ...newMessageContent(draft, reasons),
    type: 'dep_changed',
    opening: `Bug ${bug.id} depends on bug ${blocker.id} (${blocker.summary}), which ${actorInSentence(draft)} changed.`,
    changes: changes.map((line) => changeLine(draft, line)),
    changedFields: fieldNamesIn(changes),
  }
}
