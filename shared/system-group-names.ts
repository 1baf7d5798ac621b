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
