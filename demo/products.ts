export interface Component {
  name: string
  description: string
  /** Employees, by the part of their login names before the @. */
  default_assignee: string
  default_qa_contact?: string
  default_cc?: string[]
  is_open?: boolean
}

export interface Product {
  name: string
  description: string
  classification: string
  has_unconfirmed?: boolean
  is_open?: boolean
  versions: string[]
  /** In chronological order. */
  milestones: string[]
  components: Component[]
}

export const products: Product[] = [
  {
    name: 'Weather Station',
    description: 'The station itself: mast, sensors, housing',
    classification: 'Hardware',
    versions: ['Mk 1', 'Mk 2', 'Mk 3'],
    milestones: ['Spring batch', 'Autumn batch'],
    components: [
      {
        name: 'Sensors',
        description: 'Temperature, wind, rain',
        default_assignee: 'chidi',
        default_qa_contact: 'emil',
      },
      { name: 'Housing', description: 'What keeps the rain out', default_assignee: 'bo' },
      { name: 'Power', description: 'Solar panel and battery', default_assignee: 'chidi', default_cc: ['emil'] },
      { name: 'Assembly guide', description: 'The booklet in the box', default_assignee: 'bo' },
      { name: 'Returns', description: 'Stations that come back', default_assignee: 'marco' },
    ],
  },
  {
    name: 'Station Firmware',
    description: 'What runs on the station',
    classification: 'Software',
    versions: ['1.9', '1.10', '2.0', '2.1-beta'],
    milestones: ['2.0.1', '2.1', 'Some day'],
    components: [
      { name: 'Bootloader', description: 'Starts and updates', default_assignee: 'chidi', default_qa_contact: 'emil' },
      { name: 'Radio', description: 'Talks to the gateway', default_assignee: 'chidi', default_qa_contact: 'emil' },
      { name: 'Drivers', description: 'Reads the sensors', default_assignee: 'chidi' },
      { name: 'Serial console', description: 'No longer built', default_assignee: 'chidi', is_open: false },
    ],
  },
  {
    name: 'Weather Portal',
    description: 'Where the measurements can be looked at',
    classification: 'Software',
    versions: ['2025.4', '2026.1', '2026.2'],
    milestones: ['2026.2', '2026.3'],
    components: [
      { name: 'Web pages', description: 'What people see', default_assignee: 'dana', default_qa_contact: 'emil' },
      { name: 'Charts', description: 'Lines and bars', default_assignee: 'dana' },
      { name: 'Accounts', description: 'Logging in', default_assignee: 'dana', default_cc: ['farah'] },
      { name: 'API/Export', description: 'For programs', default_assignee: 'dana' },
    ],
  },
  {
    name: 'Helios Gateway',
    description: 'Made for one customer, and seen by nobody else',
    classification: 'Software',
    has_unconfirmed: false,
    versions: ['1.0', '1.1'],
    milestones: ['1.2'],
    components: [
      { name: 'Modem', description: 'The link to the station', default_assignee: 'dana' },
      { name: 'Billing feed', description: 'What Helios bills its customers by', default_assignee: 'dana' },
    ],
  },
  {
    name: 'Office & IT',
    description: 'Laptops, printers, the coffee machine',
    classification: 'Internal',
    versions: ['now'],
    milestones: [],
    components: [
      { name: 'Laptops', description: 'And what is on them', default_assignee: 'hugo' },
      { name: 'Network', description: 'Cables and air', default_assignee: 'hugo' },
      { name: 'Everything else', description: 'Also the coffee machine', default_assignee: 'hugo' },
    ],
  },
  {
    name: 'Data Logger',
    description: 'Our first product; it is no longer sold, and takes no new bugs',
    classification: 'Hardware',
    is_open: false,
    versions: ['1', '2'],
    milestones: [],
    components: [{ name: 'Everything', description: 'All of it', default_assignee: 'bo' }],
  },
]
