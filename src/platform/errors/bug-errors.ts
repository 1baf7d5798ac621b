import { kind } from './kind.ts'
import { because, quoted, shortened, shown } from './shown.ts'

/** 100-140: bugs, and the products and components they are in. */
export const bugErrors = {
  no_such_alias: kind(100, (it: { ref: string }) => `${quoted(it.ref)} is neither the number nor the alias of a bug.`),
  no_such_bug: kind(101, (it: { ref: string }) => `There is no bug ${shortened(it.ref)}.`),
  bug_not_visible: kind(102, (it: { ref: string }) => `You are not allowed to see bug ${shortened(it.ref)}.`),
  comments_bug_not_visible: kind(
    102,
    (it: { id: number }) => `You are not allowed to see the bug that comment ${it.id} is on.`,
  ),
  attachments_bug_not_visible: kind(
    102,
    (it: { id: number }) => `You are not allowed to see the bug that attachment ${it.id} is on.`,
  ),
  alias_wrong: kind(
    103,
    (it: { alias: string; right: string }) => `${quoted(it.alias)} cannot be the alias of the bug: ${it.right}.`,
    { about: { field: 'alias' } },
  ),
  text_too_long: kind(
    104,
    (it: { name: string; most: number }) => `${it.name} is too long: it must have at most ${it.most} characters.`,
    { about: { parameterIn: 'name' } },
  ),
  no_such_component: kind(
    105,
    (it: { product: string; name: string }) => `The product ${quoted(it.product)} has no component ${quoted(it.name)}.`,
    { about: { field: 'component' } },
  ),
  component_name_wrong: kind(
    105,
    (it: { name: string; right: string }) => `${quoted(it.name)} cannot be the name of a component: ${it.right}.`,
    { about: { field: 'name' } },
  ),
  component_required: kind(105, () => 'A bug needs a component.', { about: { field: 'component' } }),
  product_not_accessible: kind(
    106,
    (it: { ref: string }) => `There is no product ${quoted(it.ref)}, or you are not allowed to use it.`,
    { about: { field: 'product' } },
  ),
  summary_empty: kind(107, () => 'A bug needs a summary.', { about: { field: 'summary' } }),
  not_a_select: kind(
    108,
    (it: { name: string; hint?: string }) =>
      `${quoted(it.name)} is not a field with values to choose from${because(it.hint)}.`,
  ),
  not_searchable: kind(
    108,
    (it: { name: string; hint?: string }) => `There is no field ${quoted(it.name)} to search in${because(it.hint)}.`,
  ),
  product_not_editable: kind(
    109,
    (it: { product: string }) => `You are not allowed to change bugs of ${quoted(it.product)}.`,
    { about: { field: 'product' } },
  ),
  comment_is_private: kind(110, (it: { id: number }) => `Comment ${it.id} is private.`),
  no_such_comment: kind(111, (it: { ref: string }) => `There is no comment ${shortened(it.ref)}.`),
  see_also_wrong: kind(
    112,
    (it: { url: string; right: string }) => `${quoted(it.url)} cannot be added to See Also: ${it.right}.`,
    { about: { field: 'see_also' } },
  ),
  not_an_insider: kind(113, () => 'Only members of the insider group can make something private, or public again.'),
  comment_too_long: kind(
    114,
    (it: { most: number }) => `The comment is too long: it must have at most ${it.most} characters.`,
    { about: { field: 'comment' } },
  ),
  field_not_yours: kind(
    115,
    (it: { field: string; need: string }) => `You are not allowed to change ${it.field}: ${it.need}.`,
    { about: { fieldIn: 'field' } },
  ),
  dependency_loop: kind(
    116,
    (it: { ids: readonly number[] }) => `These bugs would depend on each other in a circle: ${it.ids.join(', ')}.`,
    { about: { field: 'depends_on' } },
  ),
  comment_on_another_bug: kind(117, (it: { id: number }) => `Comment ${it.id} is not on this bug.`),
  duplicate_loop: kind(118, (it: { id: number }) => `Bug ${it.id} would be a duplicate of itself.`, {
    about: { field: 'dupe_of' },
  }),
  duplicate_needs_target: kind(
    119,
    () => 'The resolution DUPLICATE needs the bug that this one duplicates: set dupe_of.',
    { about: { field: 'dupe_of' } },
  ),
  group_not_settable: kind(
    120,
    (it: { group: string }) => `You cannot add the bug to the group ${quoted(it.group)}, or remove it from the group.`,
    { about: { field: 'groups' } },
  ),
  resolution_required: kind(121, (it: { status: string }) => `A bug with the status ${it.status} needs a resolution.`, {
    about: { field: 'resolution' },
  }),
  resolution_not_allowed: kind(122, () => 'An open bug cannot have a resolution.', { about: { field: 'resolution' } }),
  status_change_not_allowed: kind(
    123,
    (it: { from: string; to: string }) => `The status of a bug cannot change from ${it.from} to ${it.to}.`,
    { about: { field: 'status' } },
  ),
  comment_tags_off: kind(125, () => 'Comment tags are switched off here.'),
  comment_tag_wrong: kind(
    126,
    (it: { tag: string }) =>
      `${quoted(it.tag)} cannot be a tag: it may contain only letters, digits and the characters . _ -.`,
  ),
  comment_tag_too_long: kind(
    127,
    (it: { tag: string; most: number }) =>
      `The tag ${quoted(it.tag)} is too long: it must have at most ${it.most} characters.`,
  ),
  comment_tag_too_short: kind(
    128,
    (it: { tag: string; least: number }) =>
      `The tag ${quoted(it.tag)} is too short: it must have at least ${it.least} characters.`,
  ),
  flag_status_wrong: kind(
    129,
    (it: { flag: string; status: unknown; right: string }) =>
      `The flag ${it.flag} cannot have the status ${shown(it.status)}: ${it.right}.`,
    { about: { field: 'flags' } },
  ),
  flag_not_yours: kind(
    130,
    (it: { flag: string; status: string }) => `You are not allowed to set ${it.flag} to ${quoted(it.status)}.`,
    { about: { field: 'flags' } },
  ),
  question_not_yours: kind(
    130,
    (it: { flag: string; requestee: string }) =>
      `You are not allowed to clear or pass on ${it.flag} of ${it.requestee}: only the user who asked, ${it.requestee} and users with canconfirm or editbugs in the product may.`,
    { about: { field: 'flags' } },
  ),
  flag_takes_no_requestee: kind(131, (it: { flag: string }) => `The flag ${it.flag} cannot have a requestee.`, {
    about: { field: 'flags' },
  }),
  several_flags_match: kind(
    132,
    (it: { flag: string }) => `The bug has several flags ${it.flag}: give the id of the one you mean.`,
    { about: { field: 'flags' } },
  ),
  several_flag_types_match: kind(
    133,
    (it: { flag: string }) => `There are several flag types ${it.flag}: give the type_id of the one you mean.`,
    { about: { field: 'flags' } },
  ),
  flag_type_inactive: kind(134, (it: { flag: string }) => `The flag ${it.flag} cannot be set any more.`, {
    about: { field: 'flags' },
  }),
  reactions_off: kind(136, () => 'Reactions are switched off here: the parameter use_comment_reactions is off.'),
  unknown_reaction: kind(
    137,
    (it: { name: string; known: string }) => `${quoted(it.name)} is not a reaction. The reactions are: ${it.known}.`,
  ),
  reactions_too_late: kind(138, () => 'The bug was closed more than three months ago, so there are no new reactions.'),
  comments_restricted: kind(
    139,
    () => 'Only users with editbugs in the product may comment on this bug and react to its comments.',
  ),
  markdown_off: kind(140, () => 'Comments here are plain text: the parameter use_markdown is off.', {
    about: { parameter: 'is_markdown' },
  }),
}
