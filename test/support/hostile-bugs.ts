import type { Db } from '../../src/platform/database/db.ts'
import type { HostileBugs } from './hostile-requests.ts'

/** How much there is of everything. */
export interface HostileSizes {
  bugs: number
  comments: number
  changes: number
}

/**
 * Makes many bugs like the one that is given, a bug with very many comments and one with a long history, straight in the database: nobody
 * can wait until they are made by requests.
 */
export async function fillWithBugs(db: Db, pattern: number, sizes: HostileSizes): Promise<HostileBugs> {
  const rows = await db.query((q) => q.selectFrom('bugs').selectAll().where('id', '=', pattern))
  const [{ id: _, lists: __, revision: ___, ...row } = fail()] = rows
  const columns = Object.keys(row)
    .filter((name) => !name.startsWith('summary'))
    .join()
  await db.script(
    `insert into bugs (summary, summary_key, ${columns})
      select 'wrong & <broken> ' || i, 'wrong & <broken> ' || i, ${columns} from bugs, ${numbers(db, sizes.bugs)}
      where bugs.id = ${pattern}`,
  )
  const [first, withHistory] = [pattern + 1, pattern + 2]
  await db.script(
    `${INSERT_COMMENTS} select bugs.id, 0, 1, created_at, 'described', 0, 0, null, 0 from bugs where id > ${pattern}`,
  )
  await addComments(db, pattern, sizes.comments)
  await addChanges(db, withHistory, sizes.changes)
  return { first, count: sizes.bugs, withComments: pattern, withHistory }
}

const INSERT_COMMENTS =
  'insert into comments (bug_id, number, user_id, at, text, is_private, kind, about_id, work_hundredths)'
const AT = "'2026-07-01T00:00:00Z'"

export function addComments(db: Db, bug: number, count: number) {
  return db.script(
    `${INSERT_COMMENTS} select ${bug}, i, 1, ${AT}, 'see bug ' || i || ', <this> & https://example.org/', 0, 0, null, 0
      from ${numbers(db, count)}`,
  )
}

export function addChanges(db: Db, bug: number, count: number) {
  return db.script(
    `insert into bug_changes (bug_id, user_id, at, field, removed, added)
      select ${bug}, 1, ${AT}, 'whiteboard', 'a' || i, 'b' || i from ${numbers(db, count)}`,
  )
}

function numbers({ dialect }: Db, count: number) {
  return dialect.engine === 'sqlite'
    ? `(with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count}) select i from n)`
    : `generate_series(1, ${count}) as n(i)`
}

function fail(): never {
  throw new Error('There is no such bug')
}
