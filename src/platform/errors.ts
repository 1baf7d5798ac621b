import { masked } from './text/masked.ts'

/**
 * Every error that a client can get: name, number, sentence and the meaning of the number, sorted by number. Numbers
 * are those of Bugzilla's REST API and never change; sentences are ours and may. One number can have several names: the
 * name says which case happened.
 */
const catalogue = {
  // 50-58: parameters
  parameter_required: kind(
    50,
    (it: { name: string; hint?: string }) => `The parameter ${it.name} is required${because(it.hint)}.`,
  ),
  one_of_required: kind(50, (it: { names: string }) => `At least one of these parameters is required: ${it.names}.`),
  no_such_object: kind(51, (it: { what: string; ref: string }) => `There is no ${it.what} ${quoted(it.ref)}.`),
  not_a_number: kind(
    52,
    (it: { name: string; value: unknown }) => `${it.name} must be a whole number, not ${shown(it.value)}.`,
  ),
  not_an_id: kind(
    52,
    (it: { name: string; value: unknown }) => `${it.name} must be a whole number, 0 or more, not ${shown(it.value)}.`,
  ),
  not_hours: kind(
    52,
    (it: { name: string; value: unknown }) =>
      `${it.name} must be a number of hours such as 2 or 2.5, not ${shown(it.value)}.`,
  ),
  bad_value: kind(
    53,
    (it: { name: string; value: unknown; right: string }) => `${it.name} cannot be ${shown(it.value)}: ${it.right}.`,
  ),
  events_forgotten: kind(
    53,
    (it: { name: string; value: unknown }) =>
      `${it.name} cannot be ${shown(it.value)}: some events after it have been deleted; start again with 0, and read the bugs that you follow again.`,
  ),
  list_too_long: kind(
    53,
    (it: { name: string; most: number }) => `${it.name} is too long: it must have at most ${it.most} items.`,
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
  unknown_field: kind(53, (it: { name: string }) => `There is no field ${quoted(it.name)} that a new bug could have.`),
  bad_text: kind(
    53,
    (it: { name: string; found: string }) => `${it.name} contains ${it.found}, which is not allowed in text.`,
  ),
  number_too_large: kind(
    54,
    (it: { name: string; value: unknown; most: string }) =>
      `${it.name} cannot be ${shown(it.value)}: it must be at most ${it.most}.`,
  ),
  number_too_small: kind(
    55,
    (it: { name: string; value: unknown; least: string }) =>
      `${it.name} cannot be ${shown(it.value)}: it must be at least ${it.least}.`,
  ),
  bad_date: kind(
    56,
    (it: { name: string; value: unknown }) =>
      `${it.name} must be a date such as 2026-01-31 or 2026-01-31T12:00:00Z, not ${shown(it.value)}.`,
  ),
  bad_day: kind(
    56,
    (it: { name: string; value: unknown }) =>
      `${it.name} must be a date without a time, such as 2026-01-31, not ${shown(it.value)}.`,
  ),
  comment_id_not_a_number: kind(
    57,
    (it: { value: unknown }) => `The id of a comment must be a whole number, not ${shown(it.value)}.`,
  ),
  not_a_list: kind(58, (it: { name: string }) => `${it.name} must be a plain value or a list of plain values.`),

  // 100-134: bugs, and the products and components they are in
  no_such_component: kind(
    105,
    (it: { product: string; name: string }) => `The product ${quoted(it.product)} has no component ${quoted(it.name)}.`,
  ),
  component_name_wrong: kind(
    105,
    (it: { name: string; right: string }) => `${quoted(it.name)} cannot be the name of a component: ${it.right}.`,
  ),
  product_not_accessible: kind(
    106,
    (it: { ref: string }) => `There is no product ${quoted(it.ref)}, or you are not allowed to use it.`,
  ),
  not_a_select: kind(
    108,
    (it: { name: string; hint?: string }) =>
      `${quoted(it.name)} is not a field with values to choose from${because(it.hint)}.`,
  ),
  not_searchable: kind(
    108,
    (it: { name: string; hint?: string }) => `There is no field ${quoted(it.name)} to search in${because(it.hint)}.`,
  ),

  // 100-134: bugs, continued
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
  ),
  text_too_long: kind(
    104,
    (it: { name: string; most: number }) => `${it.name} is too long: it must have at most ${it.most} characters.`,
  ),
  component_required: kind(105, () => 'A bug needs a component.'),
  summary_empty: kind(107, () => 'A bug needs a summary.'),
  product_not_editable: kind(
    109,
    (it: { product: string }) => `You are not allowed to change bugs of ${quoted(it.product)}.`,
  ),
  comment_is_private: kind(110, (it: { id: number }) => `Comment ${it.id} is private.`),
  no_such_comment: kind(111, (it: { ref: string }) => `There is no comment ${shortened(it.ref)}.`),
  see_also_wrong: kind(
    112,
    (it: { url: string; right: string }) => `${quoted(it.url)} cannot be added to See Also: ${it.right}.`,
  ),
  not_an_insider: kind(113, () => 'Only members of the insider group can make something private, or public again.'),
  comment_too_long: kind(
    114,
    (it: { most: number }) => `The comment is too long: it must have at most ${it.most} characters.`,
  ),
  field_not_yours: kind(
    115,
    (it: { field: string; need: string }) => `You are not allowed to change ${it.field}: ${it.need}.`,
  ),
  dependency_loop: kind(116, (it: { ids: string }) => `These bugs would depend on each other in a circle: ${it.ids}.`),
  comment_on_another_bug: kind(117, (it: { id: number }) => `Comment ${it.id} is not on this bug.`),
  duplicate_loop: kind(118, (it: { id: number }) => `Bug ${it.id} would be a duplicate of itself.`),
  duplicate_needs_target: kind(
    119,
    () => 'The resolution DUPLICATE needs the bug that this one duplicates: set dupe_of.',
  ),
  group_not_settable: kind(
    120,
    (it: { group: string }) => `You cannot add the bug to the group ${quoted(it.group)}, or remove it from the group.`,
  ),
  resolution_required: kind(121, (it: { status: string }) => `A bug with the status ${it.status} needs a resolution.`),
  resolution_not_allowed: kind(122, () => 'An open bug cannot have a resolution.'),
  status_change_not_allowed: kind(
    123,
    (it: { from: string; to: string }) => `The status of a bug cannot change from ${it.from} to ${it.to}.`,
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
  ),
  flag_not_yours: kind(
    130,
    (it: { flag: string; status: string }) => `You are not allowed to set ${it.flag} to ${quoted(it.status)}.`,
  ),
  flag_takes_no_requestee: kind(131, (it: { flag: string }) => `The flag ${it.flag} cannot have a requestee.`),
  several_flags_match: kind(
    132,
    (it: { flag: string }) => `The bug has several flags ${it.flag}: give the id of the one you mean.`,
  ),
  several_flag_types_match: kind(
    133,
    (it: { flag: string }) => `There are several flag types ${it.flag}: give the type_id of the one you mean.`,
  ),
  flag_type_inactive: kind(134, (it: { flag: string }) => `The flag ${it.flag} cannot be set any more.`),
  markdown_off: kind(140, () => 'Comments here are plain text: the parameter use_markdown is off.'),

  // 300-410: authentication and rights
  wrong_credentials: kind(300, () => 'The login name or the password is wrong.'),
  account_disabled: kind(301, (it: { reason: string }) => `This account is disabled: ${it.reason}`),
  not_allowed: kind(304, (it: { need: string }) => `You are not allowed to do this: ${it.need}.`),
  user_not_visible: kind(304, (it: { ref: string }) => `You are not allowed to see the user ${quoted(it.ref)}.`),
  attachment_is_private: kind(304, (it: { id: number }) => `Attachment ${it.id} is private.`),
  group_not_blessable: kind(304, (it: { ref: string }) => `You cannot change who is in the group ${quoted(it.ref)}.`),
  password_too_simple: kind(305, (it: { right: string }) => `The password is too simple: ${it.right}.`),
  api_key_invalid: kind(306, () => 'The API key is unknown, revoked or expired. Create a new one.'),
  token_invalid: kind(307, () => 'The token is invalid or has expired. Log in again to get a new one.'),
  proof_needed: kind(
    308,
    (it: { minutes: number }) =>
      `This needs your password again, because you sent it more than ${it.minutes} minutes ago: send it, a code or the answer of a passkey with POST /rest/session/proof, then try again.`,
    401,
  ),
  link_invalid: kind(309, () => 'This link is unknown, was used already or has expired. Request a new one.', 400),
  code_needed: kind(
    310,
    () =>
      'This account has a second factor. Log in with GET /rest/login and send a code, or a recovery code, as totp; or use an API key. Passkeys work only on the pages.',
    401,
  ),
  code_wrong: kind(311, () => 'The code is wrong, has expired or was used already.', 401),
  provider_only: kind(
    313,
    (it: { title: string }) => `Passwords and passkeys are not used for this account: log in through ${it.title}.`,
    401,
  ),
  provider_refused: kind(
    314,
    (it: { title: string; why: string }) => `You could not be logged in through ${it.title}: ${it.why}.`,
    401,
  ),
  factor_required: kind(
    312,
    () =>
      'Your account needs a second factor: add an app with POST /rest/factor/totp, or an app or a passkey on the settings page.',
    401,
  ),
  passkey_refused: kind(
    315,
    () =>
      'The passkey was not accepted: it is not known here, was not unlocked, or its answer does not belong to this request or came too late. Try again, or log in in another way.',
    401,
  ),
  passkey_not_added: kind(
    315,
    () =>
      'The passkey was not added. An account uses it already, or it responded too late or to another request: try again, or use another passkey.',
    401,
  ),
  passkeys_unavailable: kind(
    316,
    (it: { address: string }) =>
      `Passkeys work only at an https address with a host name, or at http://localhost. The address of this server is ${it.address}: set LACEWING_BASE_URL.`,
    400,
  ),
  login_required: kind(
    410,
    () => 'You must log in before you can do this: send an API key in the header X-TRACKER-API-KEY, for example.',
  ),
  login_unread: kind(
    410,
    () =>
      'You must log in before you can do this. Credentials in a body that is over the limits are not read: send them in a header.',
  ),

  // 500-505: accounts
  account_exists: kind(
    500,
    (it: { login: string }) => `There is an account with the login name ${quoted(it.login)} already.`,
  ),
  bad_login_name: kind(
    501,
    (it: { login: string; right: string }) => `${quoted(it.login)} cannot be a login name: ${it.right}.`,
  ),
  joining_off: kind(501, () => 'Users cannot create accounts here: ask an administrator for one.'),
  bad_cc_address: kind(
    501,
    (it: { address: string }) =>
      `${quoted(it.address)} is not an email address: cc_list may contain only email addresses.`,
  ),
  password_too_short: kind(
    502,
    (it: { least: number }) => `The password is too short: it must have at least ${it.least} characters.`,
  ),
  no_such_user_to_copy: kind(
    504,
    (it: { login: string }) => `There is no user ${quoted(it.login)} who could be on a CC list.`,
  ),
  user_kept_out: kind(
    504,
    (it: { login: string }) =>
      `${quoted(it.login)} cannot have a role in the bug: they may not see its product, or may not change bugs in it.`,
  ),
  no_such_changer: kind(
    504,
    (it: { login: string }) => `There is no user ${quoted(it.login)} to look for in the history.`,
  ),
  users_need_login: kind(505, () => 'You must log in to look up users by id or by matching.'),

  // 600-606: attachments
  attachment_too_large: kind(
    600,
    (it: { most: number }) => `The attachment is too large: it must have at most ${it.most} KiB.`,
  ),
  content_type_wrong: kind(
    601,
    (it: { type: string }) => `${quoted(it.type)} is not a content type such as text/plain.`,
  ),
  file_name_empty: kind(603, () => 'An attachment needs a file name.'),
  attachment_summary_empty: kind(604, () => 'An attachment needs a summary.'),
  attachment_empty: kind(606, () => 'The attachment is empty, or its data is not base64.'),

  // 700-706: products
  product_name_empty: kind(700, () => 'A product needs a name.'),
  product_name_too_long: kind(
    701,
    (it: { longest: number }) => `The name of the product is too long: it must have at most ${it.longest} characters.`,
  ),
  product_exists: kind(702, (it: { name: string }) => `There is a product with the name ${quoted(it.name)} already.`),
  product_description_empty: kind(703, () => 'A product needs a description.'),
  product_version_empty: kind(704, () => 'A new product needs a version.'),
  default_milestone_wrong: kind(
    705,
    (it: { product: string; name: string }) =>
      `${quoted(it.name)} cannot be the default milestone of ${quoted(it.product)}: it must be one of its active milestones.`,
  ),
  default_version_wrong: kind(
    706,
    (it: { product: string; name: string }) =>
      `${quoted(it.name)} cannot be the default version of ${quoted(it.product)}: it must be one of its active versions.`,
  ),

  // 800-805: groups
  group_name_empty: kind(800, () => 'A group needs a name.'),
  group_exists: kind(801, (it: { name: string }) => `There is a group with the name ${quoted(it.name)} already.`),
  group_description_empty: kind(802, () => 'A group needs a description.'),
  group_regexp_invalid: kind(
    803,
    (it: { regexp: string; why: string }) => `${quoted(it.regexp)} is not a regular expression: ${it.why}.`,
  ),
  group_not_yours: kind(804, (it: { ref: string }) => `There is no group ${quoted(it.ref)}, or you are not in it.`),
  groups_not_visible: kind(805, () => 'You are not allowed to look at these groups.'),

  // 900: classifications
  classifications_off: kind(900, () => 'Classifications are not used here: the parameter useclassification is off.'),

  // 1000: searches
  quicksearch_empty: kind(1000, () => 'The quicksearch is empty: give at least one word to look for.'),
  nothing_asked: kind(1000, () => 'The search has no criteria: add at least one.'),
  nothing_known_asked: kind(
    1000,
    (it: { names: readonly string[] }) => `The search has no known criteria, only unknown ones: ${listed(it.names)}.`,
  ),
  search_too_slow: kind(1001, () => 'The search took too long and was stopped: use more specific criteria.'),

  // 1101-1105: flag types
  flag_type_name_invalid: kind(
    1101,
    (it: { name: string; longest: number }) =>
      `${quoted(it.name)} cannot be the name of a flag type: it must be 1 to ${it.longest} characters without spaces or commas.`,
  ),
  flag_type_description_empty: kind(1102, () => 'A flag type needs a description.'),
  flag_type_cc_list_too_long: kind(
    1103,
    (it: { longest: number }) =>
      `cc_list is too long: all addresses together must have at most ${it.longest} characters.`,
  ),
  flag_type_sort_key_invalid: kind(
    1104,
    (it: { least: number; most: number }) => `sortkey must be a whole number from ${it.least} to ${it.most}.`,
  ),
  flag_type_not_editable: kind(
    1105,
    (it: { name: string; why: string }) => `You are not allowed to change the flag type ${quoted(it.name)}: ${it.why}.`,
  ),

  // 1200-1202: components
  component_exists: kind(
    1200,
    (it: { product: string; name: string }) =>
      `The product ${quoted(it.product)} has a component with the name ${quoted(it.name)} already.`,
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

  // 32000 and up: the call itself
  unreadable_body: kind(32000, (it: { why: string }) => `The body cannot be parsed: ${it.why}.`),
  body_over_limits: kind(32000, (it: { why: string }) => `The body cannot be parsed: ${it.why}.`),
  one_at_a_time: kind(
    32000,
    (it: { name: string; what: string }) =>
      `${it.name} must differ for each ${it.what}, so only one ${it.what} can be changed at a time.`,
  ),
  locked_out: kind(
    32000,
    (it: { until: string }) => `Too many failed attempts: this account is locked for your address until ${it.until}.`,
  ),
  logout_token_wrong: kind(32000, () => 'The logout token is not valid.', 400),
  changed_meanwhile: kind(32000, () => 'The bug has changed since you read it: read it again.', 412),
  key_used_otherwise: kind(
    32000,
    () => 'This Idempotency-Key was already used for a different request: use a new one.',
    422,
  ),
  name_taken: kind(
    32000,
    (it: { what: string; name: string }) => `There is a ${it.what} with the name ${quoted(it.name)} already.`,
  ),
  quicksearch_wrong: kind(
    32000,
    (it: { word: string; position: number; why: string }) =>
      `The quicksearch cannot be parsed at ${quoted(it.word)} (character ${it.position}): ${it.why}.`,
  ),
  search_too_large: kind(
    32000,
    (it: { what: string; most: number }) => `The search is too large: it can have at most ${it.most} ${it.what}.`,
  ),
  no_such_operator: kind(32000, (it: { name: string }) => `There is no search operator ${quoted(it.name)}.`),
  new_account_limit: kind(
    32000,
    (it: { most: number; what: string }) =>
      `Your account is new: in its first days it can write ${it.most} ${it.what} per day. Try again tomorrow.`,
    429,
  ),
  new_account_denied: kind(
    32000,
    () => 'Your account is new, and the text contains words or links that new accounts cannot write here.',
  ),
  refused: kind(32000, (it: { why: string }) => `${it.why}.`),
  no_administrator_left: kind(
    32000,
    () => 'This would leave no enabled account in the group admin: add another member first.',
  ),
  bad_address: kind(32000, () => 'The URL of the request cannot be parsed: it contains an invalid percent encoding.'),
  body_too_large: kind(
    32000,
    (it: { limit: number }) => `The body is too large: it must have at most ${it.limit} bytes.`,
    413,
  ),
  address_too_long: kind(
    32000,
    (it: { limit: number }) => `The URL is too long: it must have at most ${it.limit} characters.`,
    414,
  ),
  headers_too_large: kind(32000, () => 'The headers of the request are too large.', 431),
  too_slow: kind(32000, () => 'The request took too long to arrive.', 408),
  host_required: kind(32000, () => 'The request has no header Host, which HTTP/1.1 requires.'),
  unreadable_request: kind(32000, () => 'The request cannot be parsed: it is not valid HTTP.'),
  too_many_requests: kind(
    32000,
    (it: { seconds: number }) => `You sent too many requests: try again in ${it.seconds} seconds.`,
    429,
  ),
  too_many_listeners: kind(
    32000,
    (it: { most: number; seconds: number }) =>
      `You have too many listeners: at most ${it.most} are allowed at once. End one of them, or try again in ${it.seconds} seconds.`,
    429,
  ),
  overloaded: kind(
    32000,
    (it: { seconds: number }) => `The server is too busy: try again in ${it.seconds} seconds.`,
    503,
    (it) => ({ 'Retry-After': String(it.seconds) }),
  ),
  responses_unread: kind(
    32000,
    (it: { seconds: number }) =>
      `Too many responses wait to be read: read those that you requested before, or try again in ${it.seconds} seconds.`,
    503,
    (it) => ({ 'Retry-After': String(it.seconds) }),
  ),
  files_unavailable: kind(
    32000,
    (it: { seconds: number }) => `The file cannot be stored at the moment: try again in ${it.seconds} seconds.`,
    503,
    (it) => ({ 'Retry-After': String(it.seconds) }),
  ),
  file_unreadable: kind(
    32000,
    (it: { seconds: number }) =>
      `The content of the attachment cannot be read at the moment: try again in ${it.seconds} seconds.`,
    503,
    (it) => ({ 'Retry-After': String(it.seconds) }),
  ),
  database_unavailable: kind(
    32000,
    (it: { seconds: number }) => `The database cannot be used at the moment: try again in ${it.seconds} seconds.`,
    503,
    (it) => ({ 'Retry-After': String(it.seconds) }),
  ),
  outdated_server: kind(
    32000,
    (it: { release: string; oldest: string; seconds: number }) =>
      `A newer release has migrated the database: this server (${it.release}) only reads, and release ${it.oldest} or newer may write.`,
    503,
    (it) => ({ 'Retry-After': String(it.seconds) }),
  ),
  client_left: kind(32000, () => 'The client closed the connection before it was answered.', 499),
  unknown_parameter: kind(
    32601,
    (it: { name: string; known: string }) =>
      `There is no parameter ${quoted(it.name)} here. The parameters are: ${it.known}.`,
  ),
  bad_callback: kind(
    32611,
    () => 'callback may contain only letters, digits and the characters _ . [ ], and at most 128 characters.',
  ),
  not_json: kind(
    32613,
    () => 'A write needs the header Content-Type: application/json and a JSON object as its body.',
    415,
  ),
  no_such_resource: kind(
    32614,
    (it: { method: string; path: string }) =>
      `There is no call ${it.method} ${shortened(it.path)}. See /rest/docs for all calls.`,
  ),
  wrong_method: kind(
    32614,
    (it: { method: string; allowed: string }) => `${it.method} is not allowed here, only ${it.allowed}.`,
    405,
  ),
  bug_deletion_off: kind(
    32614,
    () => 'DELETE is allowed here only while the parameter allowbugdeletion is on.',
    405,
    () => ({ Allow: 'GET, PUT, HEAD, OPTIONS' }),
  ),
  internal: kind(
    100500,
    (it: { id: string }) => `An internal error occurred. The administrator finds it in the log under ${it.id}.`,
    500,
  ),
  not_ready: kind(
    100500,
    (it: { why: string; seconds: number }) => `The tracker is not ready: ${it.why}.`,
    503,
    (it) => ({ 'Retry-After': String(it.seconds) }),
  ),
}

/** The meaning of each number, for the page that an error's `documentation` points to. */
export const meanings: Readonly<Record<number, string>> = {
  50: 'A parameter that the call needs is missing or empty.',
  51: 'The named object does not exist.',
  52: 'A whole number was expected.',
  53: 'A parameter has a value that is not allowed, or is of the wrong type.',
  54: 'A number is larger than it may be.',
  55: 'A number is smaller than it may be.',
  56: 'A date or time cannot be parsed.',
  57: 'The id of a comment was expected, which is a whole number.',
  58: 'A plain value or a list of plain values was expected, but the parameter is nested.',
  100: 'No bug has this alias, and it is not a number.',
  101: 'No bug has this number.',
  102: 'The bug exists, but the caller may not see it.',
  103: 'An alias cannot be used: too long, a number, with spaces or commas, taken, or given to several bugs at once.',
  104: 'A text is longer than it may be, or a value is not one of those to choose from.',
  105: 'The product does not have the component, or its name is empty or too long.',
  106: 'The product does not exist, or the caller may not use it. The error is the same for both.',
  107: 'A bug cannot be without a summary.',
  108: 'There is no field of this name, or this cannot be done with the field.',
  109: 'The caller may not change bugs of this product: its group controls do not allow it.',
  110: 'The comment is private and the caller is not an insider.',
  111: 'No comment has this number.',
  112: 'The URL is not that of a bug in a tracker that See Also supports.',
  113: 'The caller is not an insider and tried to make something private, or public.',
  114: 'A comment is longer than it may be.',
  115: 'The caller may see the bug, but not change this field of it.',
  116: 'Bugs would depend on each other in a circle.',
  117: 'The comment belongs to another bug.',
  118: 'A bug would, through others, be its own duplicate.',
  119: 'A duplicate needs the bug that it duplicates.',
  120: 'The group does not exist, is not used by the product, or the caller may not set it. The error is the same for all of these.',
  121: 'A closed bug needs a resolution.',
  122: 'An open bug has no resolution.',
  123: 'The workflow does not allow this change of status, or not for the caller.',
  125: 'Tags on comments are switched off: the parameter comment_taggers_group is empty.',
  126: 'A tag contains characters that are not allowed.',
  127: 'A tag is too long.',
  128: 'A tag is too short.',
  129: 'A flag cannot have this status.',
  130: 'The caller may not set this status of the flag.',
  131: 'The flag cannot have a requestee.',
  132: 'Several flags match: an id says which is meant.',
  133: 'Several flag types match: a type_id says which is meant.',
  134: 'The flag type is inactive, so new flags cannot be set.',
  140: 'The comment is in Markdown, which this installation does not allow.',
  300: 'The login name or password is wrong. The error is the same if the account does not exist.',
  301: 'The account has been disabled by an administrator; the message has the reason.',
  304: 'You are logged in, but lack the right to do this. The message says which group has it.',
  305: 'The password lacks the kinds of characters that this installation requires, is one of the most common ones, or is the name of its user.',
  306: 'The API key is unknown, revoked or expired.',
  307: 'The login token is unknown, was logged out, has expired, or is restricted to another address.',
  308: 'The change needs a session whose password was checked a short time ago.',
  309: 'The link from a mail is unknown, was used already or has expired.',
  310: 'The password is right, but the account has a second factor: a code is needed too.',
  311: 'The code of a second factor is wrong, has expired or was used already.',
  312: 'The user must have a second factor and has none. Until there is one, the session can only be used to add it.',
  313: 'The account must log in through a provider of OpenID Connect, not with a password or a passkey.',
  314: 'The provider of OpenID Connect did not confirm who the user is, or the user has no account here.',
  315: 'The answer of a passkey is not valid for this request. The error is the same if the passkey is not known.',
  316: 'Passkeys do not work at the address of this server: they need https and a host name, or localhost.',
  410: 'The call requires a login.',
  500: 'Another account has this login name.',
  501: 'The login name, or an address in a list, is not a valid address, or users cannot create accounts with it themselves.',
  502: 'The password is too short.',
  504: 'A user for the CC list, or in a search of the history, does not exist, or cannot have a role in bugs of the product.',
  505: 'Anonymous callers may look up users only by their exact login name.',
  600: 'The attachment is larger than the parameter maxattachmentsize allows.',
  601: 'The content type is missing or invalid.',
  603: 'The file name of the attachment is missing.',
  604: 'The summary of the attachment is missing.',
  606: 'The attachment has no content.',
  700: 'The name of the product is empty.',
  701: 'The name of the product is too long.',
  702: 'Another product has this name. Letter case makes no difference.',
  703: 'The description of the product is empty.',
  704: 'A new product has no version.',
  705: 'The default milestone is not one of the product’s active milestones.',
  706: 'The default version is not one of the product’s active versions.',
  800: 'The name of the group is empty.',
  801: 'Another group has this name. Letter case makes no difference.',
  802: 'The description of the group is empty.',
  803: 'The regular expression of the group cannot be used.',
  804: 'The group does not exist or the caller is not a member.',
  805: 'The caller may neither administer groups nor bless the requested ones.',
  900: 'The parameter useclassification is off, and the caller is not in editclassifications.',
  1000: 'The search has no criteria, which is not allowed here.',
  1001: 'The search was stopped because it took too long.',
  1101: 'The name of a flag type is empty or too long, or contains a space or a comma.',
  1102: 'The description of a flag type is empty.',
  1103: 'The list of addresses of a flag type is too long.',
  1104: 'The sort key of a flag type is out of range, or is not a number.',
  1105: 'The caller does not administer the products that the flag type applies to, or not all of them.',
  1200: 'Another component of the product has this name. Letter case makes no difference.',
  1201: 'The last component of a product cannot be deleted.',
  1202: 'A component that has bugs can only be deleted while the parameter allowbugdeletion is on.',
  32000: 'An error without a number of its own; the message says what is wrong.',
  32601: 'An update has an unknown parameter.',
  32611: 'The name of the JSONP callback contains characters that are not allowed.',
  32613: 'A write was sent without the content type application/json.',
  32614: 'There is no call with this path, or not with this method.',
  100500: 'An internal error. Nothing was changed.',
}

type Catalogue = typeof catalogue
export type ErrorName = keyof Catalogue

/** `errors.no_such_object({ what, ref })` creates the error; missing or misspelt data does not compile. */
export const errors = Object.fromEntries(
  Object.entries(catalogue).map(([name, it]) => [
    name,
    (data: never) => {
      const error = new ApiError(name as ErrorName, it.code, it.status, it.sentence(data))
      if (it.headers !== undefined) Object.assign(error.headers, it.headers(data))
      return error
    },
  ]),
) as unknown as { [Name in ErrorName]: (...data: Parameters<Catalogue[Name]['sentence']>) => ApiError }

export const errorNumbers = Object.fromEntries(
  Object.entries(catalogue).map(([name, it]) => [name, it.code]),
) as Record<ErrorName, number>

/** Every error as the documentation lists it. */
export const errorKinds = Object.entries(catalogue).map(([name, { code, status }]) => ({ name, code, status }))

/** An error that is sent to the client, as opposed to a bug of ours. */
export class ApiError extends Error {
  readonly reason: ErrorName
  readonly code: number
  readonly status: number
  headers: Record<string, string> = {}

  constructor(reason: ErrorName, code: number, status: number, message: string) {
    super(masked(message))
    this.reason = reason
    this.code = code
    this.status = status
  }

  withHeader(name: string, value: string) {
    this.headers[name] = value
    return this
  }
}

function kind<Details = void>(
  code: number,
  sentence: (it: Details) => string,
  status = statusOf(code),
  headers?: (it: Details) => Record<string, string>,
) {
  return { code, status, sentence, headers }
}

/** compat: forbidden is 401, never 403; numbers that are not listed are 400. */
function statusOf(code: number) {
  if ([51, 101, 32614].includes(code)) return 404
  return [102, 106, 109, 110, 113, 115, 120, 300, 301, 302, 303, 304, 410, 504, 505].includes(code) ? 401 : 400
}

function because(hint: string | undefined) {
  return hint ? `: ${hint}` : ''
}

function quoted(text: string) {
  return `“${shortened(text)}”`
}

function shown(value: unknown) {
  return typeof value === 'string' ? quoted(value) : shortened(JSON.stringify(value) ?? 'nothing')
}

/** The first few of several names. */
function listed(names: readonly string[]) {
  return [...names.slice(0, MOST_LISTED).map(shortened), ...(names.length > MOST_LISTED ? ['…'] : [])].join(', ')
}

const MOST_LISTED = 10

/**
 * A message repeats the beginning of the input without credentials. They are masked before the text is cut, or half a
 * key could remain.
 */
function shortened(text: string) {
  const shown = masked(text.slice(0, MOST_LOOKED_AT))
  return shown.length > MOST_REPEATED ? `${shown.slice(0, MOST_REPEATED).replace(/[\ud800-\udbff]$/, '')}…` : shown
}

const MOST_REPEATED = 40
/** A credential that begins within the repeated part ends within this limit, or is cut as a whole. */
const MOST_LOOKED_AT = 10_000
