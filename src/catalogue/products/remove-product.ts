import { recordAudit, recordRemoval } from '../../changes/audit.ts'
import { changesBetween } from '../../changes/changes-between.ts'
import { countBugsWith } from '../../changes/count-bugs.ts'
import { deleteBugsOfProduct } from '../../changes/effects-on-bugs.ts'
import type { ConfigurationTransaction, Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { selectionOf } from '../../platform/wire/field-selection.ts'
import { changeCatalogue } from '../change-catalogue.ts'
import { listComponents } from '../components/component-store.ts'
import { requireControlsNothing } from '../controlled-fields.ts'
import { milestones, versions } from '../product-values/product-value-store.ts'
import { beginRemoval, mostCounted, needsSteps } from '../removals/begin-removal.ts'
import type { Removal } from '../removals/removal.ts'
import { type Product, updatableForm } from './product.ts'
import type { EditorContext, ProductKey } from './product-permissions.ts'
import { deleteProduct, getProducts, updateProduct } from './product-store.ts'

/**
 * Deletes a product with all that belongs to it. Its bugs are deleted only while the parameter allowbugdeletion is on. `inSteps`: many bugs
 * are deleted some at a time, after the product was closed, and the product after them.
 */
export function removeProduct(
  context: EditorContext,
  who: number,
  key: ProductKey,
  inSteps: boolean,
): Promise<{ product: Product; removal: Removal | undefined }> {
  return changeCatalogue(context.db, async (tx) => {
    const [product] = (await getProducts(tx, context, [key])) as [Product]
    const { id, name } = product
    const bugs = await countBugsWith(tx, 'product_id', id, mostCounted(inSteps))
    if (!context.settings.allowbugdeletion && bugs > 0) throw errors.product_has_bugs({ product: name })
    await requireNothingInItControls(tx, product)
    if (!needsSteps(bugs, inSteps, name)) {
      await finishProductRemoval(tx, who, product)
      return { product, removal: undefined }
    }
    const closed: Product = { ...product, is_active: 0 }
    await updateProduct(tx, closed)
    const audited = { who, class: 'Product', objectId: id } as const
    await recordAudit(tx, audited, changesBetween(updatableForm(product), updatableForm(closed)))
    return { product, removal: await beginRemoval(tx, who, { class: 'Product', objectId: id, name, bugs }) }
  })
}

/** Deletes the bugs that are left, and the product. */
export async function finishProductRemoval(tx: ConfigurationTransaction, who: number, product: Product) {
  await requireNothingInItControls(tx, product)
  await deleteBugsOfProduct(tx, who, product.id)
  await deleteProduct(tx, product)
  await recordRemoval(tx, { who, class: 'Product', objectId: product.id }, product.name)
}

async function requireNothingInItControls(tx: Db, { id, name }: Product) {
  const ids = (rows: readonly { id: number }[]) => rows.map((row) => row.id)
  await requireControlsNothing(tx, 'product', [id], `The product ${name}`)
  const components = await listComponents(tx, [id], ONLY_ID)
  await requireControlsNothing(tx, 'component', ids(components), `A component of ${name}`)
  await requireControlsNothing(tx, 'version', ids(await versions.list(tx, [id])), `A version of ${name}`)
  await requireControlsNothing(tx, 'target_milestone', ids(await milestones.list(tx, [id])), `A milestone of ${name}`)
}

const ONLY_ID = selectionOf({ include_fields: 'id' })
