import { sql } from 'kysely'
import type { InsiderParams } from '../../../access/visibility/reader-rights.ts'
import { isNumberShown, type VisibilityRules } from '../../../access/visibility/visible-bugs.ts'
import { COLUMNS_OF_CHANGE } from '../../../changes/change-json.ts'
import type { SqlValues } from '../../../platform/database/statements/builder.ts'
import type { Dialect } from '../../../platform/dialects/dialect.ts'
import { creatorOf } from '../../reading/view-variant.ts'
import { COMMENT_KIND } from '../comment.ts'
import { reactionsOfComment } from '../reactions/reaction-store.ts'

/** The parts of a comment that are read only on request. */
export type CommentPart = 'text' | 'creator' | 'creator_detail' | 'tags' | 'reactions' | 'mentions' | 'source'
type Parts = ReadonlySet<CommentPart>

const KINDS = {
  ofBugs: sql.join([COMMENT_KIND.duplicateOf, COMMENT_KIND.hasDuplicate].map((kind) => sql.lit(kind))),
  ofAttachments: sql.join([COMMENT_KIND.attachmentCreated, COMMENT_KIND.aboutAttachment].map((kind) => sql.lit(kind))),
}

export function partsOf(dialect: Dialect, rules: VisibilityRules, reader: SqlValues<InsiderParams>, parts: Parts) {
  const columns = []
  if (parts.has('text')) {
    columns.push(
      sql<string>`comments.text`.as('text'),
      sql`case when comments.kind in (${KINDS.ofBugs})
        and ${isNumberShown(dialect, rules, reader, sql`comments.about_id`)} then comments.about_id end`.as('other_id'),
      sql`case when comments.kind in (${KINDS.ofAttachments}) then (select attachments.summary from attachments
        where attachments.id = comments.about_id and (attachments.is_private = 0 or ${reader.insider} = 1)) end`.as(
        'attachment_summary',
      ),
    )
  }
  if (parts.has('creator') || parts.has('creator_detail')) columns.push(creatorOf('comments'))
  if (parts.has('creator_detail'))
    columns.push(
      sql<number>`comments.user_id`.as('creator_id'),
      sql<string>`(select users.real_name from users where users.id = comments.user_id)`.as('creator_name'),
      sql<string | null>`(select users.nick from users where users.id = comments.user_id)`.as('creator_nick'),
    )
  if (parts.has('reactions')) columns.push(reactionsOfComment(dialect, reader.viewerId).as('reactions'))
  if (parts.has('source'))
    columns.push(
      sql<number | null>`comments.change_id`.as('change_ref'),
      ...Object.entries(COLUMNS_OF_CHANGE).map(([name, value]) =>
        sql`(select ${value} from changes where changes.id = comments.change_id)`.as(name),
      ),
    )
  if (parts.has('tags'))
    columns.push(
      dialect
        .jsonListOf(sql`select tag as value from comment_tags where comment_id = comments.id order by tag_key`)
        .as('tags'),
    )
  if (parts.has('mentions'))
    columns.push(
      sql<
        string | null
      >`case when comments.has_mentions = 1 then ${dialect.jsonObjectsOf(MENTIONS, MENTION_COLUMNS)} end`.as(
        'mentions',
      ),
    )
  return columns
}

const MENTIONS = sql`select comment_mentions.nick, users.id, users.login, users.real_name from comment_mentions
  join users on users.id = comment_mentions.user_id where comment_mentions.comment_id = comments.id
  and comment_mentions.is_removed = 0 order by comment_mentions.nick`
const MENTION_COLUMNS = ['nick', 'id', 'login', 'real_name']
