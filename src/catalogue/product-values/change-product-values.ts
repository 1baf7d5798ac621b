import { type Changes, recordAudit, recordCreation, recordRemoval } from '../../changes/audit.ts'
import { changesBetween } from '../../changes/changes-between.ts'
import type { Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { enforce } from '../../platform/rule.ts'
import { changeCatalogue } from '../change-catalogue.ts'
import { requireControlsNothing } from '../controlled-fields.ts'
import {
  type AdministeredProduct,
  type EditorContext,
  getAdministeredProduct,
  keyIn,
} from '../products/product-permissions.ts'
import { changedValue, NEW_PRODUCT_VALUE, type ProductValue, type WantedProductValue } from './product-value.ts'
import type { ProductValueKind } from './product-value-kinds.ts'

export async function createProductValue(
  kind: ProductValueKind,
  context: EditorContext,
  productRef: string,
  wanted: WantedProductValue,
): Promise<number> {
  return changeCatalogue(context.db, async (tx) => {
    const product = await getAdministeredProduct(tx, context, keyIn(productRef))
    const value = changedValue(NEW_PRODUCT_VALUE, wanted)
    enforce(kind.rules, value)
    const id = await kind.store.insert(tx, product.id, value)
    await recordCreation(tx, { who: product.who, class: kind.class, objectId: id }, value.name)
    return id
  })
}

/** Makes the same changes to several values: to all, or to none if one fails. Bugs and the default keep a value that is renamed. */
export async function updateProductValues(
  kind: ProductValueKind,
  context: EditorContext,
  target: { product: string; names: readonly string[] },
  wanted: WantedProductValue,
): Promise<{ id: number; changes: Changes }[]> {
  return changeCatalogue(context.db, async (tx) => {
    const product = await getAdministeredProduct(tx, context, keyIn(target.product))
    const values = new Map<number, ProductValue>()
    for (const name of target.names) {
      const { product_id: _, ...value } = await kind.store.get(tx, product.id, name)
      values.set(value.id, value)
    }
    if (values.size > 1 && wanted.name !== undefined) throw errors.one_at_a_time({ name: 'name', what: kind.what })
    const updated = []
    for (const before of values.values())
      updated.push({ id: before.id, changes: await updateOne(tx, kind, product, before, wanted) })
    if (wanted.is_active === false) await kind.settleDefault(tx, product)
    return updated
  })
}

async function updateOne(
  tx: Db,
  kind: ProductValueKind,
  product: AdministeredProduct,
  before: ProductValue,
  wanted: WantedProductValue,
): Promise<Changes> {
  const after = { id: before.id, ...changedValue(before, wanted) }
  enforce(kind.rules, after)
  if (after.is_active === 0) kind.requireMayDisable(product, before)
  await kind.store.update(tx, after)
  const changes = changesBetween({ ...before }, { ...after })
  await recordAudit(tx, { who: product.who, class: kind.class, objectId: before.id }, changes)
  return changes
}

export async function removeProductValue(
  kind: ProductValueKind,
  context: EditorContext,
  productRef: string,
  name: string,
): Promise<ProductValue> {
  return changeCatalogue(context.db, async (tx) => {
    const product = await getAdministeredProduct(tx, context, keyIn(productRef))
    const value = await kind.store.get(tx, product.id, name)
    await kind.requireMayDelete(tx, product, value)
    await requireControlsNothing(tx, kind.field, [value.id], `The ${kind.what} ${value.name}`)
    await kind.beforeDeletion(tx, product, value)
    await kind.store.remove(tx, value)
    await kind.settleDefault(tx, product)
    await recordRemoval(tx, { who: product.who, class: kind.class, objectId: value.id }, value.name)
    return value
  })
}
