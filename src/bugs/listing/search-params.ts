import { flag, integer, MOST_TO_READ, text, texts } from '../../platform/wire/params.ts'

/**
 * The parameters of a search that the interface names, for the documentation: the search reads them itself, with all the others that the
 * search form has. Only what says how the answer is wanted is read here.
 */
export const SEARCH_PARAMS = {
  alias: texts('Aliases.'),
  assigned_to: texts('Login name of the assignee.'),
  component: texts('Name of a component; of several products, unless product is given too.'),
  creation_time: text('Filed at that time or later. A date, or a distance such as -2w.'),
  creator: texts('Login name of whoever filed it; reporter is the same.'),
  id: texts('Numbers of bugs, also with commas between them.', MOST_TO_READ),
  last_change_time: text('Changed at that time or later.'),
  op_sys: texts('Operating system.'),
  platform: texts('Platform.'),
  priority: texts('Priority.'),
  product: texts('Name of a product.'),
  resolution: texts('Resolution; empty or --- for bugs that have none.'),
  severity: texts('Severity.'),
  status: texts('Status; also __open__, __closed__ and __all__.'),
  summary: texts('Text in the summary.'),
  tags: texts('Tags of one’s own.'),
  target_milestone: texts('Target milestone.'),
  qa_contact: texts('Login name of the QA contact.'),
  url: texts('The URL field.'),
  version: texts('Version.'),
  whiteboard: texts('Text in the whiteboard.'),
  quicksearch: texts('A line as people type it into a search box.'),
  savedsearch: text('Name of a saved search, to which the rest is added.'),
  sharer_id: integer('Id of whoever shares it, when it is not one’s own.'),
  order: texts('Columns to sort by, with commas between them, each with DESC behind it or not.'),
  limit: integer('Most bugs to answer; 0 for all. At most the parameter max_search_results.'),
  offset: integer('How many to leave out at the beginning; needs limit.'),
  cursor: text('The next_cursor of an earlier answer: goes on where that ended.'),
  ctype: text('csv, atom or ics: the form in which the bugs are answered.'),
  columnlist: texts('The columns of CSV, by the names of the search form.'),
  count_only: flag('Only how many there are, as bug_count.'),
  with_total: flag('Also how many there are without the limit, as total_matches.'),
}
