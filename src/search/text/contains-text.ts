import { sql } from 'kysely'
import type { Dialect } from '../../platform/dialects/dialect.ts'
import { fold } from '../../platform/fold.ts'
import { type Condition, isListed } from '../conditions.ts'
import { type IndexedColumn, type KnownTexts, keyOfPart } from './known-texts.ts'

/** Whether the summary or the whiteboard of the bug has the text somewhere in it, in whatever letter case. */
export function containsText(dialect: Dialect, column: IndexedColumn, given: string, known: KnownTexts): Condition {
  const text = fold(given)
  const few = known.fewBugs.get(keyOfPart({ column, text }))
  if (few === undefined) return dialect.contains(sql.ref(`bugs.${column}_key`), text)
  return isListed(sql`select * from ${dialect.integersIn(JSON.stringify(few))} as listed`, few.length)
}
