import { type RawBuilder, sql } from 'kysely'

/** A piece of SQL, with every value in it bound. */
export type Sql = RawBuilder<unknown>
/** A piece of SQL that holds or does not. */
export type Condition = RawBuilder<boolean>

export const always: Condition = sql`1 = 1`
export const never: Condition = sql`1 = 0`

export function allOf(conditions: readonly Condition[]): Condition {
  const [first = always, ...more] = conditions.filter((condition) => condition !== always)
  if (conditions.includes(never)) return never
  return more.length === 0 ? first : joined([first, ...more], sql` and `)
}

export function anyOf(conditions: readonly Condition[]): Condition {
  const [first = never, ...more] = conditions.filter((condition) => condition !== never)
  if (conditions.includes(always)) return always
  return more.length === 0 ? first : joined([first, ...more], sql` or `)
}

/** Halves of halves, because an engine reads only so many brackets within each other, and takes a long row for as many. */
function joined(conditions: readonly Condition[], word: Sql): Condition {
  if (conditions.length <= MOST_IN_A_ROW) return sql`(${sql.join(conditions, word)})`
  const middle = Math.ceil(conditions.length / 2)
  return sql`(${joined(conditions.slice(0, middle), word)}${word}${joined(conditions.slice(middle), word)})`
}

const MOST_IN_A_ROW = 8

export function holdsIf(isTrue: boolean): Condition {
  return isTrue ? always : never
}

/** What cannot be told, because something is empty, does not hold; so its opposite does. */
export function not(condition: Condition): Condition {
  if (condition === always) return never
  return condition === never ? always : sql`((${condition}) is not true)`
}

/** Whether the id is one of these. */
export function isOneOf(id: Sql, ids: readonly number[]): Condition {
  if (ids.length === 0) return never
  return ids.length === 1 ? sql`${id} = ${ids[0]}` : sql`${id} in (${sql.join(ids)})`
}
