import type { Asked } from '../../access/call.ts'
import { listProducts, type ProductRef } from '../../access/visible-products.ts'
import type { Classification } from '../classifications/classification.ts'
import { listClassificationsVisibleTo } from '../classifications/classification-store.ts'

/** Whoever reads fields, with what their answer is made of. */
export interface Reader extends Pick<Asked, 'db' | 'caller' | 'settings' | 'catalogue' | 'select'> {
  /** The products that they may see, and the classifications that hold these; read when first needed. */
  products(): Promise<readonly ProductRef[]>
  classifications(): Promise<readonly Classification[]>
}

export function readerOf(asked: Omit<Reader, 'products' | 'classifications'>): Reader {
  const { db, caller, settings } = asked
  let products: Promise<ProductRef[]> | undefined
  let classifications: Promise<Classification[]> | undefined
  return {
    ...asked,
    products: () => (products ??= listProducts(db, caller, settings, 'accessible')),
    classifications: () => (classifications ??= listClassificationsVisibleTo(db, caller, settings)),
  }
}
