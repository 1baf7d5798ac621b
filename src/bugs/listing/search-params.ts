import { bugFields } from '../../../shared/bug-fields/bug-fields.ts'
import { flag, integer, MOST_TO_READ, text, texts } from '../../platform/wire/params.ts'

/** Times are a single text, everything else can be repeated. */
const CRITERIA = Object.fromEntries(
  bugFields.flatMap(({ name, kind, about }) =>
    about?.search === undefined ? [] : [[name, kind === 'time' ? text(about.search) : texts(about.search)]],
  ),
)

/**
 * The documented parameters of a search. The search itself reads the criteria, with all others of Bugzilla's search form. Only
 * parameters about the form of the response are read here.
 */
export const SEARCH_PARAMS = {
  alias: texts('Aliases.'),
  id: texts('Numbers of bugs, as a list or separated by commas.', MOST_TO_READ),
  ...CRITERIA,
  quicksearch: texts('A search in the quicksearch syntax, as typed into a search box.'),
  savedsearch: text('Name of a saved search. The other criteria are added to it.'),
  sharer_id: integer('Id of the user who shares the saved search, if it is not the caller’s own.'),
  order: texts('Columns to sort by, separated by commas, each optionally followed by DESC.'),
  limit: integer('Largest number of bugs to return, at most the parameter max_search_results; 0 for no limit.'),
  offset: integer('Number of bugs to skip; needs limit.'),
  cursor: text('The next_cursor of an earlier response, to continue after its last bug.'),
  ctype: text('Format of the response: csv, atom or ics. JSON without it.'),
  columnlist: texts('Columns of a CSV response, by the names of Bugzilla’s search form.'),
  count_only: flag('Return only the number of bugs, as bug_count.'),
  with_total: flag('Also return the number of bugs without the limit, as total_matches.'),
  explain: flag('Return how the search is carried out, as explanation, instead of bugs. For members of admin.'),
}
