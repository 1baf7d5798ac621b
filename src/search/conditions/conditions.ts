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
  const holds = joinedAs(sql<boolean>`(${sql.join(parts, sql` and `)})`, { all: parts })
  const bugs = gatheredByAll(parts, holds)
  return bugs === undefined ? holds : withCandidates(holds, bugs)
}

export function anyOf(conditions: readonly Condition[]): Condition {
  const parts = conditions.filter((condition) => condition !== never)
  if (parts.includes(always)) return always
  const [first = never, ...more] = parts
  if (more.length === 0) return first
  const holds = joinedAs(sql<boolean>`(${sql.join(parts, sql` or `)})`, { any: parts })
  const found = parts.flatMap((part) => gathered.get(part) ?? [])
  if (found.length < parts.length) return holds
  const lists = found.flatMap((bugs) => bugs.lists.map((list) => withRest(list, bugs.rest)))
  if (lists.length > MOST_LISTS) return holds
  return withCandidates(holds, { lists, about: found.reduce((sum, bugs) => sum + bugs.about, 0) })
}

/** What a condition was made of by allOf, anyOf or not. */
export type Joined = { all: readonly Condition[] } | { any: readonly Condition[] } | { not: Condition }

const joined = new WeakMap<Condition, Joined>()

function joinedAs(condition: Condition, parts: Joined): Condition {
  joined.set(condition, parts)
  return condition
}

export function partsOf(condition: Condition): Joined | undefined {
  return joined.get(condition)
}

/**
 * The bugs that a condition leads to by an index: those of all the lists. An engine does not find them by itself where one of several
 * conditions must hold, or where lists of several have few bugs in common: it would ask more bugs than need be, or all there are.
 */
export interface IndexedCandidates {
  readonly lists: readonly BugList[]
  /** How many they are. */
  readonly about: number
  /** How many there were in each of the lists that were compared to find them. */
  readonly compared?: readonly number[]
  /** What is still to be asked of all of them. */
  readonly rest?: Condition | undefined
  /** The engine begins with them by itself. */
  readonly isDirect?: boolean
}

export interface BugList {
  /** A select of ids, as `id`. */
  readonly ids: Sql
  /** What is still to be asked of the bugs of this list. */
  readonly rest?: Condition | undefined
}

const gathered = new WeakMap<Condition, IndexedCandidates>()

/** A condition that holds for the bugs in a list. */
export function isListed(ids: Sql, about: number): Condition {
  return withCandidates(sql<boolean>`bugs.id in (${ids})`, { lists: [{ ids }], about })
}

/** A condition for which an index leads to the bugs. */
export function withCandidates(condition: Condition, bugs: IndexedCandidates): Condition {
  gathered.set(condition, bugs)
  return condition
}

/** The same condition in a form that an engine plans by itself, and not together with others; see Dialect.plansTogether. */
export function plannedSeparately(condition: Condition): Condition {
  const apart = sql<boolean>`((${condition}) is true)`
  const bugs = gathered.get(condition)
  return bugs === undefined ? apart : withCandidates(apart, bugs)
}

/** About how many bugs a condition leads to. */
export function countGathered(condition: Condition): number | undefined {
  return gathered.get(condition)?.about
}

/** For how many of all bugs the condition is likely to hold, if the lists that lead to them have nothing to do with one another. */
export function countLikely(condition: Condition, all: number): number {
  const { about = all, compared = [about] } = gathered.get(condition) ?? {}
  return compared.reduce((left, length) => left * Math.min(1, length / all), all)
}

/** SQLite joins no more than 500 selects, and each list can be four of them. */
const MOST_LISTS = 100
/** Sooner every bug is asked than so many are listed. */
const MOST_GATHERED = 300_000
/** Sooner a bug is asked for its own than so many are listed to see whether it is among them. */
const MOST_COMPARED = 50_000
/** A few lists leave hardly any bug that has not all that is wanted, and more take long to plan. */
const MOST_COMPARED_WITH = 5
/** Sooner so few bugs are asked than it is looked up in a list whether they are worth it. */
const MANY_TO_ASK = 500

/** The same condition, in a form with which the engine begins with the few bugs that it leads to, if it does. */
export function indexDriven(condition: Condition): Condition {
  const bugs = gathered.get(condition)
  if (bugs === undefined || bugs.isDirect || bugs.about > MOST_GATHERED) return condition
  const [first, ...more] = bugs.lists
  if (more.length > 0) return together([sql<boolean>`bugs.id in (${inAny(bugs.lists.map(answered))})`, bugs.rest])
  return together([sql<boolean>`bugs.id in (${first?.ids})`, first?.rest, bugs.rest])
}

