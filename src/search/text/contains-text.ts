import { sql } from 'kysely'
import type { Dialect } from '../../platform/dialects/dialect.ts'
import { fold } from '../../platform/fold.ts'
import { type Condition, gatheredAs } from '../conditions.ts'
import { type IndexedColumn, type KnownTexts, keyOfPart } from './known-texts.ts'

/** Whether the summary or the whiteboard of the bug has the text somewhere in it, in whatever letter case. */
export function containsText(dialect: Dialect, column: IndexedColumn, given: string, known: KnownTexts): Condition {
  const text = fold(given)
  const contains = dialect.contains(sql.ref(`bugs.${column}_key`), text)
  const part = known.parts.get(keyOfPart({ column, text }))
  const perhaps = part?.ids ? dialect.integersIn(JSON.stringify(part.ids)) : dialect.bugsPerhapsContaining(column, text)
  if (part === undefined || perhaps === undefined) return contains
  const led = sql<boolean>`(bugs.id in (select * from (${perhaps}) as perhaps) and ${contains})`
  return gatheredAs(contains, { ids: sql`select bugs.id from bugs where ${led}`, about: part.about, led })
}
