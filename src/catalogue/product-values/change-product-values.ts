import { type Changes, recordAudit, recordCreation, recordRemoval } from '../../changes/audit.ts'
import { changesBetween } from '../../changes/changes-between.ts'
import type { ConfigurationTransaction, Db } from '../../platform/database/db.ts'
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
import { beginRemoval, mostCounted, needsSteps } from '../removals/begin-removal.ts'
import type { Removal } from '../removals/removal.ts'
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

/** Deletes a version or milestone. `inSteps`: many bugs get the default milestone some at a time, and it is deleted after them. */
export function removeProductValue(
  kind: ProductValueKind,
  context: EditorContext,
  target: { product: string; name: string },
  inSteps: boolean,
): Promise<{ value: ProductValue; removal: Removal | undefined }> {
  return changeCatalogue(context.db, async (tx) => {
    const product = await getAdministeredProduct(tx, context, keyIn(target.product))
    const { product_id: _, ...value } = await kind.store.get(tx, product.id, target.name)
    const bugs = await kind.countChangedBugs(tx, value, mostCounted(inSteps))
    await requireMayRemove(tx, kind, product, value)
    if (!needsSteps(bugs, inSteps, value.name)) {
      await finishValueRemoval(tx, kind, product, value)
      return { value, removal: undefined }
    }
    await updateOne(tx, kind, product, value, { is_active: false })
    const begun = { class: 'Milestone', objectId: value.id, name: value.name, bugs } as const
    return { value, removal: await beginRemoval(tx, product.who, begun) }
  })
}

async function requireMayRemove(tx: Db, kind: ProductValueKind, product: AdministeredProduct, value: ProductValue) {
  await kind.requireMayDelete(tx, product, value)
  await requireControlsNothing(tx, kind.field, [value.id], `The ${kind.what} ${value.name}`)
}

/** The bugs that are left get the default, and the value is deleted. */
export async function finishValueRemoval(
  tx: ConfigurationTransaction,
  kind: ProductValueKind,
  product: AdministeredProduct,
  value: ProductValue,
) {
  await requireMayRemove(tx, kind, product, value)
  await kind.beforeDeletion(tx, product, value)
  await kind.store.remove(tx, value)
  await kind.settleDefault(tx, product)
  await recordRemoval(tx, { who: product.who, class: kind.class, objectId: value.id }, value.name)
}
