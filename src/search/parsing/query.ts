/**
 * What was asked, before it is SQL. The parsers (parse-url.ts, quicksearch.ts) write it, compile.ts reads it, and nothing in it has been
 * looked up: names are the original's (`short_desc`, `bug_status`; see searchable-fields.ts), and values are the text that was given.
 * Pronouns such as `%user%`, relative dates such as `-2w` and names of people are understood by the compiler alone.
 */
export type Query = All | Any | Not | SameItem | Criterion

/** Every part holds; with no parts, every bug answers. */
export interface All {
  readonly all: readonly Query[]
}

/** Some part holds; with no parts, no bug answers. */
export interface Any {
  readonly any: readonly Query[]
}

export interface Not {
  readonly not: Query
}

/**
 * All of the criteria hold for one and the same item: one comment, one attachment, one flag, one entry of the history. Criteria on
 * different kinds of items (a comment and an entry of the history) hold for one item of each kind. The search form calls it AND_G.
 */
export interface SameItem {
  readonly sameItem: readonly Criterion[]
}

/** One line of the search form. */
export interface Criterion {
  /** The original's name of the field, such as `short_desc`, `flagtypes.name` or `cf_colour`. */
  readonly field: string
  readonly operator: OperatorName
  /**
   * Text as it was given, which operators with a list (`anyexact`, `anywords` …) take apart themselves; or a list whose values are not
   * taken apart any further, so that they may hold commas and spaces. `isempty`, `isnotempty` and `everchanged` do not look at it.
   */
  readonly value: string | readonly string[]
  /** The parameter that the value was sent in, for errors; where it is not known, they name the field. */
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

/** A question with the order in which its answers are wanted. */
export interface Search {
  readonly where: Query
  /** Bugs that are alike in all of these come by id. */
  readonly order: readonly Sort[]
}

/** One column to sort by, under the name that the search form has for it: `opendate`, `changeddate`, `bug_severity`, `relevance` … */
export interface Sort {
  readonly column: string
  readonly descending: boolean
}

/** The question that every bug answers. */
export const everyBug: Query = { all: [] }

/** The criteria in a question, wherever they stand in it. */
export function criteriaIn(query: Query): readonly Criterion[] {
  if ('all' in query) return query.all.flatMap(criteriaIn)
  if ('any' in query) return query.any.flatMap(criteriaIn)
  if ('not' in query) return criteriaIn(query.not)
  return 'sameItem' in query ? query.sameItem : [query]
}
