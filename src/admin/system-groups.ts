import { SYSTEM_GROUP_NAMES } from '../../shared/system-group-names.ts'

type SystemGroup = { description: string; user_regexp?: string }

const ABOUT: Readonly<Record<(typeof SYSTEM_GROUP_NAMES)[number], SystemGroup>> = {
  admin: { description: 'Administrators: may do everything' },
  tweakparams: { description: 'May change parameters' },
  editusers: { description: 'May make and change accounts, and decide who is in which group' },
  creategroups: { description: 'May make, change and delete groups' },
  editclassifications: { description: 'May make, change and delete classifications' },
  editcomponents: {
    description: 'May make, change and delete products, components, versions, milestones and flag types',
  },
  editkeywords: { description: 'May make, change and delete keywords' },
  editbugs: { description: 'May change every field of a bug', user_regexp: '.*' },
  canconfirm: { description: 'May confirm a bug, or mark it as a duplicate' },
  bz_canusewhineatothers: { description: 'May schedule reports for other people' },
  bz_canusewhines: { description: 'May schedule reports for themselves' },
  bz_sudoers: { description: 'No function here (in Bugzilla: may act as another user)' },
  bz_sudo_protect: { description: 'No function here (in Bugzilla: nobody may act as these users)' },
  bz_quip_moderators: { description: 'No function here (in Bugzilla: may approve and remove quips)' },
}

/** With the names that clients and administrators know. */
export const SYSTEM_GROUPS: readonly (SystemGroup & { name: string })[] = SYSTEM_GROUP_NAMES.map((name) => ({
  name,
  ...ABOUT[name],
}))

/**
 * Members of the first group are members of the second. Members of admin are in every group; creating a group ensures
 * that.
 */
export const SYSTEM_INHERITANCE: readonly { membersOf: string; areIn: string }[] = [
  { membersOf: 'editbugs', areIn: 'bz_canusewhines' },
  { membersOf: 'bz_canusewhineatothers', areIn: 'bz_canusewhines' },
  { membersOf: 'bz_sudoers', areIn: 'bz_sudo_protect' },
]
