/** Who does what with the bugs of a product. Users are named by the part of their login names before the @. */
export interface Team {
  reporters: readonly string[]
  triagers: readonly string[]
  developers: readonly string[]
  testers: readonly string[]
}

const STAFF = ['bo', 'chidi', 'dana', 'emil', 'farah', 'hugo', 'kavya', 'lena', 'marco']

export const teams: Readonly<Record<string, Team>> = {
  'Weather Station': {
    reporters: ['jun', 'noor', 'otto', 'marco', 'emil', 'hugo'],
    triagers: ['emil', 'marco'],
    developers: ['chidi', 'bo'],
    testers: ['emil'],
  },
  'Station Firmware': {
    reporters: ['emil', 'kavya', 'jun', 'otto', 'marco', 'noor'],
    triagers: ['emil', 'chidi'],
    developers: ['chidi', 'kavya'],
    testers: ['emil'],
  },
  'Weather Portal': {
    reporters: ['jun', 'noor', 'ines', 'emil', 'marco', 'lena'],
    triagers: ['emil', 'bo'],
    developers: ['dana', 'lena'],
    testers: ['emil'],
  },
  'Helios Gateway': {
    reporters: ['ines', 'dana'],
    triagers: ['dana'],
    developers: ['dana', 'lena'],
    testers: ['lena'],
  },
  'Office & IT': { reporters: STAFF, triagers: ['hugo'], developers: ['hugo'], testers: ['hugo'] },
  'Data Logger': { reporters: ['jun', 'noor', 'otto'], triagers: ['bo'], developers: ['bo'], testers: ['bo'] },
}

export function isStaff(name: string): boolean {
  return STAFF.includes(name)
}

/** The reporters who are customers, by the values of the custom field. */
export const customers: Readonly<Record<string, string>> = { ines: 'Helios', otto: 'Mountain rescue' }
