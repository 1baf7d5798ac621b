import type { Db } from '../../platform/database/db.ts'
import { isTurnLong, laterTurn } from '../../platform/monitoring/event-loop.ts'
import { type HowMany, howMany, idsParam } from '../values/wanted-bugs.ts'

/** So many rows are handed out at once. */
const ROWS_OF_A_PAGE = 250

/** Whether there may be more. */
export function isFullPage(rows: readonly unknown[]) {
  return rows.length === ROWS_OF_A_PAGE
}

/** What a statement reads at once: rows of these bugs, by bug and then by position, later than a position. */
export interface PageParams {
  /** Of bugs; see `idsParam`. */
  ids: string
  after: number
  most: number
}

/** Before every position, which is a number that counts from 0, or an id. */
const START = -1

type ReadPage<Row> = (page: PageParams, many: HowMany) => Promise<Row[]>

/**
 * Reads all rows that belong to these bugs, page by page. A bug without any may have one row, whose position is null. Most often there
 * is one page, which is read without a generator: that took a tenth of the time of reading the comments of a bug.
 */
export function rowsInPages<Row extends { bug_id: number }>(
  { dialect }: Db,
  bugIds: readonly number[],
  positionOf: (row: Row) => number | null,
  read: ReadPage<Row>,
): AsyncIterableIterator<Row[]> {
  const most = dialect.rowsAtOnce
  let hasBegun = false
  let rest: AsyncGenerator<Row[]> | undefined
  const next = async (): Promise<IteratorResult<Row[]>> => {
    if (rest !== undefined) return rest.next()
    if (hasBegun || bugIds.length === 0) return { done: true, value: undefined }
    hasBegun = true
    const ids = bugIds.length === 1 ? bugIds : [...new Set(bugIds)].sort((one, other) => one - other)
    const rows = await read({ ids: idsParam(ids), after: START, most }, howMany(ids))
    if (rows.length <= ROWS_OF_A_PAGE && rows.length < most)
      return rows.length === 0 ? { done: true, value: undefined } : { done: false, value: rows }
    rest = manyPages(ids, rows, most, positionOf, read)
    return rest.next()
  }
  return {
    next,
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

/** The first rows in pages, and what comes after them. */
async function* manyPages<Row extends { bug_id: number }>(
  ids: readonly number[],
  firstRows: Row[],
  most: number,
  positionOf: (row: Row) => number | null,
  read: ReadPage<Row>,
): AsyncGenerator<Row[]> {
  let wanted = ids
  let after = START
  let rows = firstRows
  for (;;) {
    for (let from = 0; from < rows.length; from += ROWS_OF_A_PAGE) {
      if (from > 0 && isTurnLong()) await laterTurn()
      yield rows.slice(from, from + ROWS_OF_A_PAGE)
    }
    const last = rows.at(-1)
    const isFull = rows.length === most && last !== undefined
    if (!isFull && after === START) return
    const position = isFull ? positionOf(last) : null
    const bugId = isFull ? last.bug_id : (wanted[0] as number)
    // The rest of a bug of which only the beginning was read is read alone, and then that of the others.
    wanted = position === null ? ids.filter((id) => id > bugId) : [bugId]
    after = position ?? START
    if (wanted.length === 0) return
    if (isTurnLong()) await laterTurn()
    rows = await read({ ids: idsParam(wanted), after, most }, howMany(wanted))
  }
}
