import { sql } from 'kysely'
import { bugsVisibleTo, keyOfRules, type VisibilityRules } from '../../access/visibility/visible-bugs.ts'
import { CHANGE_COLUMNS, type ChangeColumns } from '../../changes/change-json.ts'
import { type HistoryReader, isHistoryReadable } from '../../changes/readable-history.ts'
import { LIST_BITS } from '../../platform/database/bug-lists.ts'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { statementFamily } from '../../platform/database/statements/statement-family.ts'
import { type PageParams, rowsInPages } from '../reading/rows-in-pages.ts'
import { isOneOfIds, type OneOrMany } from '../values/wanted-bugs.ts'
import type { HistoryRow } from './history.ts'

type Params = HistoryReader & PageParams & { since: string; until: string }

/** The changes after `since`, up to and including `until`. */
export interface TimeSpan {
  since: string
  until: string
}

export interface HistoryRowOfBug extends Omit<HistoryRow, 'change'>, ChangeColumns {
  bug_id: number
  change_id: number
  comment_id: number | null
  /** 0 if the bug has no alias; see bug-lists.ts. */
  alias_bit: number
}

/** The row of a visible bug without readable history. */
interface NoChange {
  bug_id: number
  change_id: null
  alias_bit: number
}

/**
 * The history of bugs in pages, in the order in which it was written. A bug that the reader may not see has no row. A visible bug
 * without changes has one row, NoChange.
 */
export function listHistory(
  db: Db,
  rules: VisibilityRules,
  reader: HistoryReader,
  ids: readonly number[],
  { since, until }: TimeSpan,
): AsyncIterableIterator<(HistoryRowOfBug | NoChange)[]> {
  const idOf = (row: HistoryRowOfBug | NoChange) => row.change_id
  return rowsInPages(db, ids, idOf, (page, many) =>
    db.all(historyOf[many](rules), { ...reader, ...page, since, until }),
  )
}

const historyOf = { one: historyStatements('one'), many: historyStatements('many') }

function historyStatements(many: OneOrMany) {
  return statementFamily(keyOfRules, (rules: VisibilityRules) =>
    statement<Params>()((q, p, d) =>
      bugsVisibleTo(q, d, rules, p)
        .leftJoin('bug_changes', (join) =>
          join
            .onRef('bug_changes.bug_id', '=', 'bugs.id')
            .on('bug_changes.id', '>', p.after)
            .on('bug_changes.at', '>', p.since)
            .on('bug_changes.at', '<=', p.until)
            .on(isHistoryReadable(p)),
        )
        .leftJoin('users', 'users.id', 'bug_changes.user_id')
        .leftJoin('changes', 'changes.id', 'bug_changes.change_id')
        .select([
          'bugs.id as bug_id',
          'bug_changes.id as change_id',
          'bug_changes.at',
          'users.login as who',
          'bug_changes.field',
          'bug_changes.removed',
          'bug_changes.added',
          'bug_changes.attachment_id',
          'bug_changes.comment_id',
          'bug_changes.change_id as change_ref',
        ])
        .select(CHANGE_COLUMNS)
        .select(sql<number>`bugs.lists & ${sql.lit(LIST_BITS.aliases)}`.as('alias_bit'))
        .where(isOneOfIds(d, p.ids, many))
        .orderBy('bugs.id')
        .orderBy('bug_changes.id')
        .limit(p.most)
        .$castTo<HistoryRowOfBug | NoChange>(),
    ),
  )
}

const aliases = statement<{ ids: string }>()((q, p, d) =>
  q
    .selectFrom('bug_aliases')
    .select(['bug_id', 'alias'])
    .where('bug_id', 'in', d.integersIn(p.ids))
    .orderBy('bug_id')
    .orderBy('id'),
)

/** The aliases of bugs, by number. The caller must have checked that the bugs are visible. */
export async function aliasesOf(db: Db, ids: readonly number[]): Promise<Map<number, string[]>> {
  if (ids.length === 0) return new Map()
  const rows = await db.all(aliases, { ids: JSON.stringify(ids) })
  const byBug = Map.groupBy(rows, (row) => row.bug_id)
  return new Map([...byBug].map(([id, own]) => [id, own.map(({ alias }) => alias)]))
}
