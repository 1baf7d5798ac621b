/**
 * A made-up company, small enough to explore and large enough to be realistic: it makes weather stations, their
 * firmware and the portal for the measurements. A fresh server gets all of it through the REST API (set-up.ts).
 */
import { COMPANY, DOMAIN } from './people.ts'

/** Members of `member_groups` are members of the group. */
export const groups = [
  { name: 'staff', description: `Everybody at ${COMPANY}`, user_regexp: `@skylark\\.example$` },
  { name: 'security', description: 'Looks after vulnerabilities; sees bugs that are kept secret' },
  {
    name: 'helios',
    description: 'Whoever works on the gateway for our customer Helios',
    member_groups: ['gateway-team'],
  },
  { name: 'gateway-team', description: 'Our own people who work for Helios', is_bug_group: false },
  { name: 'firmware-leads', description: 'Decides what the firmware consists of' },
  { name: 'release-managers', description: 'Decides what goes into a release', is_bug_group: false },
]

/** The regular expressions of system groups. The default of editbugs matches every user. */
export const regexps = { editbugs: '@skylark\\.example$', canconfirm: '@skylark\\.example$' }

export const parameters = {
  useclassification: true,
  insidergroup: 'staff',
  timetrackinggroup: 'staff',
  letsubmitterchoosepriority: false,
  announcehtml: 'This is a demo: all data is deleted when it ends.',
}

export const classifications = [
  { name: 'Hardware', description: 'Things that one can drop on one’s foot', sort_key: 10 },
  { name: 'Software', description: 'Everything that runs on them, and on our servers', sort_key: 20 },
  { name: 'Internal', description: 'What nobody outside needs to see', sort_key: 30 },
]

export const groupControls = [
  { product: 'Station Firmware', group: 'security', membercontrol: 'Shown', othercontrol: 'Shown' },
  { product: 'Station Firmware', group: 'firmware-leads', editcomponents: true },
  { product: 'Weather Portal', group: 'security', membercontrol: 'Default', othercontrol: 'NA' },
  { product: 'Weather Portal', group: 'staff', membercontrol: 'Shown', othercontrol: 'NA' },
  { product: 'Helios Gateway', group: 'helios', entry: true, membercontrol: 'Mandatory', othercontrol: 'Mandatory' },
  { product: 'Office & IT', group: 'staff', entry: true, membercontrol: 'Mandatory', othercontrol: 'Mandatory' },
]

export const keywords = [
  { name: 'crash', description: 'It stops, or starts anew by itself.' },
  { name: 'data-loss', description: 'Measurements are gone.' },
  { name: 'easy', description: 'Good for a first contribution.' },
  { name: 'needs-hardware', description: 'Cannot be worked on without a station on the desk.' },
  { name: 'regression', description: 'It worked in an earlier release.' },
]

/** One field of each type; some are shown only with certain values of another. */
export const fields = [
  {
    name: 'cf_serial',
    display_name: 'Serial number',
    type: 'free text',
    is_on_bug_entry: true,
    visibility_field: 'product',
    visibility_values: ['Weather Station', 'Station Firmware'],
  },
  {
    name: 'cf_found_by',
    display_name: 'Found by',
    type: 'single select',
    is_on_bug_entry: true,
    values: ['Customer', 'Field test', 'Our tests', 'Production'],
  },
  {
    name: 'cf_customer',
    display_name: 'Customer',
    type: 'single select',
    visibility_field: 'cf_found_by',
    visibility_values: ['Customer'],
    is_on_bug_entry: true,
    values: ['Helios', 'Mountain rescue', 'A private person'],
  },
  {
    name: 'cf_regions',
    display_name: 'Regions',
    type: 'multi select',
    values: ['Alps', 'Coast', 'Lowlands', 'Tropics'],
  },
  {
    name: 'cf_root_cause',
    display_name: 'Root cause',
    type: 'large text',
    visibility_field: 'resolution',
    visibility_values: ['FIXED'],
  },
  { name: 'cf_first_seen', display_name: 'First seen', type: 'date time', is_on_bug_entry: true },
  {
    name: 'cf_recall',
    display_name: 'Recalled on',
    type: 'date',
    visibility_field: 'cf_found_by',
    visibility_values: ['Production'],
  },
  { name: 'cf_caused_by', display_name: 'Caused by', type: 'bug id', reverse_name: 'Causes' },
  { name: 'cf_stations', display_name: 'Stations affected', type: 'integer' },
]

/** A custom status, with its transitions. */
export const waiting = {
  status: { name: 'WAITING', is_open: true, sort_key: 350 },
  transitions: [
    { from: 'CONFIRMED', to: 'WAITING', comment_required: true },
    { from: 'IN_PROGRESS', to: 'WAITING', comment_required: true },
    { from: 'WAITING', to: 'CONFIRMED' },
    { from: 'WAITING', to: 'IN_PROGRESS' },
    { from: 'WAITING', to: 'RESOLVED' },
  ],
}

export const flagTypes = [
  { name: 'needinfo', description: 'Somebody knows more.', is_question: true, exclusions: ['Data Logger'] },
  {
    name: 'blocks-release',
    description: 'Must be done before the next release.',
    inclusions: ['Station Firmware', 'Weather Portal'],
    grant_group: 'release-managers',
    request_group: 'staff',
    is_specifically_requestable: false,
    is_multiplicable: false,
    sortkey: 10,
  },
  {
    name: 'security-review',
    description: 'Somebody of security should look at this.',
    exclusions: ['Office & IT', { 'Weather Station': ['Assembly guide', 'Housing'] }],
    grant_group: 'security',
    cc_list: [`security@${DOMAIN}`],
    sortkey: 20,
  },
  { name: 'review', description: 'Please read this patch.', target_type: 'attachment' },
  {
    name: 'backport',
    description: 'Also into the stations that are out there.',
    target_type: 'attachment',
    inclusions: [{ 'Station Firmware': ['Bootloader', 'Radio'] }],
    grant_group: 'firmware-leads',
    sortkey: 10,
  },
]
