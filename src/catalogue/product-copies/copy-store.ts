import { sql } from 'kysely'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'

/** From one product to another that has nothing yet. */
export interface ProductPair {
  from: number
  to: number
}

export interface CopiedObject {
  id: number
  name: string
}

const copyVersions = statement<ProductPair>()((q, p) =>
  q
    .insertInto('versions')
    .columns(['product_id', 'name', 'name_key', 'natural_key', 'sort_key', 'is_active'])
    .expression(
      sql`select cast(${p.to} as integer), name, name_key, natural_key, sort_key, is_active from versions where product_id = ${p.from} order by id`,
    )
    .returning(['id', 'name']),
)
const copyMilestones = statement<ProductPair>()((q, p) =>
  q
    .insertInto('milestones')
    .columns(['product_id', 'name', 'name_key', 'sort_key', 'is_active'])
    .expression(
      sql`select cast(${p.to} as integer), name, name_key, sort_key, is_active from milestones where product_id = ${p.from} order by id`,
    )
    .returning(['id', 'name']),
)
const copyComponents = statement<ProductPair>()((q, p) =>
  q
    .insertInto('components')
    .columns([
      'product_id',
      'name',
      'name_key',
      'description',
      'default_assignee_id',
      'default_qa_contact_id',
      'triage_owner_id',
      'rotation_id',
      'is_active',
    ])
    .expression(
      sql`select cast(${p.to} as integer), name, name_key, description, default_assignee_id, default_qa_contact_id, triage_owner_id,
        rotation_id, is_active
        from components where product_id = ${p.from} order by id`,
    )
    .returning(['id', 'name']),
)
const copyCc = statement<ProductPair>()((q, p) =>
  q
    .insertInto('component_cc')
    .columns(['component_id', 'user_id'])
    .expression(
      sql`select copies.id, component_cc.user_id from component_cc
        join components as originals on originals.id = component_cc.component_id
        join components as copies on copies.name_key = originals.name_key and copies.product_id = ${p.to}
        where originals.product_id = ${p.from}`,
    ),
)
const copyReplies = statement<ProductPair>()((q, p) =>
  q
    .insertInto('canned_replies')
    .columns(['product_id', 'group_id', 'name', 'name_key', 'text', 'is_private'])
    .expression(
      sql`select cast(${p.to} as integer), group_id, name, name_key, text, is_private
        from canned_replies where product_id = ${p.from} order by id`,
    )
    .returning(['id', 'name']),
)
const copyControls = statement<ProductPair>()((q, p) =>
  q
    .insertInto('group_controls')
    .columns([
      'product_id',
      'group_id',
      'entry',
      'member_control',
      'other_control',
      'canedit',
      'editcomponents',
      'editbugs',
      'canconfirm',
    ])
    .expression(
      sql`select cast(${p.to} as integer), group_id, entry, member_control, other_control, canedit, editcomponents, editbugs, canconfirm
        from group_controls where product_id = ${p.from}`,
    ),
)
const copyScopes = statement<ProductPair>()((q, p) =>
  q
    .insertInto('flag_type_scopes')
    .columns(['flag_type_id', 'kind', 'product_id', 'component_id'])
    .expression(
      sql`select scopes.flag_type_id, scopes.kind, cast(${p.to} as integer), copies.id from flag_type_scopes as scopes
        left join components as originals on originals.id = scopes.component_id
        left join components as copies on copies.name_key = originals.name_key and copies.product_id = ${p.to}
        where scopes.product_id = ${p.from} and (scopes.component_id is null or copies.id is not null)`,
    )
    .returning(['flag_type_id', 'kind']),
)
const copyDefaults = statement<ProductPair>()((q, p) =>
  q
    .updateTable('products')
    .set({
      default_version_id: sql<number>`(select copies.id from versions as copies
        join versions as originals on originals.name_key = copies.name_key
        join products as source on source.default_version_id = originals.id
        where copies.product_id = ${p.to} and source.id = ${p.from})`,
      default_milestone_id: sql<number>`(select copies.id from milestones as copies
        join milestones as originals on originals.name_key = copies.name_key
        join products as source on source.default_milestone_id = originals.id
        where copies.product_id = ${p.to} and source.id = ${p.from})`,
    })
    .where('id', '=', p.to),
)

/** Everything that belongs to a product except for its bugs, with one statement for each kind, however many there are. */
export async function copyParts(tx: Db, pair: ProductPair) {
  const versions: CopiedObject[] = await tx.all(copyVersions, pair)
  const milestones: CopiedObject[] = await tx.all(copyMilestones, pair)
  await tx.all(copyDefaults, pair)
  const components: CopiedObject[] = await tx.all(copyComponents, pair)
  await tx.all(copyCc, pair)
  const cannedReplies: CopiedObject[] = await tx.all(copyReplies, pair)
  await tx.all(copyControls, pair)
  const scopes = await tx.all(copyScopes, pair)
  return { versions, milestones, components, cannedReplies, scopes }
}
