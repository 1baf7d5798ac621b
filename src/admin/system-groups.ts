/**
 * The groups that give rights, with the names that clients and administrators know. Their ids follow from this order.
 */
export const SYSTEM_GROUPS: readonly { name: string; description: string; user_regexp?: string }[] = [
  { name: 'admin', description: 'Administrators: may do everything' },
  { name: 'tweakparams', description: 'May change parameters' },
  { name: 'editusers', description: 'May make and change accounts, and decide who is in which group' },
  { name: 'creategroups', description: 'May make, change and delete groups' },
  { name: 'editclassifications', description: 'May make, change and delete classifications' },
  {
    name: 'editcomponents',
    description: 'May make, change and delete products, components, versions, milestones and flag types',
  },
  { name: 'editkeywords', description: 'May make, change and delete keywords' },
  { name: 'editbugs', description: 'May change every field of a bug', user_regexp: '.*' },
  { name: 'canconfirm', description: 'May confirm a bug, or mark it as a duplicate' },
  { name: 'bz_canusewhineatothers', description: 'May schedule reports for other people' },
  { name: 'bz_canusewhines', description: 'May schedule reports for themselves' },
  { name: 'bz_sudoers', description: 'May act as another user' },
  { name: 'bz_sudo_protect', description: 'Nobody may act as these users' },
  { name: 'bz_quip_moderators', description: 'May approve and remove quips' },
]

/**
 * Members of the first group are members of the second. Members of admin are in every group; creating a group ensures
 * that.
 */
export const SYSTEM_INHERITANCE: readonly { membersOf: string; areIn: string }[] = [
  { membersOf: 'editbugs', areIn: 'bz_canusewhines' },
  { membersOf: 'bz_canusewhineatothers', areIn: 'bz_canusewhines' },
  { membersOf: 'bz_sudoers', areIn: 'bz_sudo_protect' },
]
