import type { InsiderParams } from '../../../access/visibility/reader-rights.ts'
import { bugsVisibleTo, type VisibilityRules } from '../../../access/visibility/visible-bugs.ts'
import type { Db } from '../../../platform/database/db.ts'

/** The titles of links to bugs, for the bugs that the reader may see. */
export async function listBugTitles(db: Db, rules: VisibilityRules, reader: InsiderParams, ids: readonly number[]) {
  if (ids.length === 0) return []
  return db.query((q, d) =>
    bugsVisibleTo(q, d, rules, reader)
      .select(['bugs.id', 'bugs.summary', 'bugs.status_id', 'bugs.resolution_id'])
      .where('bugs.id', 'in', d.integersIn(JSON.stringify([...new Set(ids)]))),
  )
}

/** The titles of links to attachments. Private attachments are only for insiders. */
export async function listAttachmentTitles(
  db: Db,
  rules: VisibilityRules,
  reader: InsiderParams,
  ids: readonly number[],
) {
  if (ids.length === 0) return []
  return db.query((q, d) =>
    bugsVisibleTo(q, d, rules, reader)
      .innerJoin('attachments', 'attachments.bug_id', 'bugs.id')
      .select(['attachments.id', 'attachments.summary', 'attachments.is_obsolete'])
      .where('attachments.id', 'in', d.integersIn(JSON.stringify([...new Set(ids)])))
      .$if(reader.insider === 0, (query) => query.where('attachments.is_private', '=', 0)),
  )
}
