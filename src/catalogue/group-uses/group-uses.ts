import type { CallContext } from '../../access/call.ts'
import { isIn, requireGroup } from '../../access/caller.ts'
import type { GroupSummary } from '../../access/visibility/group-graph.ts'
import { listProducts } from '../../access/visibility/visible-products.ts'
import type { Group } from '../../people/groups/group.ts'
import { getGroups } from '../../people/groups/group-store.ts'
import { countMembersSlowly, MOST_COUNTED_GROUPS } from '../../people/member-counts.ts'
import { definitionOf, settingNames } from '../../platform/config/settings.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { presentRights } from '../group-controls/group-control.ts'

const grantsOf = statement<{ id: number }>()((q, p) =>
  q
    .selectFrom('group_grants')
    .select(['member_group_id', 'group_id', 'right'])
    .where((row) => row.or([row('member_group_id', '=', p.id), row('group_id', '=', p.id)])),
)
const controlsOf = statement<{ groups: string }>()((q, p, d) =>
  q.selectFrom('group_controls').selectAll().where('group_id', 'in', d.integersIn(p.groups)),
)
const flagTypesOf = statement<{ groups: string }>()((q, p, d) =>
  q
    .selectFrom('flag_types')
    .select(['id', 'name', 'grant_group_id', 'request_group_id'])
    .where((row) =>
      row.or([
        row('grant_group_id', 'in', d.integersIn(p.groups)),
        row('request_group_id', 'in', d.integersIn(p.groups)),
      ]),
    )
    .orderBy('name_key'),
)
const bugsOf = statement<{ id: number }>()((q, p) =>
  q
    .selectFrom('bug_groups')
    .select((row) => row.fn.countAll<number>().as('bugs'))
    .where('group_id', '=', p.id),
)

/** More than these are only counted: members of admin are in every group. */
const MOST_THROUGH = 20

/** What belongs to a group, and what it opens, as far as the caller may see it. */
export async function readGroupUses(context: CallContext, ref: string) {
  const { db, caller, groups: graph } = context
  requireGroup(caller, 'creategroups')
  const [group] = (await getGroups(db, [ref])) as [Group]
  const { id, name } = group
  const through = graph.membership([id]).list.filter((it) => it.id !== id)
  const shown = through.toSorted((a, b) => a.name.localeCompare(b.name)).slice(0, MOST_THROUGH)
  const opens = await readOpens(context, [group, ...shown])
  return {
    name,
    is_system: group.is_system === 1,
    ...(await readNeighbours(context, id)),
    ...opens(group),
    through: shown.map((it) => ({ name: it.name, description: it.description, ...opens(it) })),
    through_total: through.length,
    // A number of bugs that others may not see.
    ...(isIn(caller, 'admin') && { bugs: Number((await db.first(bugsOf, { id }))?.bugs ?? 0) }),
  }
}

/** The groups next to a group, by name. All members are counted with one query, of the first hundred of each list. */
async function readNeighbours({ db, groups: graph, request }: CallContext, id: number) {
  const grants = await db.all(grantsOf, { id })
  const neighbours = (right: string, isInto: boolean) =>
    grants
      .filter((it) => it.right === right && (isInto ? it.group_id : it.member_group_id) === id)
      .map((it) => (isInto ? it.member_group_id : it.group_id))
      .filter((other) => other !== id)
      .map((other) => ({ id: other, name: graph.groups.get(other)?.name ?? '' }))
      .toSorted((a, b) => a.name.localeCompare(b.name))
  const lists = {
    member_groups: neighbours('member', true),
    belongs_to: neighbours('member', false),
    bless_groups: neighbours('bless', true),
    visible_groups: neighbours('see', true),
  }
  const counted = new Set([
    id,
    ...Object.values(lists).flatMap((list) => list.slice(0, MOST_COUNTED_GROUPS).map((it) => it.id)),
  ])
  const countsOf = await countMembersSlowly(db.within(request.readLimits), graph, [...counted])
  const named = (list: readonly { id: number; name: string }[]) =>
    list.map((it) => ({ name: it.name, ...(counted.has(it.id) && { members: countsOf(it.id).members }) }))
  return {
    members: countsOf(id).members,
    member_groups: named(lists.member_groups),
    belongs_to: named(lists.belongs_to),
    bless_groups: named(lists.bless_groups),
    visible_groups: named(lists.visible_groups),
  }
}

/** What groups open, in the same queries for all of them. */
async function readOpens(context: CallContext, list: readonly GroupSummary[]) {
  const { caller, settings } = context
  const groups = JSON.stringify(list.map(({ id }) => id))
  const productsOf = await readControls(context, groups)
  const flagTypes = isIn(caller, 'editcomponents') ? await context.db.all(flagTypesOf, { groups }) : []
  const parameters = isIn(caller, 'tweakparams') ? settingNames.filter((name) => definitionOf(name)?.isGroup) : []
  return ({ id, name }: GroupSummary) => ({
    products: productsOf(id),
    flag_types: flagTypes
      .map((it) => ({
        id: it.id,
        name: it.name,
        grants: it.grant_group_id === id,
        requests: it.request_group_id === id,
      }))
      .filter(({ grants, requests }) => grants || requests),
    parameters: parameters.filter((parameter) => settings[parameter] === name),
  })
}

/** Like the group controls of a product: for members of editcomponents, and of products that they see. */
async function readControls({ db, caller, settings }: CallContext, groups: string) {
  if (!isIn(caller, 'editcomponents')) return () => []
  const controls = Map.groupBy(await db.all(controlsOf, { groups }), (row) => row.group_id)
  const products = await listProducts(db, caller, settings, 'accessible')
  return (id: number) => {
    const byProduct = new Map((controls.get(id) ?? []).map((row) => [row.product_id, row]))
    return products.flatMap((product) => {
      const control = byProduct.get(product.id)
      if (control === undefined) return []
      const { member_control: membercontrol, other_control: othercontrol, ...rights } = control
      return { product: product.name, ...presentRights({ ...rights, membercontrol, othercontrol }) }
    })
  }
}
