import type { CallContext } from '../../access/call.ts'
import { isIn, requireGroup } from '../../access/caller.ts'
import { listProducts } from '../../access/visibility/visible-products.ts'
import { getGroups } from '../../people/groups/group-store.ts'
import { definitionOf, settingNames } from '../../platform/config/settings.ts'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { controlWord } from '../group-controls/group-control.ts'

const grantsOf = statement<{ id: number }>()((q, p) =>
  q
    .selectFrom('group_grants')
    .select(['member_group_id', 'group_id', 'right'])
    .where((row) => row.or([row('member_group_id', '=', p.id), row('group_id', '=', p.id)])),
)
const membersIn = statement<{ groups: string }>()((q, p, d) =>
  q
    .selectFrom('user_group_grants')
    .select((row) => row.fn.count<number>('user_id').distinct().as('members'))
    .where('right', '=', 'member')
    .where('group_id', 'in', d.integersIn(p.groups)),
)
const controlsOf = statement<{ id: number }>()((q, p) =>
  q.selectFrom('group_controls').selectAll().where('group_id', '=', p.id),
)
const flagTypesOf = statement<{ id: number }>()((q, p) =>
  q
    .selectFrom('flag_types')
    .select(['id', 'name', 'grant_group_id', 'request_group_id'])
    .where((row) => row.or([row('grant_group_id', '=', p.id), row('request_group_id', '=', p.id)]))
    .orderBy('name_key'),
)
const bugsOf = statement<{ id: number }>()((q, p) =>
  q
    .selectFrom('bug_groups')
    .select((row) => row.fn.countAll<number>().as('bugs'))
    .where('group_id', '=', p.id),
)

/** What belongs to a group, and what it opens, as far as the caller may see it. */
export async function readGroupUses(context: CallContext, ref: string) {
  const { db, caller, groups: graph, settings } = context
  requireGroup(caller, 'creategroups')
  const [group] = await getGroups(db, [ref])
  const id = group?.id ?? 0
  const grants = await db.all(grantsOf, { id })
  const neighbours = (right: string, isInto: boolean) =>
    grants
      .filter((it) => it.right === right && (isInto ? it.group_id : it.member_group_id) === id)
      .map((it) => (isInto ? it.member_group_id : it.group_id))
      .filter((other) => other !== id)
  const named = (ids: readonly number[]) =>
    Promise.all(
      ids.map(async (other) => ({
        name: graph.groups.get(other)?.name ?? '',
        members: await countMembers(db, graph.sourcesOf(other)),
      })),
    )
  return {
    name: group?.name ?? '',
    is_system: group?.is_system === 1,
    members: await countMembers(db, graph.sourcesOf(id)),
    member_groups: await named(neighbours('member', true)),
    belongs_to: await named(neighbours('member', false)),
    bless_groups: await named(neighbours('bless', true)),
    visible_groups: await named(neighbours('see', true)),
    products: await productsOf(context, id),
    flag_types: isIn(caller, 'editcomponents') ? await readFlagTypes(db, id) : [],
    parameters: isIn(caller, 'tweakparams')
      ? settingNames.filter((name) => definitionOf(name)?.isGroup && settings[name] === group?.name)
      : [],
    // A number of bugs that others may not see.
    ...(isIn(caller, 'admin') && { bugs: Number((await db.first(bugsOf, { id }))?.bugs ?? 0) }),
  }
}

async function countMembers(db: Db, groups: ReadonlySet<number>) {
  return Number((await db.first(membersIn, { groups: JSON.stringify([...groups]) }))?.members ?? 0)
}

/** Like the group controls of a product: for members of editcomponents, and of products that they see. */
async function productsOf({ db, caller, settings }: CallContext, id: number) {
  if (!isIn(caller, 'editcomponents')) return []
  const controls = new Map((await db.all(controlsOf, { id })).map((row) => [row.product_id, row]))
  return (await listProducts(db, caller, settings, 'accessible')).flatMap((product) => {
    const control = controls.get(product.id)
    if (control === undefined) return []
    return {
      product: product.name,
      entry: control.entry === 1,
      membercontrol: controlWord(control.member_control),
      othercontrol: controlWord(control.other_control),
      canedit: control.canedit === 1,
      editcomponents: control.editcomponents === 1,
      editbugs: control.editbugs === 1,
      canconfirm: control.canconfirm === 1,
    }
  })
}

async function readFlagTypes(db: Db, groupId: number) {
  return (await db.all(flagTypesOf, { id: groupId })).map(({ id, name, grant_group_id, request_group_id }) => ({
    id,
    name,
    grants: grant_group_id === groupId,
    requests: request_group_id === groupId,
  }))
}
