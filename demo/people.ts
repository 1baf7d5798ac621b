/** The employees of the company, and the reporters from outside. */
export const COMPANY = 'Skylark Instruments'
export const DOMAIN = 'skylark.example'

export const administrator = { login: `ada@${DOMAIN}`, name: 'Ada Lindqvist', about: 'administers everything' }

export const people = [
  {
    login: `bo@${DOMAIN}`,
    name: 'Bo Marsh',
    about: 'manages the products',
    groups: ['editcomponents', 'editclassifications', 'editkeywords', 'release-managers'],
  },
  {
    login: `chidi@${DOMAIN}`,
    name: 'Chidi Okafor',
    about: 'leads the firmware, and administers that product',
    groups: ['firmware-leads'],
  },
  {
    login: `dana@${DOMAIN}`,
    name: 'Dana Weiss',
    about: 'builds the portal, and works for Helios',
    groups: ['gateway-team'],
  },
  { login: `emil@${DOMAIN}`, name: 'Emil Novak', about: 'tests', groups: [] },
  { login: `farah@${DOMAIN}`, name: 'Farah Aziz', about: 'looks after security', groups: ['security'] },
  {
    login: `hugo@${DOMAIN}`,
    name: 'Hugo Brandt',
    about: 'runs the help desk, and looks after accounts',
    groups: ['editusers'],
  },
  {
    login: 'ines@helios.example',
    name: 'Ines Roy',
    about: 'is a customer: sees the gateway and what is public',
    groups: ['helios'],
  },
  { login: `kavya@${DOMAIN}`, name: 'Kavya Rao', about: 'writes firmware', groups: [] },
  {
    login: `lena@${DOMAIN}`,
    name: 'Lena Fischer',
    about: 'builds the portal, and helps with the gateway',
    groups: ['gateway-team'],
  },
  { login: `marco@${DOMAIN}`, name: 'Marco Bianchi', about: 'answers customers, and looks after returns', groups: [] },
  { login: 'jun@example.net', name: 'Jun Park', about: 'reports from outside, without any rights', groups: [] },
  { login: 'noor@example.org', name: 'Noor Haddad', about: 'has a station in the garden', groups: [] },
  { login: 'otto@rescue.example', name: 'Otto Brunner', about: 'has forty stations in the mountains', groups: [] },
]

/** By the part of a login name before the @. */
export function loginOf(name: string): string {
  return people.find(({ login }) => login.startsWith(`${name}@`))?.login ?? name
}
