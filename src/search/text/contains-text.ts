import { sql } from 'kysely'
import type { IndexedColumn } from '../../platform/database/tables.ts'
import type { Dialect } from '../../platform/dialects/dialect.ts'
import { fold } from '../../platform/text/fold.ts'
import { type Condition, withFacts } from '../conditions/condition.ts'
import { type KnownTexts, keyOfPart } from './known-texts.ts'

/** Whether a text of the bug contains the text, case-insensitively. */
export function containsText(dialect: Dialect, column: IndexedColumn, input: string, known: KnownTexts): Condition {
  const text = fold(input)
  const contains = dialect.contains(sql.ref(`bugs.${column}_key`), text)
  const part = known.parts.get(keyOfPart({ column, text }))
  if (part === undefined) return contains
  const ids = part.ids
    ? sql`select id from ${dialect.integersIn(JSON.stringify(part.ids))} as listed`
    : dialect.bugsWithPieces(column, part.pieces, known.range)
  return withFacts(contains, { candidates: { lists: [{ ids, rest: contains }], estimate: part.estimate } })
}
