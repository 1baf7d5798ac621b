export interface Product {
  id: number
  name: string
  description: string
  is_active: 0 | 1
  has_unconfirmed: 0 | 1
  classification_id: number
  classification: string
  default_milestone_id: number | null
  default_milestone: string
  default_version_id: number | null
  default_version: string
}

/** The parts of a product that the rules check. */
export interface ProductEdit {
  name: string
  description: string
}

export interface WantedChanges {
  name?: string | undefined
  description?: string | undefined
  is_open?: boolean | undefined
  has_unconfirmed?: boolean | undefined
  classification?: string | undefined
  default_milestone?: string | undefined
  default_version?: string | undefined
}

/** Applies the changes that need no lookup. Spaces around name and description are removed. */
export function edited(before: Product, wanted: WantedChanges): Product {
  return {
    ...before,
    name: (wanted.name ?? before.name).trim(),
    description: (wanted.description ?? before.description).trim(),
    is_active: wanted.is_open === undefined ? before.is_active : wanted.is_open ? 1 : 0,
    has_unconfirmed: wanted.has_unconfirmed === undefined ? before.has_unconfirmed : wanted.has_unconfirmed ? 1 : 0,
  }
}

/** A product with the parameter names of an update. */
export function updatableForm(product: Product) {
  const { name, description, classification, default_milestone, default_version, has_unconfirmed, is_active } = product
  return { name, description, classification, default_milestone, default_version, has_unconfirmed, is_open: is_active }
}
