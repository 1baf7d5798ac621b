import { kind } from './kind.ts'
import { listed, quoted } from './shown.ts'

/** 600-1202: attachments, products, groups, searches, flag types and components. */
export const objectErrors = {
  attachment_too_large: kind(
    600,
    (it: { most: number }) => `The attachment is too large: it must have at most ${it.most} KiB.`,
    { about: { field: 'data' } },
  ),
  content_type_wrong: kind(
    601,
    (it: { type: string }) => `${quoted(it.type)} is not a content type such as text/plain.`,
    { about: { field: 'content_type' } },
  ),
  file_name_empty: kind(603, () => 'An attachment needs a file name.', { about: { field: 'file_name' } }),
  attachment_summary_empty: kind(604, () => 'An attachment needs a summary.', { about: { field: 'summary' } }),
  attachment_empty: kind(606, () => 'The attachment is empty, or its data is not base64.', {
    about: { field: 'data' },
  }),
  product_name_empty: kind(700, () => 'A product needs a name.', { about: { field: 'name' } }),
  product_name_too_long: kind(
    701,
    (it: { longest: number }) => `The name of the product is too long: it must have at most ${it.longest} characters.`,
    { about: { field: 'name' } },
  ),
  product_exists: kind(702, (it: { name: string }) => `There is a product with the name ${quoted(it.name)} already.`, {
    about: { field: 'name' },
  }),
  product_description_empty: kind(703, () => 'A product needs a description.', { about: { field: 'description' } }),
  product_version_empty: kind(704, () => 'A new product needs a version.', { about: { field: 'version' } }),
  default_milestone_wrong: kind(
    705,
    (it: { product: string; name: string }) =>
      `${quoted(it.name)} cannot be the default milestone of ${quoted(it.product)}: it must be one of its active milestones.`,
    { about: { field: 'default_milestone' } },
  ),
  default_version_wrong: kind(
    706,
    (it: { product: string; name: string }) =>
      `${quoted(it.name)} cannot be the default version of ${quoted(it.product)}: it must be one of its active versions.`,
    { about: { field: 'default_version' } },
  ),
  group_name_empty: kind(800, () => 'A group needs a name.', { about: { field: 'name' } }),
  group_exists: kind(801, (it: { name: string }) => `There is a group with the name ${quoted(it.name)} already.`, {
    about: { field: 'name' },
  }),
  group_description_empty: kind(802, () => 'A group needs a description.', { about: { field: 'description' } }),
  group_regexp_invalid: kind(
    803,
    (it: { regexp: string; why: string }) => `${quoted(it.regexp)} is not a regular expression: ${it.why}.`,
    { about: { field: 'user_regexp' } },
  ),
  group_not_yours: kind(804, (it: { ref: string }) => `There is no group ${quoted(it.ref)}, or you are not in it.`),
  groups_not_visible: kind(805, () => 'You are not allowed to look at these groups.'),
  classifications_off: kind(900, () => 'Classifications are not used here: the parameter useclassification is off.'),
  quicksearch_empty: kind(1000, () => 'The quicksearch is empty: give at least one word to look for.', {
    about: { parameter: 'quicksearch' },
  }),
  nothing_asked: kind(1000, () => 'The search has no criteria: add at least one.'),
  nothing_known_asked: kind(
    1000,
    (it: { names: readonly string[] }) => `The search has no known criteria, only unknown ones: ${listed(it.names)}.`,
  ),
  search_too_slow: kind(1001, () => 'The search took too long and was stopped: use more specific criteria.'),
  flag_type_name_invalid: kind(
    1101,
    (it: { name: string; longest: number }) =>
      `${quoted(it.name)} cannot be the name of a flag type: it must be 1 to ${it.longest} characters without spaces or commas.`,
    { about: { field: 'name' } },
  ),
  flag_type_description_empty: kind(1102, () => 'A flag type needs a description.', {
    about: { field: 'description' },
  }),
  flag_type_cc_list_too_long: kind(
    1103,
    (it: { longest: number }) =>
      `cc_list is too long: all addresses together must have at most ${it.longest} characters.`,
    { about: { field: 'cc_list' } },
  ),
  flag_type_sort_key_invalid: kind(
    1104,
    (it: { least: number; most: number }) => `sortkey must be a whole number from ${it.least} to ${it.most}.`,
    { about: { field: 'sortkey' } },
  ),
  flag_type_not_editable: kind(
    1105,
    (it: { name: string; why: string }) => `You are not allowed to change the flag type ${quoted(it.name)}: ${it.why}.`,
  ),
  component_exists: kind(
    1200,
    (it: { product: string; name: string }) =>
      `The product ${quoted(it.product)} has a component with the name ${quoted(it.name)} already.`,
    { about: { field: 'name' } },
  ),
  component_is_last: kind(
    1201,
    (it: { product: string; name: string }) =>
      `${quoted(it.name)} is the last component of ${quoted(it.product)}: a product needs at least one.`,
  ),
  component_has_bugs: kind(
    1202,
    (it: { name: string }) =>
      `The component ${quoted(it.name)} cannot be deleted because it has bugs. Move them to another component, or switch on the parameter allowbugdeletion to delete them too.`,
  ),
}
