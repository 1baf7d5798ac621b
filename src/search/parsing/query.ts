/**
 * A query as data. The parsers (parse-url.ts, quicksearch.ts) write it, and compile.ts turns it into SQL. Fields have Bugzilla's names
 * (`short_desc`, `bug_status`; see searchable-fields.ts). Values are text as sent: only the compiler looks up users and understands pronouns
 * such as `%user%` and relative dates such as `-2w`.
 */
export type Query = All | Any | Not | SameItem | Criterion

/** Every part holds. Without parts, every bug matches. */
export interface All {
  readonly all: readonly Query[]
}

/** At least one part holds. Without parts, no bug matches. */
export interface Any {
  readonly any: readonly Query[]
}

export interface Not {
  readonly not: Query
}

/**
 * All criteria hold for the same item: one comment, attachment, flag or entry of the history. Criteria on different kinds of items hold for
 * one item of each kind. The search form calls it AND_G.
 */
export interface SameItem {
  readonly sameItem: readonly Criterion[]
}

/** One line of the search form. */
export interface Criterion {
  /** Bugzilla's name of the field, such as `short_desc`, `flagtypes.name` or `cf_colour`. */
  readonly field: string
  readonly operator: OperatorName
  /**
   * Text as sent, which operators for lists (`anyexact`, `anywords` …) split themselves; or a list, whose values are not split, because they
   * may contain commas and spaces. `isempty`, `isnotempty` and `everchanged` ignore it.
   */
  readonly value: string | readonly string[]
  /** The parameter with the value, for error messages. Without it, they name the field. */
  readonly sentAs?: string
}

/** Every operator of the search form, under the name that clients send. */
export const OPERATOR_NAMES = [
  'equals',
  'notequals',
  'anyexact',
  'substring',
  'notsubstring',
  'casesubstring',
  'anywordssubstr',
  'allwordssubstr',
  'nowordssubstr',
  'anywords',
  'allwords',
  'nowords',
  'regexp',
  'notregexp',
  'lessthan',
  'lessthaneq',
  'greaterthan',
  'greaterthaneq',
  'matches',
  'notmatches',
  'changedbefore',
  'changedafter',
  'changedfrom',
  'changedto',
  'changedby',
  'everchanged',
  'isempty',
  'isnotempty',
] as const

export type OperatorName = (typeof OPERATOR_NAMES)[number]

export function isOperatorName(name: string): name is OperatorName {
  return (OPERATOR_NAMES as readonly string[]).includes(name)
}

/** A query with the order of its results. */
export interface Search {
  readonly where: Query
  /** Bugs that are equal in all of these are sorted by id. */
  readonly order: readonly Sort[]
}

/** One column to sort by, under the name that the search form has for it: `opendate`, `changeddate`, `bug_severity`, `relevance` … */
export interface Sort {
  readonly column: string
  readonly descending: boolean
}

/** The query that every bug matches. */
export const everyBug: Query = { all: [] }

/** All criteria in a query. */
export function criteriaIn(query: Query): readonly Criterion[] {
  if ('all' in query) return query.all.flatMap(criteriaIn)
  if ('any' in query) return query.any.flatMap(criteriaIn)
  if ('not' in query) return criteriaIn(query.not)
  return 'sameItem' in query ? query.sameItem : [query]
}
