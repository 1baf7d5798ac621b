import { kind } from './kind.ts'
import { quoted } from './shown.ts'

/** 32000: products, fields, values and flag types. */
export const catalogueRefusals = {
  configuration_changed: kind(
    32000,
    (it: { who: string; what: string; field: string }) =>
      `${it.who} has changed the same since you read it (${it.what}, ${it.field}): read it again.`,
    { status: 412 },
  ),
  not_a_configuration_call: kind(
    32000,
    (it: { method: string; path: string }) =>
      `${it.method} ${quoted(it.path)} is no call that changes the configuration.`,
    { about: { parameter: 'changes' } },
  ),
  one_at_a_time: kind(
    32000,
    (it: { name: string; what: string }) =>
      `${it.name} must differ for each ${it.what}, so only one ${it.what} can be changed at a time.`,
    { about: { parameterIn: 'name' } },
  ),
  name_taken: kind(
    32000,
    (it: { what: string; name: string }) => `There is a ${it.what} with the name ${quoted(it.name)} already.`,
    { about: { field: 'name' } },
  ),
  controls_field: kind(
    32000,
    (it: { subject: string; controlled: string }) =>
      `${it.subject} controls what the field ${it.controlled} shows: change that field first.`,
  ),
  still_in_use: kind(32000, (it: { subject: string }) => `${it.subject} is still in use.`),
  product_has_bugs: kind(
    32000,
    (it: { product: string }) =>
      `The product ${it.product} has bugs: move them first, or turn on the parameter allowbugdeletion.`,
  ),
  removal_needs_steps: kind(
    32000,
    (it: { name: string; most: number }) =>
      `More than ${it.most} bugs have ${quoted(it.name)}, and those who write would wait for all of them: send in_steps.`,
    { about: { parameter: 'in_steps' } },
  ),
  removal_runs: kind(
    32000,
    (it: { name: string }) =>
      `${quoted(it.name)} is being removed already: GET /rest/admin/removals says how far it is.`,
  ),
  removal_over: kind(32000, (it: { name: string }) => `${quoted(it.name)} is removed: it cannot be stopped any more.`),
  product_type_wrong: kind(32000, (it: { known: string }) => `type can only be ${it.known}.`, {
    about: { parameter: 'type' },
  }),
  component_description_empty: kind(32000, () => 'A component needs a description.', {
    about: { field: 'description' },
  }),
  component_assignee_required: kind(32000, () => 'A component needs a default_assignee.', {
    about: { field: 'default_assignee' },
  }),
  version_is_last: kind(
    32000,
    (it: { version: string; product: string }) =>
      `The version ${it.version} is the only one of ${it.product} and cannot be deleted.`,
  ),
  version_has_bugs: kind(32000, (it: { version: string }) => `The version ${it.version} has bugs: move them first.`),
  milestone_is_default: kind(
    32000,
    (it: { milestone: string; product: string; why: string }) =>
      `The milestone ${it.milestone} is the default of ${it.product} and cannot ${it.why}: choose another default first.`,
  ),
  default_classification_kept: kind(
    32000,
    (it: { name: string }) => `The classification ${it.name} cannot be deleted: it is the default one.`,
  ),
  standard_field_fixed: kind(
    32000,
    (it: { name: string }) => `The field ${it.name} is a standard field and cannot be changed.`,
  ),
  field_name_fixed: kind(32000, (it: { name: string }) => `The name of the field ${it.name} cannot be changed.`, {
    about: { field: 'name' },
  }),
  field_type_fixed: kind(32000, (it: { name: string }) => `The type of the field ${it.name} cannot be changed.`, {
    about: { field: 'type' },
  }),
  standard_field_kept: kind(
    32000,
    (it: { name: string }) => `The field ${it.name} is a standard field and cannot be deleted.`,
  ),
  field_not_obsolete: kind(
    32000,
    (it: { name: string }) => `The field ${it.name} is not obsolete: make it obsolete first.`,
  ),
  field_in_history: kind(
    32000,
    (it: { name: string }) => `The field ${it.name} cannot be deleted: it appears in the history of bugs.`,
  ),
  field_filled_in: kind(
    32000,
    (it: { name: string }) => `The field ${it.name} cannot be deleted: it is filled in on some bugs.`,
  ),
  system_value_fixed: kind(
    32000,
    (it: { value: string; of: string }) =>
      `The tracker relies on the value “${it.value}” of ${it.of}: it cannot be renamed or disabled.`,
  ),
  system_value_kept: kind(
    32000,
    (it: { value: string; of: string }) =>
      `The tracker relies on the value “${it.value}” of ${it.of}: it cannot be deleted.`,
  ),
  default_value_kept: kind(
    32000,
    (it: { setting: string; value: string }) =>
      `The parameter ${it.setting} contains the value “${it.value}”: change the parameter first.`,
  ),
  value_has_bugs: kind(
    32000,
    (it: { value: string }) => `Bugs have the value “${it.value}”: change them, or disable the value.`,
  ),
  status_stays_open_or_closed: kind(
    32000,
    (it: { status: string; why: 'open' | 'closed' }) =>
      `The status ${it.status} is ${it.why}, and this cannot be changed.`,
    { about: { field: 'is_open' } },
  ),
  initial_status_required: kind(
    32000,
    (it: { status: string }) => `New bugs need at least one active status other than ${it.status}.`,
  ),
  flag_type_in_use: kind(
    32000,
    () => 'There are flags of this type: set is_active to false to keep them, or delete them too with remove_flags=1.',
  ),
  flag_just_set: kind(32000, (it: { flag: string }) => `A flag ${it.flag} has just been set: try again.`),
  othercontrol_wrong: kind(
    32000,
    (it: { membercontrol: string; othercontrol: string; known: string }) =>
      `With membercontrol ${it.membercontrol}, othercontrol cannot be ${it.othercontrol}, only ${it.known}.`,
    { about: { field: 'othercontrol' } },
  ),
  group_not_for_products: kind(
    32000,
    (it: { group: string; why: string }) => `The group ${it.group} ${it.why}, so no product can use it.`,
  ),
}
