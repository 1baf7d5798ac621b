import type { Db } from '../db.ts'

/** The most rows and characters of one statement. */
interface Portion {
  rows: number
  characters: number
}

/** A statement of SQLite runs in one go; other requests run between two statements. */
const SMALL: Portion = { rows: 100, characters: 64 * 1024 }
/** PostgreSQL runs statements in its own process, so fewer are better. */
const LARGE: Portion = { rows: 10_000, characters: 1024 * 1024 }

/**
 * The rows as JSON lists, each for one statement. `weight` is the number of characters that the statement writes for
 * each row besides the row itself.
 */
export function* jsonPortions<Item>(
  { dialect }: Pick<Db, 'dialect'>,
  items: readonly Item[],
  rowOf: (item: Item) => unknown = (item) => item,
  weight = 0,
): Generator<string> {
  const most = dialect.transactionsTakeTurns ? SMALL : LARGE
  let rows: string[] = []
  let characters = 0
  for (const item of items) {
    const row = JSON.stringify(rowOf(item))
    rows.push(row)
    characters += row.length + weight
    if (rows.length < most.rows && characters < most.characters) continue
    yield `[${rows.join()}]`
    rows = []
    characters = 0
  }
  if (rows.length > 0) yield `[${rows.join()}]`
}
