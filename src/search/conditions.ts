import { type RawBuilder, sql } from 'kysely'

/** A piece of SQL, with every value in it bound. */
export type Sql = RawBuilder<unknown>
/** A piece of SQL that holds or does not. */
export type Condition = RawBuilder<boolean>

export const always: Condition = sql`1 = 1`
export const never: Condition = sql`1 = 0`

export function allOf(conditions: readonly Condition[]): Condition {
  const parts = conditions.filter((condition) => condition !== always)
  if (parts.includes(never)) return never
  const [first = always, ...more] = parts
  if (more.length === 0) return first
  const holds = sql<boolean>`(${sql.join(parts, sql` and `)})`
  const narrowest = narrowestOf(parts)
  if (narrowest === undefined) return holds
  const { about } = gatheredBy(narrowest)
  const led = allLed(parts, narrowest)
  return gatheredAs(holds, { ids: sql`select bugs.id from bugs where ${led}`, about, led })
}

export function anyOf(conditions: readonly Condition[]): Condition {
  const parts = conditions.filter((condition) => condition !== never)
  if (parts.includes(always)) return always
  const [first = never, ...more] = parts
  if (more.length === 0) return first
  const holds = sql<boolean>`(${sql.join(parts, sql` or `)})`
  const found = parts.flatMap((part) => gathered.get(part) ?? [])
  if (found.length < parts.length) return holds
  const ids = sql.join(
    found.map((part) => part.ids),
    sql` union all `,
  )
  return gatheredAs(holds, { ids: sql`${ids}`, about: found.reduce((sum, part) => sum + part.about, 0) })
}

/**
 * The bugs for which a condition holds, where an index leads to them. An engine does not find them by itself where one of several
 * conditions must hold: it would ask every bug.
 */
export interface Gathered {
  /** A select of their ids. */
  readonly ids: Sql
  readonly about: number
  /** The condition in such a form that the engine begins with these bugs; where there is none, the list of them is. */
  readonly led?: Condition
}

const gathered = new WeakMap<Condition, Gathered>()

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

/** Sooner every bug is asked than so many are listed. */
const MOST_GATHERED = 300_000

/** The same condition, in a form with which the engine begins with the few bugs that an index leads to, if one does. */
export function led(condition: Condition): Condition {
  const bugs = gathered.get(condition)
  return bugs === undefined || bugs.about > MOST_GATHERED ? condition : ledBy(bugs)
}

function ledBy({ ids, led }: Gathered): Condition {
  return led ?? sql<boolean>`bugs.id in (${ids})`
}

/** Begins with the bugs of one of the conditions; of these the others are asked. */
function allLed(parts: readonly Condition[], first: Condition): Condition {
  const others = parts.filter((part) => part !== first)
  return sql<boolean>`(${sql.join([ledBy(gatheredBy(first)), ...others], sql` and `)})`
}

function narrowestOf(parts: readonly Condition[]): Condition | undefined {
  const known = parts.filter((part) => gathered.has(part))
  return known.sort((one, other) => gatheredBy(one).about - gatheredBy(other).about)[0]
}

function gatheredBy(condition: Condition): Gathered {
  return gathered.get(condition) as Gathered
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
