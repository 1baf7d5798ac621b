import { type RawBuilder, sql } from 'kysely'
import { PLACES_OF_A_BUG, placeOf } from '../text/words.ts'
import type { IdRange } from './dialect.ts'

/** See words.ts. The result does not fit into 32 bits, so PostgreSQL needs the cast. */
export function firstPlaceOf(bugId: RawBuilder<unknown>) {
  return sql<number>`cast(${bugId} as bigint) * ${sql.lit(PLACES_OF_A_BUG)}`
}

/** The bug whose words are at a position. */
export function bugAt(position: string) {
  return sql<number>`${sql.ref(position)} / ${sql.lit(PLACES_OF_A_BUG)}`
}

/** ` and place …`: limits to the positions of these bugs. */
export function withinRange(position: string, range: IdRange | undefined) {
  if (range === undefined) return sql``
  // JavaScript numbers are bound as floats, which the index of SQLite would not compare with positions.
  const whole = (number: number) => sql`cast(${number} as bigint)`
  return sql` and ${sql.ref(position)} >= ${whole(placeOf(range.from, 0))} and ${sql.ref(position)} < ${whole(placeOf(range.to + 1, 0))}`
}

/** ` and id …`: limits to these bugs. */
export function amongBugs(id: string, range: IdRange | undefined) {
  if (range === undefined) return sql``
  return sql` and ${sql.ref(id)} >= cast(${range.from} as bigint) and ${sql.ref(id)} <= cast(${range.to} as bigint)`
}
