import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../../platform/dialects/dialect.ts'
import { fold } from '../../platform/fold.ts'
import type { KnownTexts } from './known-texts.ts'

/** Whether the summary or the whiteboard of the bug has the text somewhere in it, in whatever letter case. */
export function containsText(
  dialect: Dialect,
  column: 'summary' | 'whiteboard',
  text: string,
  known: KnownTexts,
  alias = 'bugs',
): RawBuilder<boolean> {
  const part = fold(text)
  const contains = dialect.contains(sql.ref(`${alias}.${column}_key`), part)
  const few = known.fewBugs.get(part)
  if (few === undefined) return contains
  return sql<boolean>`(${sql.ref(`${alias}.id`)} in ${dialect.integersIn(JSON.stringify(few))} and ${contains})`
}
