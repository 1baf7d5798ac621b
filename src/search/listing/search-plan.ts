import type { WantedWords } from '../../platform/text/word-terms.ts'
import type { Condition } from '../conditions/condition.ts'
import type { ScanState } from '../conditions/text-conditions.ts'
import type { KnownTexts } from '../text/known-texts.ts'
import type { IndexedOrder } from './indexed-order.ts'

/** How the bugs of a page are found: what plan-search.ts decides, and the functions of this folder carry out. */
export type SearchPlan = MostRelevant | ListingPlan

/** One of these plans fills every page. */
export type ListingPlan = ScanTexts | IdRanges | FirstBugs | AllMatches

interface Planned {
  /** Which bugs match: the SQL, and by which indexes about how many bugs are found. */
  readonly condition: Condition
}

/** The bugs with all words in their summary, in the order of ids. They come first in the order of relevance. */
export interface MostRelevant extends Planned {
  readonly strategy: 'most_relevant'
  readonly words: WantedWords
}

/** SQL finds the bugs that can match, and the texts of these bugs are read and tested outside SQL. */
export interface ScanTexts extends Planned {
  readonly strategy: 'scan_texts'
  readonly scan: ScanState
}

/** The lists of candidates are read in ranges of ids, until the page is full. */
export interface IdRanges extends Planned {
  readonly strategy: 'id_ranges'
  readonly texts: KnownTexts
}

/** The first bugs of the whole table, in the order of the page, are tested. Where they do not fill it, the other plan is carried out. */
export interface FirstBugs extends Planned {
  readonly strategy: 'first_bugs'
  readonly texts: KnownTexts
  readonly order: IndexedOrder
  readonly otherwise: AllMatches
}

/** All bugs that match are found and sorted, by the candidates where there are some. */
export interface AllMatches extends Planned {
  readonly strategy: 'all_matches'
}
