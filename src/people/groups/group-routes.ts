import { type CallContext, call } from '../../access/call.ts'
import { requireGroup, requireUnlimited } from '../../access/caller.ts'
import { withLiveCredential } from '../../access/live-credential.ts'
import { requireRecentProof } from '../../access/recent-proof.ts'
import { Created, Deleted, updated } from '../../platform/wire/openapi/schemas.ts'
import { documentedAsRequired, flag, integers, isGiving, listChange, text, texts } from '../../platform/wire/params.ts'
import { MOST_COUNTED_GROUPS } from '../member-counts.ts'
import { createGroup } from './create-group.ts'
import { Groups } from './group-schema.ts'
import { readGroups } from './read-groups.ts'
import { removeGroup } from './remove-group.ts'
import { updateGroups } from './update-groups.ts'

const resource = 'group'
const pathParams = { ref: 'Id or name of a group.' }

const readParams = {
  ids: integers('Ids of groups.'),
  names: texts('Names of groups.'),
  membership: flag('Also return the members of each group: direct, by regexp or through another group.'),
  member_counts: flag(
    `Also return how many members each group has: in all, direct, and only through other groups. For at most ${MOST_COUNTED_GROUPS} groups.`,
  ),
}

async function answerGroups(context: CallContext<typeof readParams>, named: readonly string[]) {
  const { ids = [], names = [], membership = false, member_counts = false } = context.params
  const groups = await readGroups(context, [...named, ...ids.map(String), ...names], { membership, member_counts })
  return { groups: groups.map((group) => context.select.pick(group, kindOf)) }
}

/** What is not part of Bugzilla's response is returned only on request. */
const EXTRA: readonly string[] = ['icon_url', 'is_system', 'may_grant']
const kindOf = (field: string) => (EXTRA.includes(field) ? 'extra' : 'default')

const getGroups = call({
  method: 'GET',
  path: '/group',
  resource,
  summary: 'Get groups.',
  about:
    'Without ids and names: all groups for members of creategroups or editusers, otherwise those that the caller may bless.',
  params: readParams,
  answers: Groups,
  selectsFields: true,
  scope: 'read',
  run: (context) => answerGroups(context, []),
})

const getGroup = call({
  method: 'GET',
  path: '/group/:ref',
  pathParams,
  resource,
  summary: 'Get one group.',
  about: 'A caller who may neither administer nor bless the group gets the same error whether it exists or not.',
  params: readParams,
  answers: Groups,
  selectsFields: true,
  scope: 'read',
  run: (context) => answerGroups(context, [context.path.ref ?? '']),
})

const writeParams = {
  description: text('Description of the group.'),
  user_regexp: text('Users whose login matches it are members. Letter case makes no difference.'),
  icon_url: text('Address of a small icon that is shown next to members’ names.'),
  is_active: flag('Whether bugs can be restricted to the group. On by default.'),
  member_groups: listChange('Groups whose members are members of this one.'),
  bless_groups: listChange('Groups whose members may decide who is in this one.'),
  visible_groups: listChange('Groups whose members may see the members of this one.'),
}

const postGroup = call({
  method: 'POST',
  idempotency: 'once',
  path: '/group',
  resource,
  summary: 'Create a group.',
  about: 'For members of creategroups. Members of admin are members of every group.',
  params: {
    ...writeParams,
    name: documentedAsRequired(text('Short name; letter case makes no difference.')),
    description: documentedAsRequired(writeParams.description),
    is_bug_group: flag('Whether it can restrict bugs, or only gives rights. On by default.'),
  },
  answers: Created,
  status: 201,
  scope: 'admin',
  async run(context) {
    const { caller, params } = context
    const editor = requireGroup(caller, 'creategroups')
    requireRecentProof(context)
    const {
      name = '',
      description = '',
      user_regexp = '',
      is_active = true,
      is_bug_group = true,
      icon_url = '',
    } = params
    const group = {
      name: name.trim(),
      description: description.trim(),
      user_regexp: user_regexp.trim(),
      is_active: is_active ? 1 : 0,
      is_bug_group: is_bug_group ? 1 : 0,
      icon_url: icon_url.trim() || null,
      is_system: 0,
    } as const
    const id = await withLiveCredential(context, 'configuration', (tx) => createGroup(tx, editor.id, group, params))
    return { id }
  },
})

const putGroup = call({
  method: 'PUT',
  path: '/group/:ref',
  pathParams,
  resource,
  summary: 'Change groups.',
  about: 'For members of creategroups. In system groups only user_regexp, icon_url and the grants can be changed.',
  params: {
    ...writeParams,
    ids: integers('More groups to change, by id.'),
    names: texts('More groups to change, by name.'),
    name: text('New name; for one group only.'),
  },
  unknownParams: 'refused',
  answers: updated('groups'),
  scope: 'admin',
  async run(context) {
    const { caller, path, params } = context
    const editor = requireGroup(caller, 'creategroups')
    requireRecentProof(context)
    const { ids = [], names = [], ...wanted } = params
    const { user_regexp, member_groups, bless_groups } = wanted
    if (user_regexp?.trim() || isGiving(member_groups) || isGiving(bless_groups))
      requireUnlimited(caller, 'give rights')
    const refs = [path.ref ?? '', ...ids.map(String), ...names]
    const groups = await withLiveCredential(context, 'configuration', (tx) => updateGroups(tx, editor.id, refs, wanted))
    return { groups }
  },
})

const deleteGroup = call({
  method: 'DELETE',
  path: '/group/:ref',
  pathParams,
  resource,
  summary: 'Delete a group that is not in use.',
  about:
    'For members of creategroups. Refused for system groups, for groups that are the value of a parameter, and for groups with direct members.',
  params: {},
  answers: Deleted,
  scope: 'admin',
  async run({ db, caller, settings, path }) {
    const editor = requireGroup(caller, 'creategroups')
    requireRecentProof({ caller, settings })
    const { id, name } = await removeGroup(db, editor.id, path.ref ?? '')
    return { id, name }
  },
})

export const groupRoutes = [getGroups, getGroup, postGroup, putGroup, deleteGroup] as const
