import { mentionsIn } from '../../../../shared/text/mentions.ts'
import type { CallContext } from '../../../access/call.ts'
import { lockUser } from '../../../people/users/user-store.ts'
import type { BugTransaction } from '../../../platform/database/db.ts'
import {
  countRecentMentions,
  insertMentions,
  listMentionsOf,
  type NewMention,
  removeMentions,
} from './mention-store.ts'
import { readableBy, usersNamed } from './readers.ts'

/** Further mentions of the same author are text until an hour is over. */
export const MOST_MENTIONS_AN_HOUR = 200

/** A text that was added to bugs as a comment, with the ids of the comments by bug. */
export interface WrittenComment {
  text: string
  isPrivate: boolean
  isMarkdown?: boolean | undefined
  at: string
  commentIds: ReadonlyMap<number, number>
}

/** The users to notify, by bug. */
export type MentionedByBug = ReadonlyMap<number, readonly number[]>

/**
 * Stores whom a comment mentions, and returns them. Only users who may read it are stored: nobody else is notified, now or later. To be
 * called when the groups and roles of the bugs are as the change leaves them.
 */
export async function saveMentions(
  tx: BugTransaction,
  context: Pick<CallContext, 'caller' | 'settings' | 'groups'>,
  { text, isPrivate, isMarkdown = false, at, commentIds }: WrittenComment,
): Promise<MentionedByBug> {
  const nicks = commentIds.size === 0 ? [] : mentionsIn(text, isMarkdown)
  const authorId = context.caller.id
  if (nicks.length === 0 || authorId === null) return NOBODY
  const named = await usersNamed(tx, context, nicks)
  if (named.length === 0) return NOBODY
  // Of two comments at once, one waits, so that together they do not mention too many.
  await lockUser(tx, authorId)
  const room = MOST_MENTIONS_AN_HOUR - (await countRecentMentions(tx, authorId))
  const users = [...new Map(named.map(({ user }) => [user.id, user])).values()]
  const readable = await readableBy(tx, context, users, { bugIds: [...commentIds.keys()], isPrivate })
  const rows: (NewMention & { bugId: number })[] = [...commentIds].flatMap(([bugId, comment_id]) =>
    named.flatMap(({ nick, user }) =>
      readable.get(user.id)?.has(bugId) ? [{ bugId, comment_id, nick, user_id: user.id }] : [],
    ),
  )
  const kept = rows.slice(0, Math.max(0, room))
  await insertMentions(
    tx,
    kept.map(({ bugId: _, ...row }) => row),
    { authorId, at },
  )
  const others = kept.filter(({ user_id }) => user_id !== authorId)
  const byBug = Map.groupBy(others, ({ bugId }) => bugId)
  return new Map([...byBug].map(([bugId, all]) => [bugId, [...new Set(all.map(({ user_id }) => user_id))]]))
}

/** A comment whose text is replaced. */
interface EditedMentions extends Omit<WrittenComment, 'commentIds'> {
  commentId: number
  bugId: number
  before: { text: string; isMarkdown: boolean }
}

/** The same after an edit. Returns only people whom no version of the comment mentioned before. */
export async function updateMentions(
  tx: BugTransaction,
  context: Pick<CallContext, 'caller' | 'settings' | 'groups'>,
  { commentId, bugId, before, ...after }: EditedMentions,
): Promise<MentionedByBug> {
  const known = await listMentionsOf(tx, commentId)
  const nicks = mentionsIn(after.text, after.isMarkdown ?? false)
  if (known.length > 0) await removeMentions(tx, commentId, nicks)
  if (nicks.length === 0) return NOBODY
  const added = (await saveMentions(tx, context, { ...after, commentIds: new Map([[bugId, commentId]]) })).get(bugId)
  const old = await usersNamed(tx, context, mentionsIn(before.text, before.isMarkdown))
  const ids = new Set([...known.map(({ user_id }) => user_id), ...old.map(({ user }) => user.id)])
  const fresh = added?.filter((id) => !ids.has(id)) ?? []
  return fresh.length === 0 ? NOBODY : new Map([[bugId, fresh]])
}

const NOBODY: MentionedByBug = new Map()

/** What an event says about them; nothing if there is nobody. */
export function factsOfMentions(mentioned: MentionedByBug, bugId: number): { mentioned?: readonly number[] } {
  const ids = mentioned.get(bugId)
  return ids === undefined ? {} : { mentioned: ids }
}
