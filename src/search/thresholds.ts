// Every number by which a search is planned. Each says what it decides and where the value comes from. `npm run bench -- search` measures
// searches. "Set with the bench" means: set when searches among a million bugs were made faster, but no figures were recorded.
// What a search may contain at most is in search-limits.ts.

// Which strategy lists a page; see listing/search-plan.ts.

/** A page (offset included) with more bugs is listed from all matches, because the first bugs would hardly fill it. Chosen, not measured. */
export const LONGEST_PAGE = 1000

/**
 * From this number of bugs on that have all words in their summary, a page by relevance is tried. Ranking all bugs with a word that half of them
 * have took half a minute among 200,000 bugs. The value is chosen, not measured.
 */
export const MOST_RELEVANT_BUGS = 3000

/** From this estimate on, lists of candidates are read in ranges of ids until the page is full. Set with the bench. */
export const MANY_CANDIDATES_FOR_RANGES = 2000

/** Below this estimate, finding and sorting all candidates takes no longer than testing the first bugs. Chosen, not measured; was 10,000. */
export const MANY_CANDIDATES_TO_SORT = 30_000

/** From this estimate on, the first candidates in the order of the page are tested before all of them. Chosen, not measured. */
export const MANY_CANDIDATES_TO_TEST = 5000

/** So many are tested first. Testing each of 16,000 candidates took 400 ms where testing so many took 20. */
export const CANDIDATES_TESTED_FIRST = 400

/** A page is tried if there are so many tested candidates for each of its bugs. Chosen, not measured. */
export const CANDIDATES_FOR_A_BUG = 3

/** How many of the first bugs are tested, in turn, before all matches are found and sorted. Chosen, not measured. */
export const FIRST_BUGS_TESTED: readonly number[] = [1000, 10_000]

/** The same where each is tested for common words: that takes a hundred times as long as any other test of a bug. */
export const FIRST_BUGS_TESTED_FOR_WORDS: readonly number[] = [300]

/**
 * The same on an engine that reads in order, where so many are likely to fill the page. On PostgreSQL testing 1000 bugs for words took 60 ms
 * among 200,000. Was up to 5000, which took longer than listing all bugs with a word that one of a hundred has.
 */
export const FIRST_BUGS_TESTED_UNCOUNTED: readonly number[] = [200, 1000]

/** A longer page (offset included) is not tried before anything is counted. Chosen, not measured: a page of a list has 100. */
export const LONGEST_PAGE_UNCOUNTED = 200

/** How much wider than expected a range of ids is, so that one more range is seldom needed. Chosen, not measured. */
export const RANGE_MARGIN = 1.25

/** A range is at most as many times as wide as all ranges before it: few bugs say little about many. Chosen, not measured. */
export const RANGE_GROWTH = 2

/**
 * A search by columns (see column-search.ts) may have so many ids of each. Chosen, not measured: forms send a few, and a list
 * of any status has about ten.
 */
export const MOST_IDS_IN_COLUMN = 64

/** A longer page is not read with one statement, because all lists of all its bugs would be read at once. Other reads take 50 as well. */
export const LONGEST_PAGE_BY_COLUMNS = 50

/** A search by texts (see by-texts) may look for so many. Chosen, not measured: each word of a quicksearch is four. */
export const MOST_TEXTS_LISTED = 24

/**
 * So many ids of each list are read, unless fewer fill the page. Reading 1,000 places of a word took 0.2 ms on SQLite among 20,000 and among
 * 200,000 bugs.
 */
export const IDS_LISTED = 1000

/** A longer page (offset included) is not listed by texts. Chosen, not measured: a page of a list has at most 100. */
export const LONGEST_PAGE_BY_TEXTS = 100

// How candidates are joined; see conditions/candidates.ts.

/** With more lists, the bugs of any of them are not listed: SQLite joins at most 500 selects, and each list can be four of them. */
export const MOST_LISTS = 100

/** With a larger estimate, all bugs are tested instead of listing the candidates. Chosen, not measured. */
export const MOST_CANDIDATES = 300_000

/** A longer list is not intersected with others: each bug is tested instead. Set with the bench. */
export const LONGEST_INTERSECTED_LIST = 50_000

/** Five lists leave hardly any bug that does not match, and more take long to plan. PostgreSQL planned 500 terms for minutes. */
export const MOST_LISTS_INTERSECTED = 5

