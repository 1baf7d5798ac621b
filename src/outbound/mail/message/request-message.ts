import { loginFor } from '../../../access/visibility/reader-rights.ts'
import { dictionary } from '../../../platform/text/dictionary.ts'
import type { RequestTopic } from '../mail-job.ts'
import type { MessageContent } from './message-content.ts'
import { actorInSentence, type MessageDraft, messageComments, newMessageContent } from './message-parts.ts'
import { attachmentFor, commentFor, type MailReader } from './read-as.ts'
import { isRequestWanted } from './seen-changes.ts'

/** The message about one flag: to the requestee, to the user who had asked, or to an address of its type. */
export async function requestMessage(draft: MessageDraft, topic: RequestTopic): Promise<MessageContent | undefined> {
  const { as, flag, commentId } = topic
  const { reader, bug, addressee } = draft
  if (!isRequestWanted(addressee.preferences, as)) return undefined
  const attachment = await attachmentFor(reader, flag.attachmentId)
  if (flag.attachmentId !== null && attachment === undefined) return undefined
  const verb = verbOf(flag.name, flag.after)
  const subject =
    attachment === undefined ? `bug ${bug.id}` : `attachment ${attachment.id} (${attachment.summary}) of bug ${bug.id}`
  return {
    ...newMessageContent(draft, []),
    type: 'request',
    title: `${flag.name} ${verb}: ${bug.summary}`,
    opening: `${actorInSentence(draft)} ${verb} ${flag.name} on ${subject}.`,
    changes: [
      { what: 'Flag', removed: withVisibleLogin(reader, flag.before), added: withVisibleLogin(reader, flag.after) },
    ],
    comments: await messageComments(draft, await commentFor(reader, commentId)),
    request: as,
    changedFields: ['flagtypes.name'],
    attachmentId: attachment?.id,
  }
}

const VERBS: Readonly<Record<string, string>> = dictionary({ '?': 'requested', '+': 'granted', '-': 'denied' })

function verbOf(name: string, after: string | null) {
  return VERBS[after?.charAt(name.length) ?? ''] ?? 'cleared'
}

/**
 * A flag as text contains the login of the requestee; recipients without an account see only what anonymous callers
 * see.
 */
function withVisibleLogin(reader: MailReader, words: string | null) {
  return (words ?? '').replace(/\(([^)]*)\)$/, (_, login: string) => `(${loginFor(login, reader)})`)
}
