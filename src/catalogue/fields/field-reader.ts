import type { CallContext } from '../../access/call.ts'
import { listProducts, type ProductRef } from '../../access/visibility/visible-products.ts'
import type { Classification } from '../classifications/classification.ts'
import { listClassificationsVisibleTo } from '../classifications/classification-store.ts'

/** The products and classifications that the caller may see. Each list is read when it is first needed. */
export interface VisibleCatalogue extends Pick<CallContext, 'db'> {
  products(): Promise<readonly ProductRef[]>
  classifications(): Promise<readonly Classification[]>
}

/** The context of a call that reads fields. */
export interface FieldReader
  extends VisibleCatalogue,
    Pick<CallContext, 'caller' | 'settings' | 'catalogue' | 'select'> {}

export function fieldReader(context: Omit<FieldReader, 'products' | 'classifications'>): FieldReader {
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
