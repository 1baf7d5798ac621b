/** The data of a large organisation, which the test creates through calls and reads back. */

export const classifications = [
  { name: 'Vessels', description: 'What floats.', sort_key: 10 },
  { name: 'Shore', description: 'What does not.', sort_key: 20 },
]

interface Group {
  name: string
  /** The first and last number of its direct members. */
  people?: readonly [first: number, last: number]
  user_regexp?: string
  /** Groups whose members are members of this one. */
  members?: readonly string[]
  is_bug_group?: boolean
}

export const groups: readonly Group[] = [
  { name: 'staff', user_regexp: '@harbour\\.test$', is_bug_group: false },
  { name: 'deck', people: [1, 8] },
  { name: 'engine', people: [9, 16] },
  { name: 'crew', members: ['deck', 'engine'] },
  { name: 'admirals', people: [17, 19] },
  { name: 'naval', people: [20, 22], members: ['admirals'] },
  { name: 'sales', people: [23, 30] },
  { name: 'crane-crew', people: [31, 34] },
  { name: 'salvage', people: [35, 36] },
  { name: 'auditors', people: [37, 38], is_bug_group: false },
]

export const PEOPLE = 40

/** The last one is from outside the organisation. */
export function loginOf(number: number) {
  return `p${String(number).padStart(2, '0')}@${number === PEOPLE ? 'elsewhere' : 'harbour'}.test`
}

/** All members of the group, direct, by regexp or through another group, without the administrator. */
export function membersOf(name: string): string[] {
  const group = groups.find((it) => it.name === name)
  if (!group) throw new Error(`There is no group ${name}`)
  const numbers = Array.from({ length: PEOPLE }, (_, index) => index + 1)
  const [first = 1, last = 0] = group.people ?? []
  const own = numbers.filter((number) => number >= first && number <= last).map(loginOf)
  const matching = group.user_regexp ? numbers.map(loginOf).filter((it) => it.endsWith('@harbour.test')) : []
  return [...new Set([...own, ...matching, ...(group.members ?? []).flatMap(membersOf)])].sort()
}

interface Product {
  name: string
  description: string
  classification: string
  is_open?: boolean
  has_unconfirmed?: boolean
  versions: readonly string[]
  milestones: readonly (readonly [name: string, sortKey: number])[]
  components: readonly (readonly [name: string, assignee: number, qaContact?: number])[]
  controls: Readonly<Record<string, object>>
}

export const products: readonly Product[] = [
  {
    name: 'Crane',
    description: 'Lifts things.',
    classification: 'Shore',
    versions: ['1.9', '1.10'],
    milestones: [['Overhaul', 5]],
    components: [
      ['Boom', 31],
      ['Hoist', 32, 33],
    ],
    controls: {
      'crane-crew': { editcomponents: true, editbugs: true, canconfirm: true },
      salvage: { membercontrol: 1 },
    },
  },
  {
    name: 'Ferry',
    description: 'Carries people.',
    classification: 'Vessels',
    has_unconfirmed: false,
    versions: ['Mark II', 'Mark I'],
    milestones: [
      ['Summer', 20],
      ['Spring', 10],
    ],
    components: [
      ['Bridge', 1, 2],
      ['Engine', 9],
      ['Galley', 3],
    ],
    controls: { crew: { canedit: true, membercontrol: 'Default', othercontrol: 'NA' } },
  },
  {
    name: 'Lighthouse',
    description: 'Was switched off.',
    classification: 'Shore',
    is_open: false,
    versions: ['1850'],
    milestones: [],
    components: [['Lamp', 38]],
    controls: {},
  },
  {
    name: 'Tickets/Web',
    description: 'Sells what the ferry carries.',
    classification: 'Shore',
    versions: ['2'],
    milestones: [],
    components: [
      ['Shop', 23],
      ['Bank', 24, 25],
    ],
    controls: { sales: { entry: true } },
  },
  {
    name: 'Tug',
    description: 'Pulls warships.',
    classification: 'Vessels',
    versions: ['A', 'B'],
    milestones: [['Launch', 0]],
    components: [
      ['Winch', 20],
      ['Guns', 17, 18],
    ],
    controls: { naval: { entry: true, membercontrol: 'Mandatory', othercontrol: 'Mandatory', editbugs: true } },
  },
]

