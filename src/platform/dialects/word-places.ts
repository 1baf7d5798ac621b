import { type RawBuilder, sql } from 'kysely'
import { PLACES_OF_A_BUG } from '../words.ts'

/** See words.ts. No 32 bits hold it, which PostgreSQL wants to be told. */
export function firstPlaceOf(bugId: RawBuilder<unknown>) {
  return sql<number>`cast(${bugId} as bigint) * ${sql.lit(PLACES_OF_A_BUG)}`
}

/** The bug whose words are kept in a place. */
export function bugAt(place: string) {
  return sql<number>`${sql.ref(place)} / ${sql.lit(PLACES_OF_A_BUG)}`
}
