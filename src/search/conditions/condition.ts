import { type Expression, type RawBuilder, sql } from 'kysely'
import type { TextTest } from '../../platform/dialects/text-tests.ts'

/** A piece of SQL, with every value in it bound. */
export type Sql = RawBuilder<unknown>

/**
 * SQL that holds for a bug or does not, with what the planner knows about it. It stands in SQL like any other expression. Plain SQL is a
 * condition of which nothing more is known.
 */
export interface Condition extends Expression<boolean>, ConditionFacts {}

/** What is known about a condition besides its SQL. */
export interface ConditionFacts {
  /** What allOf, anyOf or not made it of. */
  readonly parts?: ConditionParts
  /** The bugs that indexes find for it. */
  readonly candidates?: IndexedCandidates
  /** It selects from other rows than those of bugs, so that an engine may plan it together with others; see compile.ts. */
  readonly hasSubquery?: boolean
  /** What it asks of one text, on an engine that does not test texts itself; see text-conditions.ts. */
  readonly textTest?: TestedText
  /** Set where texts are read outside SQL to decide it: it holds for none but the bugs of this condition. */
  readonly scannedAmong?: Condition
}

export type ConditionParts =
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition }

export interface TestedText {
  readonly text: Sql
  readonly test: TextTest
}

/**
 * The bugs that indexes find for a condition: those of all the lists. An engine does not find them by itself where one of several
 * conditions must hold, or where several lists have few bugs in common: it would test more bugs than needed, or all of them.
 */
export interface IndexedCandidates {
  readonly lists: readonly CandidateList[]
  /** About how many they are. */
  readonly estimate: number
  /** About how long each of the lists is that are intersected to find them. */
  readonly intersected?: readonly number[]
  /** What all of them must still be tested for. */
  readonly rest?: Condition | undefined
  /** The engine starts with them by itself. */
  readonly isDirect?: boolean
}

export interface CandidateList {
  /** A select of ids, as `id`. */
  readonly ids: Sql
  /** What the bugs of this list must still be tested for. */
  readonly rest?: Condition | undefined
}

export const always: Condition = sql<boolean>`1 = 1`
export const never: Condition = sql<boolean>`1 = 0`

export function constantCondition(isTrue: boolean): Condition {
  return isTrue ? always : never
}

/** A condition that selects from other rows than those of bugs. */
export function withSubquery(condition: Condition): Condition {
  return withFacts(condition, { hasSubquery: true })
}

/** The same SQL, with more facts. */
export function withFacts(condition: Condition, facts: ConditionFacts): Condition {
  const { parts, candidates, hasSubquery, textTest, scannedAmong } = condition
  return {
    ...(parts && { parts }),
    ...(candidates && { candidates }),
    ...(hasSubquery && { hasSubquery }),
    ...(textTest && { textTest }),
    ...(scannedAmong && { scannedAmong }),
    ...facts,
    expressionType: undefined,
    toOperationNode: () => condition.toOperationNode(),
  }
}
