import { type Caller, isIn, requireLogin } from '../../../access/caller.ts'
import type { Settings } from '../../../platform/config/settings.ts'
import type { Db } from '../../../platform/database/db.ts'
import { errors } from '../../../platform/errors.ts'
import { fold } from '../../../platform/text/fold.ts'
import { appliesSomewhereIn, keyOf, type ScopedFlagType, type ScopeIds, withoutRedundantScopes } from '../flag-type.ts'
import { findComponents, listProductsWithRights, type ScopeProduct } from '../flag-type-scope-store.ts'
import type { FlagTypeScope } from '../flag-type-scopes.ts'

/** A user who administers flag types, everywhere or only in some products. */
export interface FlagTypeEditor {
  who: number
  isGlobal: boolean
  /** Every product that the editor sees, by folded name. */
  products: ReadonlyMap<string, ScopeProduct>
  /** The ids of `products`. */
  visible: ReadonlySet<number>
  /** The ids of the products that the editor administers. */
  own: ReadonlySet<number>
  /** Whether the editor may know that the group exists. */
  knowsGroup: (groupId: number) => boolean
}

/** Throws 410 for an anonymous caller and 304 for a user without editcomponents in any product. */
export async function requireFlagTypeEditor(db: Db, caller: Caller, settings: Settings): Promise<FlagTypeEditor> {
  const { id } = requireLogin(caller)
  const products = await listProductsWithRights(db, caller, settings)
  const own = new Set(products.filter((product) => product.is_own === 1).map((product) => product.id))
  const isGlobal = isIn(caller, 'editcomponents')
  const knowsAllGroups = isIn(caller, 'creategroups') || isIn(caller, 'editusers')
  if (!isGlobal && own.size === 0)
    throw errors.not_allowed({
      need: 'it needs membership in editcomponents, or the right editcomponents in a product',
    })
  return {
    who: id,
    isGlobal,
    products: new Map(products.map((product) => [product.name_key, product])),
    visible: new Set(products.map((product) => product.id)),
    own,
    knowsGroup: (groupId) => knowsAllGroups || caller.groups.ids.has(groupId),
  }
}

/** Whether the editor may know of the type: it applies to a product that they see, to all products, or, for a global editor, to none. */
export function mayKnowOf(editor: FlagTypeEditor, { inclusions }: ScopedFlagType) {
  if (inclusions.length === 0) return editor.isGlobal
  return inclusions.some(({ product_id }) => product_id === null || editor.visible.has(product_id))
}

/** Whether the editor may change everything of the type, and not only its inclusions and exclusions in their own products. */
export function mayEditAllOf(editor: FlagTypeEditor, type: ScopedFlagType) {
  return editor.isGlobal || (type.inclusions.length > 0 && type.inclusions.every((scope) => decidesOn(editor, scope)))
}

export function mayEditSomeOf(editor: FlagTypeEditor, type: ScopedFlagType) {
  return editor.isGlobal || [...editor.own].some((productId) => appliesSomewhereIn(type, productId))
}

export function requireMayEditAllOf(editor: FlagTypeEditor, type: ScopedFlagType) {
  if (!mayEditAllOf(editor, type))
    throw errors.flag_type_not_editable({
      name: type.name,
      why: 'it applies to products that you do not administer, so you can only change its inclusions and exclusions in yours',
    })
}

export function requireMayEditSomeOf(editor: FlagTypeEditor, type: ScopedFlagType) {
  if (!mayEditSomeOf(editor, type))
    throw errors.flag_type_not_editable({ name: type.name, why: 'it applies to no product that you administer' })
}

function decidesOn(editor: FlagTypeEditor, scope: ScopeIds) {
  return scope.product_id === null ? editor.isGlobal : editor.own.has(scope.product_id)
}

/** Looks up products and components. Throws the same error for a product that the editor does not see and for a missing one. */
export async function scopesOf(
  db: Db,
  editor: FlagTypeEditor,
  wantedScopes: readonly FlagTypeScope[],
): Promise<ScopeIds[]> {
  const named = wantedScopes.map(({ product, components }) => ({
    product: requireProduct(editor, product),
    components,
  }))
  const limited = named.filter(({ components }) => components !== undefined)
  const componentId = await findComponents(
    db,
    limited.map(({ product }) => product.id),
    limited.flatMap(({ components = [] }) => components),
  )
  return named.flatMap(({ product, components }): ScopeIds[] => {
    if (components === undefined) return [{ product_id: product.id, component_id: null }]
    return components.map((name) => {
      const component_id = componentId(product.id, name)
      if (component_id === undefined) throw errors.no_such_component({ product: product.name, name })
      return { product_id: product.id, component_id }
    })
  })
}

function requireProduct(editor: FlagTypeEditor, name: string) {
  const product = editor.products.get(fold(name.trim()))
  if (!product) throw errors.product_not_accessible({ ref: name })
  return product
}

/** A new type may apply only to products that the editor administers. */
export function requireOwnScopes(editor: FlagTypeEditor, scopes: readonly ScopeIds[]) {
  if (!scopes.every((scope) => decidesOn(editor, scope)))
    throw errors.not_allowed({
      need: 'you administer only some products, so the flag type needs inclusions, and these and the exclusions must be in your products',
    })
}

/** Replaces the scopes in products that the editor administers. Scopes in other products stay. */
export function replacedScopes(
  editor: FlagTypeEditor,
  type: ScopedFlagType,
  before: readonly ScopeIds[],
  wanted: readonly ScopeIds[],
): ScopeIds[] {
  const known = new Set(before.map(keyOf))
  if (!wanted.every((scope) => decidesOn(editor, scope) || known.has(keyOf(scope))))
    throw errors.flag_type_not_editable({ name: type.name, why: 'you named a product that you do not administer' })
  return withoutRedundantScopes([...before.filter((scope) => !decidesOn(editor, scope)), ...wanted])
}