/** The bugs that are in the lists of all the conditions whose lists are not too long; what else is wanted is still to be asked. */
function gatheredByAll(parts: readonly Condition[], holds: Condition): IndexedCandidates | undefined {
  const known = parts.flatMap((part) => {
    const bugs = gathered.get(part)
    return bugs ? [{ part, bugs }] : []
  })
  const [first, ...others] = known.sort((one, other) => one.bugs.about - other.bugs.about)
  if (first === undefined) return undefined
  const { about, isDirect } = first.bugs
  if (isDirect) return { lists: [{ ids: sql`select bugs.id from bugs where ${holds}` }], about, isDirect }
  const compared = others.filter(({ bugs }) => isWorthComparing(bugs, about)).slice(0, MOST_COMPARED_WITH)
  // The longest first: to read a list takes less than to keep it for comparison.
  const used = new Map([first, ...compared].reverse().map(({ part, bugs }) => [part, bugs]))
  const rest = parts.flatMap((part) => (used.has(part) ? (used.get(part)?.rest ?? []) : [part]))
  const lists = compared.length === 0 ? first.bugs.lists : [{ ids: inAll([...used.values()]) }]
  const lengths = [...used.values()].flatMap((bugs) => bugs.compared ?? [bugs.about])
  return { lists, about, compared: lengths, rest: rest.length === 0 ? undefined : together(rest) }
}

function isWorthComparing({ about, lists, isDirect = false }: IndexedCandidates, withSoMany: number) {
  if (isDirect || about > MOST_COMPARED) return false
  return withSoMany >= MANY_TO_ASK || lists.every(({ rest }) => rest === undefined)
}

function inAll([first, ...others]: readonly IndexedCandidates[]): Sql {
  const lists = first?.lists ?? []
  // Each comes with the number of its list where there is something to ask of those in that list, and else with none.
  const numbered = lists.map(
    ({ ids, rest }, place) => sql`select id, ${sql.lit(rest ? place : -1)} as list from (${ids}) as one`,
  )
  const conditions = lists.flatMap(({ rest }, place) =>
    rest ? [sql`(listed.list = ${sql.lit(place)} and ${isAnswered(rest)})`] : [],
  )
  const rows = conditions.length === 0 ? lists.map(({ ids }) => ids) : numbered
  const wanted = [
    ...others.map((bugs) => sql`(${sql.join(bugs.lists.map(isIn), sql` or `)})`),
    ...(conditions.length === 0 ? [] : [sql`(listed.list = -1 or ${sql.join(conditions, sql` or `)})`]),
  ]
  // The limit keeps SQLite from putting the comparison into each part of the first list, where it would gather the others once for each.
  return sql`select listed.id from (${inAny(rows)} limit 2147483647) as listed where ${sql.join(wanted, sql` and `)}`
}

function isIn({ ids, rest }: BugList): Condition {
  return together([sql<boolean>`listed.id in (${ids})`, rest && isAnswered(rest)])
}

function isAnswered(rest: Condition): Condition {
  return sql<boolean>`exists (select 1 from bugs where bugs.id = listed.id and ${rest})`
}

function inAny(lists: readonly Sql[]): Sql {
  return sql`${sql.join(lists, sql` union all `)}`
}

/** The bugs of a list of which nothing is still to be asked. */
function answered({ ids, rest }: BugList): Sql {
  return rest ? sql`select bugs.id from bugs where bugs.id in (${ids}) and ${rest}` : ids
}

function withRest(list: BugList, rest: Condition | undefined): BugList {
  return rest ? { ids: list.ids, rest: together([list.rest, rest]) } : list
}

function together(conditions: readonly (Condition | undefined)[]): Condition {
  return sql<boolean>`(${sql.join(
    conditions.filter((condition) => condition !== undefined),
    sql` and `,
  )})`
}

export function constantCondition(isTrue: boolean): Condition {
  return isTrue ? always : never
}

/** What cannot be told, because something is empty, does not hold; so its opposite does. */
export function not(condition: Condition): Condition {
  if (condition === always) return never
  return condition === never ? always : joinedAs(sql<boolean>`((${condition}) is not true)`, { not: condition })
}

/** Whether the id is one of these. */
export function isOneOf(id: Sql, ids: readonly number[]): Condition {
  if (ids.length === 0) return never
  return ids.length === 1 ? sql`${id} = ${ids[0]}` : sql`${id} in (${sql.join(ids)})`
}
