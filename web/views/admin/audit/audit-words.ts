// What the audit log calls fields and values, in the words of the pages.

interface Entry {
  class: string
  field: string
}

/** By the field, or by class and field where one name means several things. */
const FIELDS: ReadonlyMap<string, string> = new Map([
  ['allowed', 'what is allowed'],
  ['anonymised', 'who they are'],
  ['bless_groups', 'whose members they choose'],
  ['Group bless_groups', 'who chooses its members'],
  ['bug_template', 'the template'],
  ['canconfirm', 'who confirms bugs'],
  ['canedit', 'who changes bugs'],
  ['cc_list', 'who else gets mail'],
  ['comment_required', 'whether a comment is needed'],
  ['default_assignee', 'the owner'],
  ['default_cc', 'the CC list'],
  ['default_milestone', 'the milestone of new bugs'],
  ['default_qa_contact', 'the QA contact'],
  ['default_version', 'the version of new bugs'],
  ['display_name', 'the label'],
  ['editbugs', 'who changes all of bugs'],
  ['editcomponents', 'who administers it'],
  ['email', 'the address'],
  ['email_enabled', 'whether mail is sent'],
  ['entry', 'who files bugs'],
  ['exclusions', 'where it does not apply'],
  ['factors', 'second factors'],
  ['full_name', 'the name'],
  ['grant_group', 'who grants it'],
  ['has_unconfirmed', 'whether new bugs can be unconfirmed'],
  ['hidden_activity', 'what is hidden of what they wrote'],
  ['icon_url', 'the icon'],
  ['inclusions', 'where it applies'],
  ['is_active', 'whether it is in use'],
  ['Group is_active', 'whether bugs can be restricted to it'],
  ['Webhook is_active', 'whether it is on'],
  ['is_bug_group', 'whether it restricts bugs'],
  ['is_mandatory', 'whether it must be filled in'],
  ['is_multiplicable', 'whether there can be several'],
  ['is_obsolete', 'whether it is no longer used'],
  ['is_on_bug_entry', 'whether it is shown when filing'],
  ['is_open', 'whether bugs can be filed'],
  ['votesperuser', 'votes per user'],
  ['maxvotesperbug', 'votes per user and bug'],
  ['votestoconfirm', 'votes that confirm a bug'],
  ['is_question', 'whether it is a question'],
  ['is_requestable', 'whether one can ask for it'],
  ['is_specifically_requestable', 'whether a request can name a person'],
  ['login_denied_text', 'whether they can log in'],
  ['member_groups', 'whose members belong to it'],
  ['membercontrol', 'bugs of members'],
  ['othercontrol', 'bugs of others'],
  ['replaced_with', 'the value of all bugs'],
  ['request_group', 'who asks for it'],
  ['sort_key', 'the order'],
  ['sortkey', 'the order'],
  ['transitions', 'steps'],
  ['triage_owner', 'who triages it'],
  ['triage_rotation', 'the rotation that triages it'],
  ['aim_days', 'how long a bug should wait'],
  ['time_zone', 'the time zone'],
  ['user_regexp', 'the pattern'],
  ['value_field', 'what its values depend on'],
  ['visibility_field', 'what it depends on'],
  ['visibility_values', 'when it is shown'],
  ['visible_groups', 'who sees its members'],
])

/** Their values are 1 and 0. */
const SWITCHES: ReadonlySet<string> = new Set([
  ...[...FIELDS.keys()].filter((name) => /^(is|has)_/.test(name)),
  ...[
    'anonymised',
    'canconfirm',
    'canedit',
    'comment_required',
    'editbugs',
    'editcomponents',
    'email_enabled',
    'entry',
  ],
])

export function fieldInWords(entry: Entry): string {
  const { group, part } = controlIn(entry)
  const words = FIELDS.get(`${kindOf(entry)} ${part}`) ?? FIELDS.get(part) ?? part.replaceAll('_', ' ')
  return group === '' ? words : `${group}: ${words}`
}

/** What an empty value means; without an entry here it is nothing. */
const EMPTY: ReadonlyMap<string, string> = new Map([
  ['cc_list', 'nobody'],
  ['default_cc', 'nobody'],
  ['default_qa_contact', 'nobody'],
  ['FlagType exclusions', 'no exception'],
  ['FlagType inclusions', 'every product'],
  ['grant_group', 'everybody'],
  ['request_group', 'everybody'],
])

/** When bugs are restricted to a group, as a product has it. */
export const USES_IN_WORDS = {
  NA: 'never restricted',
  Shown: 'restricted on request',
  Default: 'restricted unless unticked',
  Mandatory: 'always restricted',
} as const
const USES: ReadonlyMap<string, string> = new Map(Object.entries(USES_IN_WORDS))

export function valueInWords(entry: Entry, value: string): string {
  const { part } = controlIn(entry)
  if (value === '') return EMPTY.get(`${kindOf(entry)} ${part}`) ?? EMPTY.get(part) ?? ''
  if (SWITCHES.has(part)) return { 1: 'yes', 0: 'no' }[value] ?? value
  if (part === 'membercontrol' || part === 'othercontrol') return USES.get(value) ?? value
  // A step of the workflow that needs a comment has an asterisk.
  if (part === 'transitions') return value.replaceAll(' > ', ' → ').replaceAll(' *', ' with a comment')
  return value
}

function kindOf({ class: className }: Entry) {
  return className.split('::')[1] ?? className
}

/** What a product allows to a group is logged as `group.field`. */
function controlIn({ class: className, field }: Entry) {
  const dot = className === 'Tracker::GroupControl' ? field.lastIndexOf('.') : -1
  return { group: field.slice(0, Math.max(0, dot)), part: field.slice(dot + 1) }
}
