import { sql } from 'kysely'
import { isCommentReadable } from '../../../access/visibility/reader-rights.ts'
import { bugsVisibleTo, keyOfRules, type VisibilityRules } from '../../../access/visibility/visible-bugs.ts'
import { CHANGE_COLUMNS, type ChangeColumns } from '../../../changes/change-json.ts'
import { type HistoryReader, isHistoryReadable } from '../../../changes/readable-history.ts'
import type { Db } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import { statementFamily } from '../../../platform/database/statements/statement-family.ts'

type Params = HistoryReader & { ids: string }

const titles = statementFamily(keyOfRules, (rules: VisibilityRules) =>
  statement<Params>()((q, p, d) =>
    bugsVisibleTo(q, d, rules, p)
      .innerJoin('products', 'products.id', 'bugs.product_id')
      .innerJoin('components', 'components.id', 'bugs.component_id')
      .select(['bugs.id', 'bugs.summary', 'bugs.status_id', 'bugs.resolution_id'])
      .select(['products.name as product', 'components.name as component'])
      .where('bugs.id', 'in', d.integersIn(p.ids)),
  ),
)

/** What a list shows of bugs, of those that the reader may see. */
export function listTitles(db: Db, rules: VisibilityRules, reader: HistoryReader, ids: readonly number[]) {
  return db.all(titles(rules), { ...reader, ids: JSON.stringify(ids) })
}

/** So many characters of a comment are shown in a list. */
const EXCERPT = 200

const comments = statementFamily(keyOfRules, (rules: VisibilityRules) =>
  statement<Params>()((q, p, d) =>
    q
      .selectFrom('comments')
      .innerJoin('users', 'users.id', 'comments.user_id')
      .leftJoin('changes', 'changes.id', 'comments.change_id')
      .select(['comments.id', 'comments.number', 'comments.at', 'comments.user_id', 'comments.change_id as change_ref'])
      .select(CHANGE_COLUMNS)
      .select(['users.login', 'users.real_name'])
      .select(sql<string>`substr(comments.text, 1, ${sql.lit(EXCERPT)})`.as('text'))
      .where('comments.id', 'in', d.integersIn(p.ids))
      .where(isCommentReadable(d, rules, p))
      .$castTo<ShownComment>(),
  ),
)

interface ShownComment extends ChangeColumns {
  id: number
  number: number
  at: string
  user_id: number
  login: string
  real_name: string
  text: string
}

/** The beginnings of comments of visible bugs, of those that the reader may read. */
export function listExcerpts(db: Db, rules: VisibilityRules, reader: HistoryReader, ids: readonly number[]) {
  return db.all(comments(rules), { ...reader, ids: JSON.stringify(ids) })
}

const LINES_OF_CHANGE = 10

// What was changed together has the same user and time. Fields that name other bugs, which may be hidden, are left out.
const changes = statement<Params & { quiet: string }>()((q, p, d) =>
  q
    .selectFrom('bug_changes as newest')
    .innerJoin('bug_changes', (join) =>
      join
        .onRef('bug_changes.bug_id', '=', 'newest.bug_id')
        .onRef('bug_changes.at', '=', 'newest.at')
        .onRef('bug_changes.user_id', '=', 'newest.user_id')
        .on(sql<boolean>`bug_changes.id > newest.id - ${sql.lit(LINES_OF_CHANGE)}`)
        .on(sql<boolean>`bug_changes.id < newest.id + ${sql.lit(LINES_OF_CHANGE)}`),
    )
    .innerJoin('users', 'users.id', 'bug_changes.user_id')
    .leftJoin('changes', 'changes.id', 'bug_changes.change_id')
    .select(['newest.id as newest_id', 'bug_changes.at', 'bug_changes.field', 'bug_changes.user_id'])
    .select('bug_changes.change_id as change_ref')
    .select(CHANGE_COLUMNS)
    .select(['users.login', 'users.real_name'])
    .select(sql<string>`substr(bug_changes.removed, 1, ${sql.lit(EXCERPT)})`.as('removed'))
    .select(sql<string>`substr(bug_changes.added, 1, ${sql.lit(EXCERPT)})`.as('added'))
    .where('newest.id', 'in', d.integersIn(p.ids))
    .where(sql<boolean>`bug_changes.field not in ${d.textsIn(p.quiet)}`)
    .where(isHistoryReadable(p))
    .orderBy('bug_changes.id')
    .$castTo<ShownLine>(),
)

interface ShownLine extends ChangeColumns {
  newest_id: number
  at: string
  field: string
  user_id: number
  login: string
  real_name: string
  removed: string
  added: string
}

/** The lines of history that were written together with these, as far as the reader may read them. */
export function listChangesWith(db: Db, reader: HistoryReader, ids: readonly number[], quiet: string) {
  return db.all(changes, { ...reader, ids: JSON.stringify(ids), quiet })
}