/** Below this estimate, testing the candidates takes less time than a list whose bugs must be tested as well. Set with the bench. */
export const FEW_CANDIDATES_TO_TEST = 500

// How criteria become SQL; see conditions/compile.ts.

/** Up to this number of terms, PostgreSQL plans all subqueries together, which gives the best plan. It took minutes with 500. */
export const MOST_TERMS_PLANNED_TOGETHER = 6

/** Up to this number of ids are written into the SQL; with more, the SQL looks the name up itself. Chosen, not measured. */
export const MOST_IDS_IN_SQL = 100

// Estimates where nothing is counted. All of them are chosen, not measured.

/** The bugs that one user has filed or is assigned. */
export const BUGS_OF_A_PERSON = 5000
/** The bugs with a keyword, or with changes or comments of one user. */
export const BUGS_WITH_AN_ITEM = 5000
/** The bugs with an item of a kind of which there are few, such as an alias. */
export const BUGS_WITH_A_RARE_ITEM = 100
/**
 * Up to so many changes, a search in the history of a field starts with all of them. Counting them takes 0.1 ms. Without it, SQLite tested
 * all bugs where few match: 1.2 s for any change of a field that was never changed, among a million.
 */
export const FEW_CHANGES_OF_A_FIELD = 1000
/** The bugs with a word whose places are not counted. */
export const BUGS_WITH_A_WORD = 10_000

// How words and parts of texts are looked for; see text/known-texts.ts.

/**
 * A term with so many places is common: a few bugs are tested for it instead of listing all bugs that have it. Listing 100,000 took some
 * tens of milliseconds on SQLite. Was 10,000 on PostgreSQL, where a quicksearch of two words took three times as long.
 */
export const COMMON_TERM_PLACES = 50_000

/**
 * This number of places of a term is counted, and the rest is estimated from the share of bugs that they are spread over. Counting up to 50,000
 * took most of the time among a million bugs. On PostgreSQL nothing is counted: its planner estimates how many places there are (0.4 ms, where
 * counting 10,000 took 32 to 66).
 */
export const PLACES_COUNTED = 500

/** Up to this number of bugs with a part of a text are written into the SQL as ids. Chosen, not measured; was 5,000. */
export const MOST_IDS_WITH_A_PART = 2000

/** From this number of bugs on that may have a part of a text, the index of parts is not used. Chosen, not measured. */
export const MANY_BUGS_WITH_A_PART = 10_000

/** A text is looked for by its two rarest pieces: looking for all takes longer than testing a few more bugs. Set with the bench. */
export const PIECES_LOOKED_FOR = 2

/** Pieces are compared by the bug that has them for the 200th time: the later it comes, the rarer the piece. Chosen, not measured. */
export const PLACES_TO_COMPARE_PIECES = 200

/**
 * The texts of one search have so many of their pieces compared, spread over each text. With all pieces of 500 words of 50 characters, twenty
 * searches asked for half a million counts.
 */
export const MOST_PIECES_COMPARED = 240

/** The number of terms that are counted in one statement: fewer statements are quicker, but engines limit their length. Chosen, not measured. */
export const TERMS_COUNTED_TOGETHER = 40

// How reports over time are counted; see reports/matching-bugs.ts.

/**
 * Bugs are counted in ranges of so many ids, so that other requests read in between and a client can show the progress. Two ranges are read at
 * once, until the request has read for long. With half as many each took 5 % less (measured), but only the first two were read at once.
 */
export const IDS_COUNTED_AT_ONCE = 125_000

// How texts are read outside SQL; see listing/scan-texts.ts.

/** Where an index has the order, the texts of this number of bugs are read before all other bugs are listed. Chosen, not measured. */
export const BUGS_SCANNED_FIRST = 2000

/** One read takes about as long, so that reads of other requests run in between. Chosen: it is short beside a time of 30 s. */
export const SCAN_MILLISECONDS = 60

/** The number of bugs of the first read, before anything is known about their texts. Chosen, not measured. */
export const BUGS_IN_FIRST_SCAN = 8

/** One read is of no more bugs, however short their texts. Chosen, not measured. */
export const MOST_BUGS_IN_A_SCAN = 4000

/** One read is of at most as many times as many bugs as the one before. Chosen, not measured. */
export const SCAN_GROWTH = 8
