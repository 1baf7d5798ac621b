/** Users whose roles never change, so that a test can be read without looking them up. */
export interface Person {
  login: string
  realName: string
  apiKey: string
  groups: string[]
}

export const PASSWORD = 'correct horse'

const person = (name: string, realName: string, ...groups: string[]): Person => ({
  login: `${name}@lacewing.test`,
  realName,
  apiKey: `key-of-${name}-${'0'.repeat(20)}`,
  groups,
})

export const cast = {
  /** Administrator. */
  ada: person('ada', 'Administrator', 'admin'),
  /** Reporter, without rights. */
  rhea: person('rhea', 'Rhea Reporter'),
  /** May edit bugs. */
  edna: person('edna', 'Edna Editor', 'editbugs', 'canconfirm'),
  /** Is in security. */
  sven: person('sven', 'Sven Security', 'editbugs', 'canconfirm', 'security'),
  /** Has an account and no rights. */
  stan: person('stan', 'Stan Stranger'),
  /** Manages accounts. */
  uma: person('uma', 'Uma Useradmin', 'editusers'),
  /** Manages groups. */
  greta: person('greta', 'Greta Groupadmin', 'creategroups'),
  /** Sets parameters. */
  pam: person('pam', 'Pam Parameters', 'tweakparams'),
}

export type Name = keyof typeof cast
export const people = Object.values(cast)
