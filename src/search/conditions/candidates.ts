import { sql } from 'kysely'
import {
  FEW_CANDIDATES_TO_TEST,
  LONGEST_INTERSECTED_LIST,
  MOST_CANDIDATES,
  MOST_LISTS,
  MOST_LISTS_INTERSECTED,
} from '../thresholds.ts'
import { type CandidateList, type Condition, type IndexedCandidates, type Sql, withFacts } from './condition.ts'

/** A condition that holds for the bugs in a list. */
export function isListed(ids: Sql, estimate: number): Condition {
  return withFacts(sql<boolean>`bugs.id in (${ids})`, {
    candidates: { lists: [{ ids }], estimate },
    hasSubquery: true,
  })
}

/** For how many of all bugs the condition is likely to hold, if the lists that are intersected are independent of each other. */
export function countLikely({ candidates }: Condition, all: number): number {
  const { estimate = all, intersected = [estimate] } = candidates ?? {}
  return intersected.reduce((left, length) => left * Math.min(1, length / all), all)
}

/** The same condition in a form with which the engine starts with the bugs that indexes find, where they are few enough. */
export function indexDriven(condition: Condition): Condition {
  const { candidates } = condition
  if (candidates === undefined || !isIndexDriven(candidates)) return condition
  const [first, ...more] = candidates.lists
  if (more.length > 0)
    return join([sql<boolean>`bugs.id in (${unionOf(candidates.lists.map(tested))})`, candidates.rest])
  return join([sql<boolean>`bugs.id in (${first?.ids})`, first?.rest, candidates.rest])
}

/** The ids of all candidates. Not all of these bugs match. */
export function idsOfCandidates({ lists }: IndexedCandidates): Sql {
  return unionOf(lists.map(({ ids }) => ids))
}

export function isIndexDriven({ estimate, isDirect = false }: IndexedCandidates): boolean {
  return !isDirect && estimate <= MOST_CANDIDATES
}

/** Where one of the conditions must hold: the bugs of all their lists, if each of them has some. */
export function candidatesOfAny(parts: readonly Condition[]): IndexedCandidates | undefined {
  const each = parts.flatMap(({ candidates }) => candidates ?? [])
  if (each.length < parts.length) return undefined
  const lists = each.flatMap((candidates) => candidates.lists.map((list) => withRest(list, candidates.rest)))
  if (lists.length > MOST_LISTS) return undefined
  return { lists, estimate: each.reduce((sum, { estimate }) => sum + estimate, 0) }
}

/**
 * Where all of the conditions must hold: the bugs that are in the lists of every condition whose lists are short enough. They must still
 * be tested for the other conditions. `holds` is the SQL of all of them.
 */
export function candidatesOfAll(parts: readonly Condition[], holds: Sql): IndexedCandidates | undefined {
  const known = parts.flatMap((part) => (part.candidates ? [{ part, candidates: part.candidates }] : []))
  const [first, ...others] = known.sort((one, other) => one.candidates.estimate - other.candidates.estimate)
  if (first === undefined) return undefined
  const { estimate, isDirect } = first.candidates
  if (isDirect) return { lists: [{ ids: sql`select bugs.id from bugs where ${holds}` }], estimate, isDirect }
  const compared = others
    .filter(({ candidates }) => isWorthIntersecting(candidates, estimate))
    .slice(0, MOST_LISTS_INTERSECTED)
  // The longest first: reading a list takes less time than keeping it for comparison.
  const used = new Map([first, ...compared].reverse().map(({ part, candidates }) => [part, candidates]))
  const rest = parts.flatMap((part) => (used.has(part) ? (used.get(part)?.rest ?? []) : [part]))
  const lists = compared.length === 0 ? first.candidates.lists : [{ ids: intersectionOf([...used.values()]) }]
  const intersected = [...used.values()].flatMap((candidates) => candidates.intersected ?? [candidates.estimate])
  return { lists, estimate, intersected, rest: rest.length === 0 ? undefined : join(rest) }
}

function isWorthIntersecting({ estimate, lists, isDirect = false }: IndexedCandidates, shortest: number) {
  if (isDirect || estimate > LONGEST_INTERSECTED_LIST) return false
  return shortest >= FEW_CANDIDATES_TO_TEST || lists.every(({ rest }) => rest === undefined)
}

function intersectionOf([first, ...others]: readonly IndexedCandidates[]): Sql {
  const lists = first?.lists ?? []
  // A bug comes with the number of its list if that list has a rest to test, and with -1 otherwise.
  const numbered = lists.map(
    ({ ids, rest }, index) => sql`select id, ${sql.lit(rest ? index : -1)} as list from (${ids}) as one`,
  )
  const conditions = lists.flatMap(({ rest }, index) =>
    rest ? [sql`(listed.list = ${sql.lit(index)} and ${isTrueOfListed(rest)})`] : [],
  )
  const rows = conditions.length === 0 ? lists.map(({ ids }) => ids) : numbered
  const wanted = [
    ...others.map((candidates) => sql`(${sql.join(candidates.lists.map(isIn), sql` or `)})`),
    ...(conditions.length === 0 ? [] : [sql`(listed.list = -1 or ${sql.join(conditions, sql` or `)})`]),
  ]
  // The limit keeps SQLite from moving the comparison into each part of the first list, where it would read the other lists once for each.
  return sql`select listed.id from (${unionOf(rows)} limit 2147483647) as listed where ${sql.join(wanted, sql` and `)}`
}

function isIn({ ids, rest }: CandidateList): Condition {
  return join([sql<boolean>`listed.id in (${ids})`, rest && isTrueOfListed(rest)])
}

function isTrueOfListed(rest: Condition): Condition {
  return sql<boolean>`exists (select 1 from bugs where bugs.id = listed.id and ${rest})`
}

function unionOf(lists: readonly Sql[]): Sql {
  return sql`${sql.join(lists, sql` union all `)}`
}

/** The bugs of a list for which its rest holds. */
function tested({ ids, rest }: CandidateList): Sql {
  return rest ? sql`select bugs.id from bugs where bugs.id in (${ids}) and ${rest}` : ids
}

function withRest(list: CandidateList, rest: Condition | undefined): CandidateList {
  return rest ? { ids: list.ids, rest: join([list.rest, rest]) } : list
}

/** Plain SQL, without facts: it is only written into lists. */
function join(conditions: readonly (Condition | undefined)[]): Condition {
  return sql<boolean>`(${sql.join(
    conditions.filter((condition) => condition !== undefined),
    sql` and `,
  )})`
}
