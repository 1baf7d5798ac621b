import { sql } from 'kysely'
import type { BugTransaction, Db } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import type { Flag } from '../../../platform/database/tables.ts'
import { type IndexedComment, reindexComment } from '../../../search/text/word-store.ts'

/** A comment that may be edited, as it is stored. */
export interface EditedComment extends IndexedComment {
  user_id: number
  at: string
  text: string
  is_markdown: Flag
  kind: number
  edit_count: number
  edited_at: string | null
}

const byId = statement<{ id: number }>()((q, p) =>
  q
    .selectFrom('comments')
    .select(['id', 'bug_id', 'number', 'user_id', 'at', 'text', 'is_private', 'is_markdown', 'kind'])
    .select(['edit_count', 'edited_at'])
    .where('id', '=', p.id),
)

/** The caller has checked that its reader may see it. */
export async function getStoredComment(db: Db, id: number): Promise<EditedComment> {
  return (await db.first(byId, { id })) as EditedComment
}

const insert = statement<{ id: number; userId: number; at: string; isHidden: Flag }>()((q, p) =>
  q
    .insertInto('comment_versions')
    .columns(['comment_id', 'text', 'is_markdown', 'user_id', 'at', 'is_hidden'])
    .expression(
      sql`select id, text, is_markdown, cast(${p.userId} as integer), cast(${p.at} as text), cast(${p.isHidden} as integer)
        from comments where id = ${p.id}`,
    ),
)
const setText = statement<{ id: number; text: string; isMarkdown: Flag; at: string }>()((q, p) =>
  q
    .updateTable('comments')
    .set((row) => ({
      text: p.text,
      is_markdown: p.isMarkdown,
      edit_count: row('edit_count', '+', 1),
      edited_at: p.at,
    }))
    .where('id', '=', p.id),
)

export interface NewVersion {
  text: string
  isMarkdown: Flag
  userId: number
  at: string
  /** Whether the text before becomes hidden. */
  isHidden: Flag
}

/** Keeps the text before as a version, also in the full-text index. The caller has locked the bug. */
export async function replaceByVersion(tx: BugTransaction, comment: IndexedComment, version: NewVersion) {
  const { text, isMarkdown, userId, at, isHidden } = version
  await tx.all(insert, { id: comment.id, userId, at, isHidden })
  await tx.all(setText, { id: comment.id, text, isMarkdown, at })
  await reindexComment(tx, comment, text)
}

/** A text that was replaced: when, and by whom. */
export interface ReplacedText {
  id: number
  text: string
  is_markdown: Flag
  user_id: number
  /** Of the user who replaced it. */
  login: string
  at: string
  is_hidden: Flag
}

const ofComment = statement<{ id: number }>()((q, p) =>
  q
    .selectFrom('comment_versions')
    .innerJoin('users', 'users.id', 'comment_versions.user_id')
    .select(['comment_versions.id', 'text', 'is_markdown', 'user_id', 'users.login', 'at', 'is_hidden'])
    .where('comment_id', '=', p.id)
    .orderBy('comment_versions.id'),
)

/** Oldest first. */
export function listReplacedTexts(db: Db, commentId: number): Promise<ReplacedText[]> {
  return db.all(ofComment, { id: commentId })
}

const sizeOf = statement<{ id: number }>()((q, p) =>
  q
    .selectFrom('comment_versions')
    .select((row) => row.fn.countAll<number>().as('versions'))
    .select(sql<number>`coalesce(sum(length(text)), 0)`.as('characters'))
    .where('comment_id', '=', p.id),
)

export async function sizeOfVersions(tx: Db, commentId: number) {
  const size = await tx.first(sizeOf, { id: commentId })
  return { versions: Number(size?.versions ?? 0), characters: Number(size?.characters ?? 0) }
}

const editsOf = statement<{ userId: number; since: string }>()((q, p) =>
  q
    .selectFrom('comment_versions')
    .select((row) => row.fn.countAll<number>().as('edits'))
    .where('user_id', '=', p.userId)
    .where('at', '>', p.since),
)
const lockUser = statement<{ id: number }>()((q, p, d) =>
  q.selectFrom('users').select('id').where('id', '=', p.id).modifyEnd(d.lockedBesideReferences()),
)

/** How often the user has edited comments since that time. Of two edits at once, one waits. */
export async function countEdits(tx: BugTransaction, userId: number, since: string): Promise<number> {
  await tx.all(lockUser, { id: userId })
  return Number((await tx.first(editsOf, { userId, since }))?.edits ?? 0)
}

const hide = statement<{ ids: string; isHidden: Flag }>()((q, p, d) =>
  q.updateTable('comment_versions').set({ is_hidden: p.isHidden }).where('id', 'in', d.integersIn(p.ids)),
)

export async function hideVersions(tx: BugTransaction, ids: readonly number[], isHidden: Flag) {
  await tx.all(hide, { ids: JSON.stringify(ids), isHidden })
}

const removeVersions = statement<{ id: number }>()((q, p) =>
  q.deleteFrom('comment_versions').where('comment_id', '=', p.id),
)
const forgetEdits = statement<{ id: number }>()((q, p) =>
  q.updateTable('comments').set({ edit_count: 0, edited_at: null }).where('id', '=', p.id),
)

/** For a comment whose text is deleted for good. */
export async function deleteVersions(tx: BugTransaction, commentId: number) {
  await tx.all(removeVersions, { id: commentId })
  await tx.all(forgetEdits, { id: commentId })
}

const deletions = statement<{ bugId: number; id: number; field: string }>()((q, p) =>
  q
    .selectFrom('bug_changes')
    .select('id')
    .where('bug_id', '=', p.bugId)
    .where('field', '=', p.field)
    .where('comment_id', '=', p.id)
    .limit(1),
)

/** Whether the history of the bug has a line of this field about the comment. */
export async function hasLineAbout(tx: Db, { id, bug_id: bugId }: IndexedComment, field: string) {
  return (await tx.first(deletions, { bugId, id, field })) !== undefined
}

const addRevision = statement<{ bugId: number }>()((q, p) =>
  q
    .updateTable('bugs')
    .set((bug) => ({ revision: bug('revision', '+', 1) }))
    .where('id', '=', p.bugId),
)

/** What is kept of the bug with its comments is out of date now. The time of its last change stays, as in BMO. */
export async function noteCommentChanged(tx: BugTransaction, bugId: number) {
  await tx.all(addRevision, { bugId })
}
