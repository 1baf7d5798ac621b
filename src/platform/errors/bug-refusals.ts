import { kind } from './kind.ts'
import { listed, quoted } from './shown.ts'

/** 32000: bugs, flags and attachments. */
export const bugRefusals = {
  changed_meanwhile: kind(32000, () => 'The bug has changed since you read it: read it again.', { status: 412 }),
  too_many_proposals: kind(
    32000,
    (it: { limit: string; most: number }) =>
      `There are too many open proposals: at most ${it.most} are allowed (${it.limit}). Withdraw some, or wait until they are decided.`,
    { status: 429 },
  ),
  proposals_too_fast: kind(
    32000,
    (it: { limit: string; most: number }) =>
      `Too many proposals were made in an hour: at most ${it.most} are allowed (${it.limit}). Try again later.`,
    { status: 429 },
  ),
  proposal_closed: kind(
    32000,
    (it: { id: number; state: string }) => `Proposal ${it.id} is not open any more: it is ${it.state}.`,
    { status: 409 },
  ),
  proposal_outdated: kind(
    32000,
    (it: { field: string; now: string }) =>
      `The proposal is out of date: ${it.field} has changed since, and is ${quoted(it.now)} now. Nothing was changed.`,
    { status: 409, about: { fieldIn: 'field' } },
  ),
  proposal_differs: kind(
    32000,
    (it: { fields: readonly string[] }) =>
      `Accepting this would do something else than the proposal shows (${listed(it.fields)}): accept other rows with it, or make the change yourself. Nothing was changed.`,
    { status: 409 },
  ),
  proposal_not_as_shown: kind(
    32000,
    () => 'This is not the digest of the proposal as you see it now: read it again, and send the digest that it has.',
    { status: 412 },
  ),
  proposal_only_whole: kind(
    32000,
    (it: { kind: string }) => `A proposal of this kind (${it.kind}) is accepted as a whole: leave out rows.`,
    { about: { parameter: 'rows' } },
  ),
  undo_impossible: kind(
    32000,
    (it: { field: string; why: string }) => `${it.field} cannot be changed back: ${it.why}.`,
    { about: { fieldIn: 'field' } },
  ),
  value_not_in_use: kind(
    32000,
    (it: { what: string; name: string }) => `The ${it.what} ${it.name} is no longer in use.`,
  ),
  custom_value_not_in_use: kind(
    32000,
    (it: { field: string; value: string }) => `The value “${it.value}” of ${it.field} is no longer in use.`,
    { about: { fieldIn: 'field' } },
  ),
  custom_field_required: kind(
    32000,
    (it: { label: string; field: string }) => `The field ${it.label} (${it.field}) is mandatory and needs a value.`,
    { about: { fieldIn: 'field' } },
  ),
  custom_field_not_a_number: kind(32000, (it: { field: string }) => `${it.field} must be a whole number.`, {
    about: { fieldIn: 'field' },
  }),
  custom_field_refers_to_itself: kind(
    32000,
    (it: { bug: number; field: string }) => `Bug ${it.bug} would refer to itself through ${it.field}.`,
    { about: { fieldIn: 'field' } },
  ),
  see_also_is_itself: kind(32000, (it: { bug: number }) => `See Also of bug ${it.bug} cannot contain the bug itself.`, {
    about: { field: 'see_also' },
  }),
  comment_edited_meanwhile: kind(32000, () => 'The comment was edited since you read it: read it again.', {
    status: 412,
  }),
  comment_unchanged: kind(32000, () => 'The comment says this already.'),
  comment_not_written: kind(32000, () => 'This comment has no text of a user that could be edited.'),
  comment_too_old: kind(
    32000,
    (it: { minutes: number }) => `A comment can be edited for ${it.minutes} minutes after it was written.`,
  ),
  too_many_versions: kind(
    32000,
    (it: { most: number }) => `The comment was edited as often as possible: it has ${it.most} versions, or long ones.`,
  ),
  too_many_edits: kind(
    32000,
    (it: { most: number }) => `You can edit at most ${it.most} comments an hour: wait a while.`,
  ),
  no_voting: kind(32000, (it: { product: string }) => `Nobody votes for bugs of the product ${it.product}.`, {
    about: { parameter: 'votes' },
  }),
  too_many_votes_per_bug: kind(
    32000,
    (it: { product: string; most: number }) =>
      `You can give at most ${it.most} votes to one bug of the product ${it.product}.`,
    { about: { parameter: 'votes' } },
  ),
  too_many_votes: kind(
    32000,
    (it: { product: string; most: number }) =>
      `You have ${it.most} votes for all bugs of the product ${it.product}: take some back first.`,
    { about: { parameter: 'votes' } },
  ),
  list_full: kind(
    32000,
    (it: { owner: string; most: number; subject: string }) =>
      `${it.owner} can have at most ${it.most} ${it.subject}: remove some first.`,
  ),
  cc_not_removable: kind(
    32000,
    (it: { login: string }) => `You cannot remove ${it.login} from the CC list: you do not work on this bug.`,
    { about: { field: 'cc' } },
  ),
  status_needs_comment: kind(
    32000,
    (it: { status: string }) => `The change to the status ${it.status} needs a comment.`,
    { about: { field: 'comment' } },
  ),
  resolution_needs_comment: kind(32000, () => 'A change of the resolution needs a comment.', {
    about: { field: 'comment' },
  }),
  duplicate_needs_comment: kind(32000, () => 'Marking a bug as a duplicate needs a comment.', {
    about: { field: 'comment' },
  }),
  status_needs_description: kind(
    32000,
    (it: { status: string }) => `A new bug with the status ${it.status} needs a description.`,
    { about: { field: 'description' } },
  ),
  resolution_needs_description: kind(32000, () => 'A bug with a resolution needs a description.', {
    about: { field: 'description' },
  }),
  milestone_required: kind(32000, () => 'The bug needs a target_milestone before work on it starts.', {
    about: { field: 'target_milestone' },
  }),
  open_dependencies: kind(
    32000,
    () => 'The bug depends on bugs that are still open: it cannot become FIXED before they are closed.',
    { about: { field: 'resolution' } },
  ),
  flag_taken: kind(32000, (it: { flag: string }) => `There is already a flag ${it.flag}, and there can be only one.`, {
    about: { field: 'flags' },
  }),
  requestee_disabled: kind(
    32000,
    (it: { requestee: string; flag: string }) =>
      `${it.requestee} cannot be asked for ${it.flag}: the account is disabled.`,
    { about: { field: 'flags' } },
  ),
  requestee_cannot_see_bug: kind(
    32000,
    (it: { requestee: string; flag: string }) =>
      `${it.requestee} cannot be asked for ${it.flag}, because they cannot see the bug.`,
    { about: { field: 'flags' } },
  ),
  requestee_cannot_see_attachment: kind(
    32000,
    (it: { requestee: string; flag: string }) =>
      `${it.requestee} cannot be asked for ${it.flag}, because they cannot see the private attachment.`,
    { about: { field: 'flags' } },
  ),
  requestee_cannot_grant: kind(
    32000,
    (it: { requestee: string; flag: string }) =>
      `${it.requestee} cannot be asked for ${it.flag}, because they may not grant it.`,
    { about: { field: 'flags' } },
  ),
  requestee_blocks_questions: kind(
    32000,
    (it: { requestee: string; flag: string }) =>
      `${it.requestee} cannot be asked for ${it.flag}, because they do not take such requests.`,
    { about: { field: 'flags' } },
  ),
  no_such_attachment: kind(32000, (it: { id: number }) => `There is no attachment ${it.id}.`),
  attachment_not_yours: kind(
    32000,
    (it: { id: number }) =>
      `You are not allowed to change attachment ${it.id}: only the user who attached it and users with editbugs in the product may.`,
  ),
  attachment_deletion_off: kind(
    32000,
    () => 'Contents of attachments can be deleted only while the parameter allow_attachment_deletion is on.',
  ),
  attachment_content_deleted: kind(
    32000,
    (it: { id: number }) => `The content of attachment ${it.id} has already been deleted.`,
  ),
  attachments_too_large_together: kind(
    32000,
    () =>
      'The contents of these attachments are too large for one response: leave them out with exclude_fields=data, and get each with /rest/bug/attachment/(attachment_id)/data.',
  ),
}
