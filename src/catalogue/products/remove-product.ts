import { recordRemoval } from '../../changes/audit.ts'
import { deleteBugsOfProduct } from '../../changes/effects-on-bugs.ts'
import type { Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { selectionOf } from '../../platform/wire/field-selection.ts'
import { changeCatalogue } from '../change-catalogue.ts'
import { listComponents } from '../components/component-store.ts'
import { requireControlsNothing } from '../controlled-fields.ts'
import { milestones, versions } from '../product-values/product-value-store.ts'
import type { Product } from './product.ts'
import type { EditorContext, ProductKey } from './product-permissions.ts'
import { deleteProduct, getProducts, productHasBugs } from './product-store.ts'

/** Deletes a product with all that belongs to it. Its bugs are deleted only while the parameter allowbugdeletion is on. */
export async function removeProduct(context: EditorContext, who: number, key: ProductKey): Promise<Product> {
  return changeCatalogue(context.db, async (tx) => {
    const [product] = (await getProducts(tx, context, [key])) as [Product]
    const { id, name } = product
    if (!context.settings.allowbugdeletion && (await productHasBugs(tx, id)))
      throw errors.product_has_bugs({ product: name })
    await requireNothingInItControls(tx, product)
    if (context.settings.allowbugdeletion) await deleteBugsOfProduct(tx, who, id)
    await deleteProduct(tx, product)
    await recordRemoval(tx, { who, class: 'Product', objectId: id }, name)
    return product
  })
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
