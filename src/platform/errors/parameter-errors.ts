import { kind } from './kind.ts'
import { because, quoted, shown } from './shown.ts'

/** 50-58: parameters. */
export const parameterErrors = {
  parameter_required: kind(
    50,
    (it: { name: string; hint?: string }) => `The parameter ${it.name} is required${because(it.hint)}.`,
    { about: { parameterIn: 'name' } },
  ),
  one_of_required: kind(
    50,
    (it: { names: readonly string[]; hint?: string }) =>
      `At least one of these parameters is required: ${it.names.join(', ')}${it.hint ? ` (${it.hint})` : ''}.`,
  ),
  no_such_object: kind(51, (it: { what: string; ref: string }) => `There is no ${it.what} ${quoted(it.ref)}.`),
  no_such_id: kind(51, (it: { what: string; ref: string }) => `There is no ${it.what} with the id ${quoted(it.ref)}.`),
  no_such_value: kind(51, (it: { of: string; ref: string }) => `There is no value of ${it.of} ${quoted(it.ref)}.`),
  no_such_component_called: kind(
    51,
    (it: { product: string; name: string }) => `There is no component in ${it.product} called ${quoted(it.name)}.`,
  ),
  not_a_number: kind(
    52,
    (it: { name: string; value: unknown }) => `${it.name} must be a whole number, not ${shown(it.value)}.`,
    { about: { parameterIn: 'name' } },
  ),
  not_an_id: kind(
    52,
    (it: { name: string; value: unknown }) => `${it.name} must be a whole number, 0 or more, not ${shown(it.value)}.`,
    { about: { parameterIn: 'name' } },
  ),
  not_hours: kind(
    52,
    (it: { name: string; value: unknown }) =>
      `${it.name} must be a number of hours such as 2 or 2.5, not ${shown(it.value)}.`,
    { about: { parameterIn: 'name' } },
  ),
  bad_value: kind(
    53,
    (it: { name: string; value: unknown; right: string }) => `${it.name} cannot be ${shown(it.value)}: ${it.right}.`,
    { about: { parameterIn: 'name' } },
  ),
  events_forgotten: kind(
    53,
    (it: { name: string; value: unknown }) =>
      `${it.name} cannot be ${shown(it.value)}: some events after it have been deleted; start again with 0, and read the bugs that you follow again.`,
    { about: { parameterIn: 'name' } },
  ),
  list_too_long: kind(
    53,
    (it: { name: string; most: number }) => `${it.name} is too long: it must have at most ${it.most} items.`,
    { about: { parameterIn: 'name' } },
  ),
  batch_too_large: kind(
    53,
    (it: { most: number }) =>
      `The change is too large: the number of bugs times the items of its lists must be at most ${it.most}. Change fewer bugs at a time.`,
  ),
  batch_text_too_large: kind(
    53,
    (it: { most: number }) =>
      `The change is too large: the number of bugs times the characters of its texts must be at most ${it.most}. Change fewer bugs at a time.`,
  ),
  unknown_field: kind(53, (it: { name: string }) => `There is no field ${quoted(it.name)} that a new bug could have.`, {
    about: { parameterIn: 'name' },
  }),
  bad_text: kind(
    53,
    (it: { name: string; found: string }) => `${it.name} contains ${it.found}, which is not allowed in text.`,
    { about: { parameterIn: 'name' } },
  ),
  number_too_large: kind(
    54,
    (it: { name: string; value: unknown; most: string }) =>
      `${it.name} cannot be ${shown(it.value)}: it must be at most ${it.most}.`,
    { about: { parameterIn: 'name' } },
  ),
  number_too_small: kind(
    55,
    (it: { name: string; value: unknown; least: string }) =>
      `${it.name} cannot be ${shown(it.value)}: it must be at least ${it.least}.`,
    { about: { parameterIn: 'name' } },
  ),
  bad_date: kind(
    56,
    (it: { name: string; value: unknown }) =>
      `${it.name} must be a date such as 2026-01-31 or 2026-01-31T12:00:00Z, not ${shown(it.value)}.`,
    { about: { parameterIn: 'name' } },
  ),
  bad_day: kind(
    56,
    (it: { name: string; value: unknown }) =>
      `${it.name} must be a date without a time, such as 2026-01-31, not ${shown(it.value)}.`,
    { about: { parameterIn: 'name' } },
  ),
  comment_id_not_a_number: kind(
    57,
    (it: { value: unknown }) => `The id of a comment must be a whole number, not ${shown(it.value)}.`,
  ),
  not_a_list: kind(58, (it: { name: string }) => `${it.name} must be a plain value or a list of plain values.`, {
    about: { parameterIn: 'name' },
  }),
}
