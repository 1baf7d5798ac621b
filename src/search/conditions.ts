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
  return more.length === 0 ? first : sql`(${sql.join([first, ...more], sql` and `)})`
}

export function anyOf(conditions: readonly Condition[]): Condition {
  const [first = never, ...more] = conditions.filter((condition) => condition !== never)
  if (conditions.includes(always)) return always
  return more.length === 0 ? first : sql`(${sql.join([first, ...more], sql` or `)})`
}

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
