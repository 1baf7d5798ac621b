import { sql } from 'kysely'
import { candidatesOfAll, candidatesOfAny } from './candidates.ts'
import { always, type Condition, never, type Sql, withFacts } from './condition.ts'

export function allOf(conditions: readonly Condition[]): Condition {
  const parts = conditions.filter((condition) => condition !== always)
  if (parts.includes(never)) return never
  const [first = always, ...more] = parts
  if (more.length === 0) return first
  const holds = sql<boolean>`(${sql.join(parts, sql` and `)})`
  const candidates = candidatesOfAll(parts, holds)
  return withFacts(holds, { parts: { all: parts }, ...(candidates && { candidates }), ...subqueriesIn(parts) })
}

export function anyOf(conditions: readonly Condition[]): Condition {
  const parts = conditions.filter((condition) => condition !== never)
  if (parts.includes(always)) return always
  const [first = never, ...more] = parts
  if (more.length === 0) return first
  const candidates = candidatesOfAny(parts)
  const holds = sql<boolean>`(${sql.join(parts, sql` or `)})`
  return withFacts(holds, { parts: { any: parts }, ...(candidates && { candidates }), ...subqueriesIn(parts) })
}

/** A condition that is null, because something is empty, does not hold; so its opposite holds. */
export function not(condition: Condition): Condition {
  if (condition === always) return never
  if (condition === never) return always
  return withFacts(sql<boolean>`((${condition}) is not true)`, {
    parts: { not: condition },
    ...subqueriesIn([condition]),
  })
}

function subqueriesIn(parts: readonly Condition[]) {
  return parts.some(({ hasSubquery }) => hasSubquery) ? { hasSubquery: true } : {}
}

/** The same condition in a form that an engine plans by itself, and not together with others; see Dialect.plansTogether. */
export function plannedSeparately(condition: Condition): Condition {
  const { candidates } = condition
  return withFacts(sql<boolean>`((${condition}) is true)`, candidates ? { candidates } : {})
}

/** Whether the id is one of these. */
export function isOneOf(id: Sql, ids: readonly number[]): Condition {
  if (ids.length === 0) return never
  return ids.length === 1 ? sql`${id} = ${ids[0]}` : sql`${id} in (${sql.join(ids)})`
}
