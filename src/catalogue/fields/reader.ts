import type { CallContext } from '../../access/call.ts'
import { listProducts, type ProductRef } from '../../access/visibility/visible-products.ts'
import type { Classification } from '../classifications/classification.ts'
import { listClassificationsVisibleTo } from '../classifications/classification-store.ts'

/** The products that the caller may see, and the classifications that hold these; each list is read when it is first needed. */
export interface VisibleCatalogue extends Pick<CallContext, 'db'> {
  products(): Promise<readonly ProductRef[]>
  classifications(): Promise<readonly Classification[]>
}

/** Whoever reads fields, with what their answer is made of. */
export interface Reader extends VisibleCatalogue, Pick<CallContext, 'caller' | 'settings' | 'catalogue' | 'select'> {}

export function readerOf(context: Omit<Reader, 'products' | 'classifications'>): Reader {
  return { ...context, ...visibleCatalogue(context) }
}

export function visibleCatalogue({
  db,
  caller,
  settings,
}: Pick<CallContext, 'db' | 'caller' | 'settings'>): VisibleCatalogue {
  let products: Promise<ProductRef[]> | undefined
  let classifications: Promise<Classification[]> | undefined
  return {
    db,
    products: () => (products ??= listProducts(db, caller, settings, 'accessible')),
    classifications: () => (classifications ??= listClassificationsVisibleTo(db, caller, settings)),
  }
}
