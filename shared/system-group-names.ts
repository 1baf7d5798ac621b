// The groups that give rights, which every installation has. Their ids follow from this order.
export const SYSTEM_GROUP_NAMES = [
  'admin',
  'tweakparams',
  'editusers',
  'creategroups',
  'editclassifications',
  'editcomponents',
  'editkeywords',
  'editbugs',
  'canconfirm',
  'bz_canusewhineatothers',
  'bz_canusewhines',
  'bz_sudoers',
  'bz_sudo_protect',
  'bz_quip_moderators',
] as const

/** Bugzilla has them. Here they open nothing: they are kept for programs that read them, and offered nowhere. With the reason, as a sentence. */
const WITHOUT_FUNCTION: ReadonlyMap<string, string> = new Map([
  ['bz_sudoers', 'It opens nothing here: nobody can act as another user.'],
  ['bz_sudo_protect', 'It opens nothing here: nobody can act as another user.'],
  ['bz_quip_moderators', 'It opens nothing here: there are no quips.'],
])

/** Why a group has no function, if it has none. */
export function reasonWithoutFunction(group: string): string | undefined {
  return WITHOUT_FUNCTION.get(group)
}
