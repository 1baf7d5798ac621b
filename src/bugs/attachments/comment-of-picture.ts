import { sql } from 'kysely'
import type { BugTransaction } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { errors } from '../../platform/errors.ts'
import { secondsAgo } from '../../platform/time/clock.ts'
import type { AttachmentDescription } from './attachment.ts'

/** A comment gets its pictures soon after it was written, and at most so many. */
const LATEST_SECONDS = 3600
const MOST_PICTURES = 20
const MOST_COMMENTS = 20
const REFERENCE = /!\[[^\]\n]*\]\(attachment:([\w.-]{1,100})\)/g

const ownComments = statement<{ bugId: number; userId: number; since: string }>()((q, p) =>
  q
    .selectFrom('comments')
    .select(['text', 'is_private'])
    .where('bug_id', '=', p.bugId)
    .where('user_id', '=', p.userId)
    .where('at', '>=', p.since)
    .where('is_markdown', '=', 1)
    .orderBy('number', 'desc')
    .limit(sql.lit(MOST_COMMENTS)),
)
const ownFile = statement<{ bugId: number; userId: number; name: string }>()((q, p) =>
  q
    .selectFrom('attachments')
    .select('id')
    .where('bug_id', '=', p.bugId)
    .where('user_id', '=', p.userId)
    .where('file_name', '=', p.name)
    .limit(1),
)

/** Throws unless the user has just written a comment on the bug that shows a picture of this name, which is not attached yet. */
export async function requireCommentOfPicture(
  tx: BugTransaction,
  { bugId, userId }: { bugId: number; userId: number },
  { file_name: name, is_private }: Pick<AttachmentDescription, 'file_name' | 'is_private'>,
) {
  const comments = await tx.all(ownComments, { bugId, userId, since: secondsAgo(LATEST_SECONDS) })
  const comment = comments.find(({ text }) =>
    [...text.matchAll(REFERENCE)].slice(0, MOST_PICTURES).some(([, reference]) => reference === name),
  )
  const refuse = (right: string) => errors.bad_value({ name: 'in_comment', value: 'true', right })
  if (comment === undefined)
    throw refuse(
      `no comment in Markdown that the caller has written on the bug in the last hour shows attachment:${name}`,
    )
  if ((comment.is_private === 1) !== is_private) throw refuse('the attachment must be as private as the comment')
  if ((await tx.first(ownFile, { bugId, userId, name })) !== undefined)
    throw refuse('the caller has attached a file of this name to the bug already')
}
