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
  if (more.length === 0) return first
  const parts = [first, ...more]
  const holds = sql<boolean>`(${sql.join(parts, sql` and `)})`
  const counts = parts.flatMap((part) => gathered.get(part)?.about ?? [])
  if (counts.length === 0) return holds
  return gatheredAs(holds, { ids: sql`select bugs.id from bugs where ${holds}`, about: Math.min(...counts) })
}

export function anyOf(conditions: readonly Condition[]): Condition {
  const [first = never, ...more] = conditions.filter((condition) => condition !== never)
  if (conditions.includes(always)) return always
  if (more.length === 0) return first
  const parts = [first, ...more]
  const found = parts.flatMap((part) => gathered.get(part) ?? [])
  const about = found.reduce((sum, part) => sum + part.about, 0)
  if (found.length < parts.length || about > MOST_GATHERED) return sql`(${sql.join(parts, sql` or `)})`
  return isListed(
    sql`${sql.join(
      found.map((part) => part.ids),
      sql` union all `,
    )}`,
    about,
  )
}

/**
 * The bugs for which a condition holds, where an index leads to them: a select of their ids, and about how many they are. Several such
 * conditions of which one must hold are then one list of ids, which an engine would not make of them by itself: it would ask every bug.
 */
export interface Gathered {
  readonly ids: Sql
  readonly about: number
}

const gathered = new WeakMap<Condition, Gathered>()
/** Sooner every bug is asked than so many are listed. */
const MOST_GATHERED = 300_000

/** A condition that holds for the bugs in a list. */
export function isListed(ids: Sql, about: number): Condition {
  return gatheredAs(sql<boolean>`bugs.id in (${ids})`, { ids, about })
}

/** A condition for which an index leads to the bugs. */
export function gatheredAs(condition: Condition, bugs: Gathered): Condition {
  gathered.set(condition, bugs)
  return condition
}

/** About how many bugs a condition holds for, where an index leads to them. */
export function countGathered(condition: Condition): number | undefined {
  return gathered.get(condition)?.about
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