export const SECRET = 'Tug'
export const CLOSED = 'Lighthouse'

/** In the order of creation: controlling fields come first. One field of every type, and a chain of four. */
export const fields = [
  {
    name: 'cf_kind',
    type: 2,
    display_name: 'Kind of vessel',
    sort_key: 7000,
    is_on_bug_entry: true,
    visibility_field: 'product',
    visibility_values: ['Ferry', 'Tug'],
    values: ['passenger', 'cargo', 'warship'],
  },
  {
    name: 'cf_drive',
    type: 2,
    display_name: 'Drive',
    sort_key: 7010,
    visibility_field: 'cf_kind',
    visibility_values: ['cargo', 'warship'],
    value_field: 'cf_kind',
    values: [
      { name: 'diesel', visibility_values: ['cargo'] },
      { name: 'turbine', visibility_values: ['warship'] },
      'sail',
    ],
  },
  {
    name: 'cf_turbine_note',
    type: 1,
    display_name: 'About the turbine',
    sort_key: 7020,
    visibility_field: 'cf_drive',
    visibility_values: ['turbine'],
  },
  { name: 'cf_ports', type: 3, display_name: 'Ports', sort_key: 7030, values: ['North', 'South', 'East'] },
  { name: 'cf_log', type: 4, display_name: 'Log', sort_key: 7040, is_mandatory: true },
  { name: 'cf_seen', type: 5, display_name: 'Seen at', sort_key: 7050 },
  { name: 'cf_twin', type: 6, display_name: 'Twin', sort_key: 7060, reverse_name: 'Twin of' },
  { name: 'cf_due', type: 9, display_name: 'Due on', sort_key: 7070 },
  { name: 'cf_knots', type: 10, display_name: 'Knots', sort_key: 7080, is_on_bug_entry: true },
  {
    name: 'cf_code',
    type: 1,
    display_name: 'Code name',
    sort_key: 7090,
    visibility_field: 'product',
    visibility_values: [SECRET],
  },
]

export const flagTypes = [
  { name: 'needinfo', description: 'More is to be known.', sortkey: 1 },
  {
    name: 'sign-off',
    description: 'May sail.',
    sortkey: 2,
    inclusions: ['Ferry', SECRET],
    exclusions: { Ferry: ['Galley'] },
    grant_group: 'crew',
    is_multiplicable: false,
  },
  {
    name: 'salute',
    description: 'For warships.',
    sortkey: 3,
    inclusions: [SECRET],
    is_specifically_requestable: false,
  },
  {
    name: 'inspection',
    description: 'Somebody looked at the plan.',
    target_type: 'attachment',
    inclusions: { Crane: ['Hoist'] },
    cc_list: ['office@harbour.test'],
  },
]

/** The flag types of bugs and of attachments that apply in a component. */
export function flagTypesIn(product: string, component: string) {
  const bug = ['needinfo']
  if ((product === 'Ferry' && component !== 'Galley') || product === SECRET) bug.push('sign-off')
  if (product === SECRET) bug.push('salute')
  return { bug, attachment: product === 'Crane' && component === 'Hoist' ? ['inspection'] : [] }
}

export const statuses = [
  { name: 'MOORED', is_open: true, sort_key: 150 },
  { name: 'SUNK', is_open: false, sort_key: 600 },
]

export const transitions = [
  { from: null, to: 'UNCONFIRMED', comment_required: false },
  { from: null, to: 'MOORED', comment_required: true },
  { from: 'UNCONFIRMED', to: 'MOORED', comment_required: false },
  { from: 'UNCONFIRMED', to: 'RESOLVED', comment_required: false },
  { from: 'MOORED', to: 'IN_PROGRESS', comment_required: false },
  { from: 'MOORED', to: 'RESOLVED', comment_required: false },
  { from: 'CONFIRMED', to: 'RESOLVED', comment_required: false },
  { from: 'IN_PROGRESS', to: 'RESOLVED', comment_required: false },
  { from: 'IN_PROGRESS', to: 'SUNK', comment_required: true },
  { from: 'RESOLVED', to: 'MOORED', comment_required: true },
  { from: 'VERIFIED', to: 'RESOLVED', comment_required: false },
  { from: 'SUNK', to: 'RESOLVED', comment_required: false },
]
