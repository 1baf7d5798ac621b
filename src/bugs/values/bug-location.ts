import { type RawBuilder, sql } from 'kysely'
import { type Caller, isIn } from '../../access/caller.ts'
import { conditionsFor } from '../../access/visibility/visible-products.ts'
import type { Settings } from '../../platform/config/settings.ts'
import type { Db } from '../../platform/database/db.ts'
import { type Statement, statement } from '../../platform/database/statements/statement.ts'
import { errors } from '../../platform/errors.ts'
import { fold } from '../../platform/text/fold.ts'

// Product, component, version and milestone of a bug that is filed or moved.

/** A product in which bugs can be filed or moved, and what the caller may do there. */
export interface BugProduct {
  id: number
  name: string
  classification_id: number
  has_unconfirmed: 0 | 1
  default_milestone_id: number
  hasEditbugs: boolean
  hasCanconfirm: boolean
}

interface ProductParams {
  key: string
  groups: string
}

/** One statement for each value of the parameter or_groups. */
const enterable = { true: enterableProduct(true), false: enterableProduct(false) }

function enterableProduct(or_groups: boolean): Statement<ProductParams, BugProductRow> {
  return statement<ProductParams>()((q, p, d) => {
    const conditions = conditionsFor(d, { or_groups }, p.groups)
    return q
      .selectFrom('products')
      .select(['id', 'name', 'classification_id', 'has_unconfirmed', 'default_milestone_id'])
      .select([
        asFlag(conditions.gives('editbugs')).as('editbugs'),
        asFlag(conditions.gives('canconfirm')).as('canconfirm'),
      ])
      .where('name_key', '=', p.key)
      .where(conditions.isEnterable)
      .$castTo<BugProductRow>()
  })
}

interface BugProductRow extends Omit<BugProduct, 'hasEditbugs' | 'hasCanconfirm'> {
  editbugs: 0 | 1
  canconfirm: 0 | 1
}

function asFlag(condition: RawBuilder<boolean>) {
  return sql<0 | 1>`case when ${condition} then 1 else 0 end`
}

/** The product with this name, if the caller may file bugs in it. Throws the same 106 if it is hidden, closed or missing. */
export async function getEnterableProduct(
  db: Db,
  caller: Caller,
  settings: Settings,
  name: string,
): Promise<BugProduct> {
  const groups = JSON.stringify([...caller.groups.ids])
  const row = await db.first(enterable[`${settings.or_groups}`], { key: fold(name.trim()), groups })
  if (row === undefined) throw errors.product_not_accessible({ ref: name })
  const { editbugs, canconfirm, ...product } = row
  return {
    ...product,
    hasEditbugs: editbugs === 1 || isIn(caller, 'editbugs'),
    hasCanconfirm: canconfirm === 1 || isIn(caller, 'canconfirm'),
  }
}

/** A component of the product of a bug, with the default users of new bugs. */
export interface BugComponent {
  id: number
  name: string
  default_assignee_id: number
  default_qa_contact_id: number | null
  defaultCcIds: number[]
}

/** The current component, version or milestone of the bug, which may stay even if it is disabled. */
interface CurrentValue {
  id: number
}

const component = statement<{ productId: number; key: string }>()((q, p, d) =>
  q
    .selectFrom('components')
    .select(['id', 'name', 'is_active', 'default_assignee_id', 'default_qa_contact_id'])
    .select(
      d
        .jsonListOf(sql`select user_id as value from component_cc where component_id = components.id order by user_id`)
        .as('cc'),
    )
    .where('product_id', '=', p.productId)
    .where('name_key', '=', p.key),
)

export async function getBugComponent(
  db: Db,
  product: { id: number },
  name: string,
  kept?: CurrentValue,
): Promise<BugComponent> {
  if (name.trim() === '') throw errors.component_required()
  const row = await db.first(component, { productId: product.id, key: fold(name.trim()) })
  const { cc, is_active: _, ...found } = requireActive('component', 'component', name, row, kept)
  return { ...found, defaultCcIds: JSON.parse(cc) }
}

/** A version or milestone of the product of a bug. */
export interface ProductPart {
  id: number
  name: string
}

const version = statement<{ productId: number; key: string }>()((q, p) =>
  q
    .selectFrom('versions')
    .select(['id', 'name', 'is_active'])
    .where('product_id', '=', p.productId)
    .where('name_key', '=', p.key),
)
const activeVersions = statement<{ productId: number }>()((q, p) =>
  q
    .selectFrom('versions')
    .select(['id', 'name'])
    .where('product_id', '=', p.productId)
    .where('is_active', '=', 1)
    .limit(2),
)
const milestone = statement<{ productId: number; key: string }>()((q, p) =>
  q
    .selectFrom('milestones')
    .select(['id', 'name', 'is_active'])
    .where('product_id', '=', p.productId)
    .where('name_key', '=', p.key),
)

/** Without a name it is the only active version. Throws 50 if there are several. */
export async function getBugVersion(
  db: Db,
  product: { id: number },
  name: string | undefined,
  kept?: CurrentValue,
): Promise<ProductPart> {
  if (name?.trim() === '') throw errors.parameter_required({ name: 'version', field: 'version' })
  if (name !== undefined)
    return requireActive(
      'version',
      'version',
      name,
      await db.first(version, { productId: product.id, key: fold(name.trim()) }),
      kept,
    )
  const [only, ...more] = await db.all(activeVersions, { productId: product.id })
  if (only === undefined || more.length > 0) throw errors.parameter_required({ name: 'version', field: 'version' })
  return only
}

export async function getBugMilestone(
  db: Db,
  product: { id: number },
  name: string,
  kept?: CurrentValue,
): Promise<ProductPart> {
  if (name.trim() === '') throw errors.parameter_required({ name: 'target_milestone', field: 'target_milestone' })
  const row = await db.first(milestone, { productId: product.id, key: fold(name.trim()) })
  return requireActive('target_milestone', 'milestone', name, row, kept)
}

const defaultMilestone = statement<{ id: number }>()((q, p) =>
  q.selectFrom('milestones').select(['id', 'name']).where('id', '=', p.id),
)

/** The milestone of a bug that moves to the product: the active one with the same name, or the default one. */
export async function milestoneAfterMove(db: Db, product: BugProduct, name: string): Promise<ProductPart> {
  const row = await db.first(milestone, { productId: product.id, key: fold(name.trim()) })
  if (row?.is_active === 1) return row
  return (await db.first(defaultMilestone, { id: product.default_milestone_id })) as ProductPart
}

function requireActive<Row extends { id: number; name: string; is_active: 0 | 1 }>(
  field: string,
  what: string,
  ref: string,
  row: Row | undefined,
  kept: CurrentValue | undefined,
): Row {
  if (row === undefined) throw errors.no_such_object({ what, ref, field })
  if (row.is_active === 0 && row.id !== kept?.id) throw errors.value_not_in_use({ what, name: row.name, field })
  return row
}
