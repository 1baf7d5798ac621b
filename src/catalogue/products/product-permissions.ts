import { type ExpressionBuilder, sql } from 'kysely'
import type { CallContext } from '../../access/call.ts'
import { isIn, requireLogin } from '../../access/caller.ts'
import { findProduct, type ProductRef, productConditions } from '../../access/visibility/visible-products.ts'
import type { Db } from '../../platform/database/db.ts'
import type { Database } from '../../platform/database/tables.ts'
import { errors } from '../../platform/errors.ts'
import { fold } from '../../platform/text/fold.ts'
import { idIn } from '../../platform/wire/reference.ts'

/** Who asks, and by which parameters that is judged. */
export type EditorContext = Pick<CallContext, 'db' | 'caller' | 'settings'>

/** How a product is named: by a path, where digits are an id, or by its name alone. */
export type ProductKey = { id: number } | { name: string }

export function keyIn(ref: string): ProductKey {
  const id = idIn(ref)
  return id === undefined ? { name: ref } : { id }
}

/** The product that a path names, for anybody who may see it. */
export async function getVisibleProduct({ db, caller, settings }: EditorContext, ref: string): Promise<ProductRef> {
  const product = await findProduct(db, caller, settings, ref)
  if (!product) throw noSuchProduct(keyIn(ref))
  return product
}

/** A product that the caller may administer. */
export interface AdministeredProduct {
  /** The id of that caller. */
  who: number
  id: number
  name: string
  default_milestone_id: number | null
  default_version_id: number | null
}

/**
 * The product, for somebody who may change what is in it: a member of editcomponents, or of a group that the product gives that
 * right. Whether a product is hidden or missing makes no difference, and to those who administer nothing none of it does.
 */
export async function getAdministeredProduct(
  tx: Db,
  asking: EditorContext,
  key: ProductKey,
): Promise<AdministeredProduct> {
  const product = await findAdministeredProduct(tx, asking, key)
  if (!product) throw noSuchProduct(key)
  return product
}

export async function findAdministeredProduct(
  tx: Db,
  asking: EditorContext,
  key: ProductKey,
): Promise<AdministeredProduct | undefined> {
  const { id: who } = requireLogin(asking.caller)
  const [product] = await tx.query((q, d) => {
    const conditions = productConditions(d, asking.caller, asking.settings)
    return q
      .selectFrom('products')
      .select(['products.id', 'products.name', 'default_milestone_id', 'default_version_id'])
      .select(sql<number>`case when ${conditions.grants('editcomponents')} then 1 else 0 end`.as('is_administered'))
      .where((product) => isNamedBy(product, key))
      .where(conditions.isAccessible)
  })
  if (product?.is_administered === 1) return { who, ...product }
  if (product === undefined && (await administersAnything(tx, asking))) return undefined
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
