import { kind } from './kind.ts'
import { quoted } from './shown.ts'

/** 32000: searches and reports. */
export const searchRefusals = {
  quicksearch_wrong: kind(
    32000,
    (it: { word: string; position: number; why: string }) =>
      `The quicksearch cannot be parsed at ${quoted(it.word)} (character ${it.position}): ${it.why}.`,
    { about: { parameter: 'quicksearch' } },
  ),
  search_too_large: kind(
    32000,
    (it: { limit: string; subject: string; most: number }) =>
      `The search is too large: it can have at most ${it.most} ${it.subject}.`,
    { shows: ['limit'] },
  ),
  no_such_operator: kind(32000, (it: { name: string }) => `There is no search operator ${quoted(it.name)}.`),
  search_operator_wrong: kind(
    32000,
    (it: { criterion: string; operator: string }) => `${it.criterion} cannot be searched with ${it.operator}.`,
  ),
  content_operator_wrong: kind(
    32000,
    (it: { criterion: string; operator: string }) =>
      `${it.criterion} cannot be searched with ${it.operator}: content is searched with matches and notmatches, and nothing else is.`,
  ),
  idle_time_operator_wrong: kind(
    32000,
    (it: { criterion: string; operator: string }) =>
      `${it.criterion} cannot be searched with ${it.operator}, only with less and greater than.`,
  ),
  no_such_pronoun: kind(
    32000,
    (it: { pronoun: string; known: string }) => `${it.pronoun} is not a pronoun; these exist: ${it.known}.`,
  ),
  bracket_not_open: kind(32000, (it: { name: string }) => `${it.name} closes a bracket that was never opened.`, {
    about: { parameterIn: 'name' },
  }),
  and_g_joins_brackets: kind(32000, () => 'AND_G cannot join brackets, only rows.'),
  and_g_joins_several_fields: kind(32000, () => 'AND_G joins only rows about the same field, or about flags.'),
  and_g_criterion_wrong: kind(32000, (it: { criterion: string }) => `AND_G cannot join rows about ${it.criterion}.`),
  and_g_operator_wrong: kind(
    32000,
    (it: { operator: string }) => `Rows that AND_G joins cannot negate ${it.operator}.`,
  ),
  report_too_large: kind(
    32000,
    (it: { most: number }) => `The report would have more than ${it.most} cells: ask for fewer axes or fewer bugs.`,
  ),
  saved_search_scheduled: kind(32000, () => 'The saved search is mailed on a schedule: delete the schedule first.'),
  dashboard_changed: kind(32000, () => 'The dashboard has changed since you read it: read it again.', { status: 412 }),
}
