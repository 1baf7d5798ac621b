import { type RawBuilder, sql } from 'kysely'
import type { Caller } from '../access/caller.ts'
import { type InsiderParams, insiderParams, isTimeTracker } from '../access/visibility/reader-rights.ts'
import { INSIDER_FIELDS, TIME_FIELDS } from '../bug-fields/recorded-fields.ts'
import type { Settings } from '../platform/config/settings.ts'
import type { SqlValues } from '../platform/database/statements/builder.ts'
import type { Flag } from '../platform/database/tables.ts'

/** The reader of a history. Private entries are for insiders, time fields for members of the time-tracking group. */
export interface HistoryReader extends InsiderParams {
  tracker: Flag
}

/** The reader of a history with these rights. */
export function historyReader(viewer: { caller: Caller; settings: Settings }): HistoryReader {
  return { ...insiderParams(viewer), tracker: isTimeTracker(viewer.caller, viewer.settings) ? 1 : 0 }
}

const listed = (fields: Iterable<string>) => sql.join([...fields].map((field) => sql.lit(field)))

/** Whether a line of the history of a visible bug may be read. */
export function isHistoryReadable(reader: SqlValues<HistoryReader>): RawBuilder<boolean> {
  return sql<boolean>`((bug_changes.field not in (${listed(TIME_FIELDS)}) or ${reader.tracker} = 1)
    and (${reader.insider} = 1 or (${aboutNoPrivateAttachment} and ${aboutNoPrivateComment})))`
}

const aboutNoPrivateAttachment = sql`(bug_changes.attachment_id is null or exists (select 1 from attachments
  where attachments.id = bug_changes.attachment_id and attachments.is_private = 0))`

/** The field of a history line that says that the text of a comment was deleted. */
export const DELETED_TEXT = 'longdescs.deleted'
/** The field of one that says that a comment was marked as an answer, or is one no longer. */
export const ANSWER_MARK = 'longdescs.isanswer'
const ABOUT_COMMENTS = [DELETED_TEXT, ANSWER_MARK]

/**
 * The history does not show that a comment was made private. It shows that a comment was made public, or that its text
 * was deleted or that it is an answer, as long as the comment is public.
 */
const aboutNoPrivateComment = sql`(bug_changes.field not in (${listed([...INSIDER_FIELDS, ...ABOUT_COMMENTS])})
  or ((bug_changes.field in (${listed(ABOUT_COMMENTS)}) or bug_changes.added <> '1') and exists (
    select 1 from comments where comments.id = bug_changes.comment_id and comments.is_private = 0)))`
