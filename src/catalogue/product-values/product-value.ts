/** A version or a milestone: what each product has values of its own for. */
export interface ProductValue extends ProductValueEdit {
  id: number
}

/** A value and the product it belongs to. */
export interface ProductValueRow extends ProductValue {
  product_id: number
}

/** The new state of a value. */
export interface ProductValueEdit {
  name: string
  sort_key: number
  is_active: 0 | 1
}

export interface WantedProductValue {
  name?: string | undefined
  sort_key?: number | undefined
  is_active?: boolean | undefined
}

export const NEW_PRODUCT_VALUE: ProductValueEdit = { name: '', sort_key: 0, is_active: 1 }

/** Applies the requested changes. Spaces around the name are removed. */
export function changedValue(before: ProductValueEdit, wanted: WantedProductValue): ProductValueEdit {
  return {
    name: (wanted.name ?? before.name).trim(),
    sort_key: wanted.sort_key ?? before.sort_key,
    is_active: wanted.is_active === undefined ? before.is_active : wanted.is_active ? 1 : 0,
  }
}

export function presentProductValue({ id, name, sort_key, is_active }: ProductValue) {
  return { id, name, sort_key, is_active: is_active === 1 }
}
