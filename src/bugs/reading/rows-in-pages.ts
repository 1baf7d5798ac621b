import type { Db } from '../../platform/database/db.ts'
import { isTurnLong, laterTurn } from '../../platform/monitoring/event-loop.ts'
import { idsParam, type OneOrMany, oneOrMany } from '../values/wanted-bugs.ts'

/** The number of rows of a page. */
export const ROWS_OF_A_PAGE = 250

/** Whether there may be more pages. */
export function isFullPage(rows: readonly unknown[]) {
  return rows.length === ROWS_OF_A_PAGE
}

/** The parameters of one read: rows of these bugs after a position, ordered by bug and position. */
export interface PageParams {
  /** Ids of bugs; see `idsParam`. */
  ids: string
  after: number
  most: number
}

/** Less than every position. A position is a number that counts from 0, or an id. */
const START = -1

/** If rows are long, fewer of them are read at once, which takes less memory. */
export interface RowsAtOnce {
  rowsAtOnce?: number | undefined
  /** After the first read, if that was not all. */
  laterRowsAtOnce?: () => Promise<number>
}

type ReadPage<Row> = (page: PageParams, many: OneOrMany) => Promise<Row[]>

/**
 * Reads all rows of these bugs in pages. A bug without rows may have one row whose position is null. The usual single page is read
 * without a generator, which took a tenth of the time of reading the comments of a bug.
 */
export function rowsInPages<Row extends { bug_id: number }>(
  { dialect }: Db,
  bugIds: readonly number[],
  positionOf: (row: Row) => number | null,
  read: ReadPage<Row>,
  { rowsAtOnce = dialect.rowsAtOnce, laterRowsAtOnce = async () => rowsAtOnce }: RowsAtOnce = {},
): AsyncIterableIterator<Row[]> {
  const most = rowsAtOnce
  let hasBegun = false
  let rest: AsyncGenerator<Row[]> | undefined
  const next = async (): Promise<IteratorResult<Row[]>> => {
    if (rest !== undefined) return rest.next()
    if (hasBegun || bugIds.length === 0) return { done: true, value: undefined }
    hasBegun = true
    const ids = bugIds.length === 1 ? bugIds : [...new Set(bugIds)].sort((one, other) => one - other)
    const rows = await read({ ids: idsParam(ids), after: START, most }, oneOrMany(ids))
    if (rows.length <= ROWS_OF_A_PAGE && rows.length < most)
      return rows.length === 0 ? { done: true, value: undefined } : { done: false, value: rows }
    rest = manyPages(ids, { rows, most }, laterRowsAtOnce, positionOf, read)
    return rest.next()
  }
  return {
    next,
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

/** Yields the first rows in pages, then reads and yields the rest. */
async function* manyPages<Row extends { bug_id: number }>(
  ids: readonly number[],
  first: { rows: Row[]; most: number },
  laterRowsAtOnce: () => Promise<number>,
  positionOf: (row: Row) => number | null,
  read: ReadPage<Row>,
): AsyncGenerator<Row[]> {
  let wanted = ids
  let after = START
  let { rows, most } = first
  first.rows = []
  for (;;) {
    for (let from = 0; from < rows.length; from += ROWS_OF_A_PAGE) {
      if (from > 0 && isTurnLong()) await laterTurn()
      yield rows.length <= ROWS_OF_A_PAGE ? rows : rows.slice(from, from + ROWS_OF_A_PAGE)
    }
    const last = rows.at(-1)
    const isFull = rows.length === most && last !== undefined
    if (!isFull && after === START) return
    const position = isFull ? positionOf(last) : null
    const bugId = isFull ? last.bug_id : (wanted[0] as number)
    // If a read ended within a bug, the rest of that bug is read alone, then the other bugs.
    wanted = position === null ? ids.filter((id) => id > bugId) : [bugId]
    after = position ?? START
    if (wanted.length === 0) return
    if (isTurnLong()) await laterTurn()
    most = await laterRowsAtOnce()
    rows = await read({ ids: idsParam(wanted), after, most }, oneOrMany(wanted))
  }
}
