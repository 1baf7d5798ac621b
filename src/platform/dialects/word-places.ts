import { type RawBuilder, sql } from 'kysely'
import { PLACES_OF_A_BUG, placeOf } from '../text/words.ts'
import type { IdRange } from './dialect.ts'

/** See words.ts. No 32 bits hold it, which PostgreSQL wants to be told. */
export function firstPlaceOf(bugId: RawBuilder<unknown>) {
  return sql<number>`cast(${bugId} as bigint) * ${sql.lit(PLACES_OF_A_BUG)}`
}

/** The bug whose words are kept in a place. */
export function bugAt(place: string) {
  return sql<number>`${sql.ref(place)} / ${sql.lit(PLACES_OF_A_BUG)}`
}

/** ` and place …`: the places of these bugs alone. */
export function within(place: string, range: IdRange | undefined) {
  if (range === undefined) return sql``
  // Given as numbers of JavaScript, which are none that the index of SQLite would compare places with.
  const whole = (number: number) => sql`cast(${number} as bigint)`
  return sql` and ${sql.ref(place)} >= ${whole(placeOf(range.from, 0))} and ${sql.ref(place)} < ${whole(placeOf(range.to + 1, 0))}`
}

/** ` and id …`: these bugs alone. */
export function amongBugs(id: string, range: IdRange | undefined) {
  if (range === undefined) return sql``
  return sql` and ${sql.ref(id)} >= cast(${range.from} as bigint) and ${sql.ref(id)} <= cast(${range.to} as bigint)`
}
