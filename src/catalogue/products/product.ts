export interface Product {
  id: number
  name: string
  description: string
  bug_template: string
  is_active: 0 | 1
  has_unconfirmed: 0 | 1
  classification_id: number
  classification: string
  default_milestone_id: number | null
  default_milestone: string
  default_version_id: number | null
  default_version: string
  votesperuser: number
  maxvotesperbug: number
  votestoconfirm: number
}

/** How many votes users have in a product; see ProductsTable. */
export type VoteLimits = Pick<Product, 'votesperuser' | 'maxvotesperbug' | 'votestoconfirm'>

export const NO_VOTES: VoteLimits = { votesperuser: 0, maxvotesperbug: 1, votestoconfirm: 0 }

/** The parts of a product that the rules check. */
export interface ProductEdit extends VoteLimits {
  name: string
  description: string
  bug_template: string
}

export interface WantedChanges {
  name?: string | undefined
  description?: string | undefined
  bug_template?: string | undefined
  is_open?: boolean | undefined
  has_unconfirmed?: boolean | undefined
  classification?: string | undefined
  default_milestone?: string | undefined
  default_version?: string | undefined
  votesperuser?: number | undefined
  maxvotesperbug?: number | undefined
  votestoconfirm?: number | undefined
}

/** Applies the changes that need no lookup. Spaces around name and description are removed. */
export function withProductChanges(before: Product, wanted: WantedChanges): Product {
  return {
    ...before,
    name: (wanted.name ?? before.name).trim(),
    description: (wanted.description ?? before.description).trim(),
    bug_template: wanted.bug_template === undefined ? before.bug_template : templateIn(wanted.bug_template),
    is_active: wanted.is_open === undefined ? before.is_active : wanted.is_open ? 1 : 0,
    has_unconfirmed: wanted.has_unconfirmed === undefined ? before.has_unconfirmed : wanted.has_unconfirmed ? 1 : 0,
    votesperuser: wanted.votesperuser ?? before.votesperuser,
    maxvotesperbug: wanted.maxvotesperbug ?? before.maxvotesperbug,
    votestoconfirm: wanted.votestoconfirm ?? before.votestoconfirm,
  }
}

/** Lines end as those of comments do, so that a page can see whether a template is unchanged. */
export function templateIn(text: string) {
  return text.trim() === '' ? '' : text.replaceAll('\r\n', '\n').replaceAll('\r', '\n')
}

/** A product with the parameter names of an update. */
export function updatableForm(product: Product) {
  const { name, description, bug_template, classification, default_milestone, default_version } = product
  const { has_unconfirmed, is_active: is_open, votesperuser, maxvotesperbug, votestoconfirm } = product
  return {
    name,
    description,
    bug_template,
    classification,
    default_milestone,
    default_version,
    has_unconfirmed,
    is_open,
    votesperuser,
    maxvotesperbug,
    votestoconfirm,
  }
}
