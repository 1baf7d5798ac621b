import type { SearchWords } from '../../platform/text/word-terms.ts'
import type { Condition, IndexedCandidates } from '../conditions/condition.ts'
import type { ScanState } from '../conditions/text-conditions.ts'
import type { KnownTexts } from '../text/known-texts.ts'
import type { IndexedOrder } from './indexed-order.ts'

/** How bugs are found or counted: what plan-search.ts decides, and the functions of this folder carry out. */
export type SearchPlan = ByColumns | ByTexts | MostRelevant | FirstBugs | ListingPlan | CountMatches

/** One of these plans fills every page. */
export type ListingPlan = ScanTexts | IdRanges | FirstBugsOrAll | FirstCandidates | AllMatches

interface Planned {
  /** Which bugs match: the SQL, by which indexes candidates are found, and about how many. */
  readonly condition: Condition
  /** What was counted of the words and texts that are searched for. */
  readonly texts: KnownTexts
  /** The comparisons that led to this plan. */
  readonly decisions: readonly ThresholdDecision[]
}

/** A comparison with a threshold of thresholds.ts. */
export interface ThresholdDecision {
  readonly threshold: string
  readonly limit: number
  readonly actual: number
}

/** Indexes of columns find few bugs, or have the order: one statement tests and reads them; see column-search.ts. */
export interface ByColumns {
  readonly strategy: 'by_columns'
  readonly decisions: readonly ThresholdDecision[]
}

/** Indexes of texts find few bugs, or enough of the first ones; see by-texts. */
export interface ByTexts {
  readonly strategy: 'by_texts'
  readonly decisions: readonly ThresholdDecision[]
}

/** The bugs with all words in their summary, in the order of ids. They come first in the order of relevance. */
export interface MostRelevant extends Planned {
  readonly strategy: 'most_relevant'
  readonly words: SearchWords
}

/** SQL finds the bugs that can match, and the texts of these bugs are read and tested outside SQL. */
export interface ScanTexts extends Planned {
  readonly strategy: 'scan_texts'
  readonly scan: ScanState
}

/** The lists of candidates are read in ranges of ids, until the page is full. */
export interface IdRanges extends Planned {
  readonly strategy: 'id_ranges'
}

/** The first bugs of the whole table, in the order of the page, are tested. */
export interface FirstBugs extends Planned {
  readonly strategy: 'first_bugs'
  readonly order: IndexedOrder
}

/** If they do not fill it, the other plan is carried out. */
export interface FirstBugsOrAll extends FirstBugs {
  readonly otherwise: AllMatches
}

/** The first candidates, in the order of the page, are tested. If they do not fill it, the other plan is carried out. */
export interface FirstCandidates extends Planned {
  readonly strategy: 'first_candidates'
  readonly candidates: IndexedCandidates
  readonly order: IndexedOrder
  /** How many are tested. */
  readonly most: number
  readonly otherwise: AllMatches
}

/** All bugs that match are found and sorted, by the candidates where there are some. */
export interface AllMatches extends Planned {
  readonly strategy: 'all_matches'
}

/** All bugs that match are counted. */
export interface CountMatches extends Planned {
  readonly strategy: 'count_matches'
}
