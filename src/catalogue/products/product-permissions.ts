import { type ExpressionBuilder, sql } from 'kysely'
import type { CallContext } from '../../access/call.ts'
import { isIn, requireLogin } from '../../access/caller.ts'
import { findProduct, type ProductRef, productConditions } from '../../access/visibility/visible-products.ts'
import type { Db } from '../../platform/database/db.ts'
import type { Database } from '../../platform/database/tables.ts'
import { errors } from '../../platform/errors.ts'
import { fold } from '../../platform/text/fold.ts'
import { idIn } from '../../platform/wire/reference.ts'

/** The caller, and the parameters that decide on their rights. */
export type EditorContext = Pick<CallContext, 'db' | 'caller' | 'settings'>

/** A reference to a product: its id or its name. */
export type ProductKey = { id: number } | { name: string }

export function keyIn(ref: string): ProductKey {
  const id = idIn(ref)
  return id === undefined ? { name: ref } : { id }
}

/** The product in the path, if the caller may see it. */
export async function getVisibleProduct({ db, caller, settings }: EditorContext, ref: string): Promise<ProductRef> {
  const product = await findProduct(db, caller, settings, ref)
  if (!product) throw noSuchProduct(keyIn(ref))
  return product
}

/** A product that the caller may administer. */
export interface AdministeredProduct {
  /** The id of the caller. */
  who: number
  id: number
  name: string
  default_milestone_id: number | null
  default_version_id: number | null
}

/**
 * The product, if the caller may administer it: as a member of editcomponents or of a group that has this right in the product. Throws
 * the same error for a hidden and a missing product. A caller who administers no product always gets the same error.
 */
export async function getAdministeredProduct(
  tx: Db,
  context: EditorContext,
  key: ProductKey,
): Promise<AdministeredProduct> {
  const product = await findAdministeredProduct(tx, context, key)
  if (!product) throw noSuchProduct(key)
  return product
}

export async function findAdministeredProduct(
  tx: Db,
  context: EditorContext,
  key: ProductKey,
): Promise<AdministeredProduct | undefined> {
  const { id: who } = requireLogin(context.caller)
  const [product] = await tx.query((q, d) => {
    const conditions = productConditions(d, context.caller, context.settings)
    return q
      .selectFrom('products')
      .select(['products.id', 'products.name', 'default_milestone_id', 'default_version_id'])
      .select(sql<number>`case when ${conditions.grants('editcomponents')} then 1 else 0 end`.as('is_administered'))
      .where((product) => isNamedBy(product, key))
      .where(conditions.isAccessible)
  })
  if (product?.is_administered === 1) return { who, ...product }
  if (product === undefined && (await administersAnything(tx, context))) return undefined
  throw errors.not_allowed({ need: 'it needs membership in editcomponents, for all products or for this one' })
}

export function isNamedBy(product: ExpressionBuilder<Database, 'products'>, key: ProductKey) {
  return 'id' in key ? product('products.id', '=', key.id) : product('products.name_key', '=', fold(key.name.trim()))
}

export function noSuchProduct(key: ProductKey) {
  return errors.product_not_accessible({ ref: 'id' in key ? String(key.id) : key.name })
}

async function administersAnything(tx: Db, { caller, settings }: EditorContext) {
  if (isIn(caller, 'editcomponents')) return true
  const products = await tx.query((q, d) => {
    const conditions = productConditions(d, caller, settings)
    return q.selectFrom('products').select('id').where(conditions.grants('editcomponents')).limit(1)
  })
  return products.length > 0
}
