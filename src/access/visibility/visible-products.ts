import { type RawBuilder, sql } from 'kysely'
import type { Settings } from '../../platform/config/settings.ts'
import { CONTROL } from '../../platform/database/coded-values.ts'
import type { Db } from '../../platform/database/db.ts'
import type { SqlValue } from '../../platform/database/statements/builder.ts'
import type { Dialect } from '../../platform/dialects/dialect.ts'
import { fold } from '../../platform/text/fold.ts'
import { idIn } from '../../platform/wire/reference.ts'
import { type Caller, isIn } from '../caller.ts'

/**
 * What a product's group controls allow a caller, as conditions on the table `products`. This is the only place that
 * reads them: a control is met by members of all groups that have it, or, with the parameter or_groups, of any of them.
 */
export function productConditions(dialect: Dialect, caller: Caller, settings: Settings) {
  const conditions = conditionsFor(dialect, settings, JSON.stringify([...caller.groups.ids]))
  return {
    ...conditions,
    /** A right that the caller has everywhere, or that the product gives to members of a group. */
    grants: (right: ProductRight): RawBuilder<boolean> =>
      isIn(caller, right) ? sql`(1 = 1)` : conditions.gives(right),
  }
}

/** The condition that products with this access meet. */
export function accessCondition(access: ProductAccess, conditions: ReturnType<typeof productConditions>) {
  const { isSelectable, isEnterable, isAccessible, grants } = conditions
  if (access === 'selectable') return isSelectable
  if (access === 'enterable') return isEnterable
  return access === 'accessible' ? isAccessible : sql<boolean>`(${isAccessible} and ${grants('editcomponents')})`
}

/** The same for members of the groups with these ids, as JSON, which may be a parameter of a statement. */
export function conditionsFor(dialect: Dialect, settings: Pick<Settings, 'or_groups'>, groups: SqlValue<string>) {
  const own = dialect.integersIn(groups)
  // Few groups control a product, so these are tested one by one: otherwise SQLite looks up each group of the caller instead.
  const isOfOwnGroup = sql<boolean>`${dialect.unindexed(sql`group_controls.group_id`)} in ${own}`

  const meets = (control: RawBuilder<unknown>): RawBuilder<boolean> => {
    const controls = sql`select 1 from group_controls where group_controls.product_id = products.id and ${control}`
    return settings.or_groups
      ? sql`(not exists (${controls}) or exists (${controls} and ${isOfOwnGroup}))`
      : sql`(not exists (${controls} and group_controls.group_id not in ${own}))`
  }

  const isSelectable = meets(sql`group_controls.member_control = ${sql.lit(CONTROL.Mandatory)}`)
  const isEnterable: RawBuilder<boolean> = sql`(products.is_active = 1
    and exists (select 1 from components where components.product_id = products.id and components.is_active = 1)
    and exists (select 1 from versions where versions.product_id = products.id and versions.is_active = 1)
    and ${meets(sql`group_controls.entry = 1`)})`

  return {
    /** Its bugs may be searched. */
    isSelectable,
    /** Bugs may be filed in it. */
    isEnterable,
    isAccessible: sql<boolean>`(${isSelectable} or ${isEnterable})`,
    /** Its bugs are not read-only for the caller. */
    isEditable: meets(sql`group_controls.canedit = 1`),
    /** A right that the product gives to members of a group. */
    gives: (right: ProductRight): RawBuilder<boolean> =>
      sql`(exists (select 1 from group_controls where group_controls.product_id = products.id
        and ${sql.ref(`group_controls.${right}`)} = 1 and ${isOfOwnGroup}))`,
  }
}

export type ProductRight = 'editcomponents' | 'editbugs' | 'canconfirm'
export type ProductAccess = 'selectable' | 'enterable' | 'accessible' | 'administered'

export interface ProductRef {
  id: number
  name: string
}

/**
 * The product with this id or name, if the caller has this access to it. A hidden product and a missing one look the
 * same.
 */
export async function findProduct(
  db: Db,
  caller: Caller,
  settings: Settings,
  ref: string,
  access: ProductAccess = 'accessible',
): Promise<ProductRef | undefined> {
  const id = idIn(ref)
  const [found] = await db.query((q, d) =>
    q
      .selectFrom('products')
      .select(['id', 'name'])
      .where((product) => (id === undefined ? product('name_key', '=', fold(ref.trim())) : product('id', '=', id)))
      .where(accessCondition(access, productConditions(d, caller, settings))),
  )
  return found
}

/** The products to which the caller has this access, by name. */
export function listProducts(db: Db, caller: Caller, settings: Settings, access: ProductAccess): Promise<ProductRef[]> {
  return db.query((q, d) =>
    q
      .selectFrom('products')
      .select(['id', 'name'])
      .where(accessCondition(access, productConditions(d, caller, settings)))
      .orderBy('name_key'),
  )
}

/** Whether the caller may change any product or its components. Begins with the few controls that give the right, for every page asks. */
export async function administersProducts(db: Db, caller: Caller, settings: Settings): Promise<boolean> {
  if (isIn(caller, 'editcomponents')) return true
  if (caller.groups.ids.size === 0) return false
  const found = await db.query((q, d) =>
    q
      .selectFrom('products')
      .select('id')
      .where('id', 'in', (controls) =>
        controls
          .selectFrom('group_controls')
          .select('product_id')
          .where('editcomponents', '=', 1)
          .where('group_id', 'in', d.integersIn(JSON.stringify([...caller.groups.ids]))),
      )
      .where(productConditions(d, caller, settings).isAccessible)
      .limit(1),
  )
  return found.length > 0
}
