import type { Asked } from '../../access/call.ts'
import { listProducts, type ProductRef } from '../../access/visible-products.ts'

/** Whoever reads fields, with what their answer is made of. */
export interface Reader extends Pick<Asked, 'db' | 'caller' | 'settings' | 'catalogue' | 'select'> {
  /** The products that they may see, read when first needed. */
  products(): Promise<readonly ProductRef[]>
}

export function readerOf({ db, caller, settings, catalogue, select }: Omit<Reader, 'products'>): Reader {
  let products: Promise<ProductRef[]> | undefined
  return {
    ...{ db, caller, settings, catalogue, select },
    products: () => (products ??= listProducts(db, caller, settings, 'accessible')),
  }
}
