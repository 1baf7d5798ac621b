import { addressOf } from '../../../../shared/rest-address.ts'
import { get } from '../../../core/server/rest.ts'
import type { Product } from '../../../core/server/types.ts'

/** What the page of a product shows. */
export interface ProductState {
  product: Product
  /** Names, in their order. */
  classifications: readonly string[]
}

export async function loadProduct(name: string): Promise<ProductState> {
  const fields = '_default,bug_template,default_version'
  const { products } = await get(
    addressOf('/product', { names: name, include_fields: fields, exclude_fields: 'components.flag_types' }),
  )
  const [product] = products
  if (product === undefined) throw new Error(`There is no product “${name}”, or you may not see it.`)
  return { product, classifications: [product.classification] }
}

/** Details of a product by the names that PUT /rest/product gives them. */
export const DETAILS = ['name', 'description', 'classification', 'has_unconfirmed', 'is_open', 'bug_template'] as const
export type Detail = (typeof DETAILS)[number]

export function detailOf({ product }: ProductState, detail: Detail): string {
  if (detail === 'is_open') return product.is_active ? 'yes' : 'no'
  if (detail === 'has_unconfirmed') return product.has_unconfirmed ? 'yes' : 'no'
  return product[detail] ?? ''
}

/** Every value that can be changed, by the key of its change. */
export function valuesOf(state: ProductState): Map<string, string> {
  return new Map(DETAILS.map((detail) => [`product ${detail}`, detailOf(state, detail)]))
}
