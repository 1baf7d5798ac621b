export interface FlagType {
  id: number
  name: string
  description: string
  target: FlagTarget
  sort_key: number
  is_active: 0 | 1
  is_requestable: 0 | 1
  is_requesteeble: 0 | 1
  is_multiplicable: 0 | 1
  /** A question is asked with `?` and answered with a comment, which clears it. It is never granted or denied. */
  is_question: 0 | 1
  /** Mail addresses that are notified of requests, separated by a comma and a space. */
  cc_list: string
  grant_group_id: number | null
  request_group_id: number | null
}

export type FlagTarget = 'bug' | 'attachment'

/** A component, a whole product (component null), or everywhere (both null). */
export interface ScopeIds {
  product_id: number | null
  component_id: number | null
}

/** A flag type with its scopes. It applies to bugs in at least one inclusion and in no exclusion. */
export interface ScopedFlagType extends FlagType {
  inclusions: ScopeIds[]
  exclusions: ScopeIds[]
}

/** compat: the name of the question in BMO, whose parameters of bugs are called so. */
export const NEEDINFO = 'needinfo'

export const EVERYWHERE: ScopeIds = { product_id: null, component_id: null }

/** Whether the flag type can be set on a bug of this product and component. */
export function appliesTo(type: ScopedFlagType, productId: number, componentId: number) {
  const covers = (scope: ScopeIds) =>
    isOfProduct(scope, productId) && (scope.component_id === null || scope.component_id === componentId)
  return type.inclusions.some(covers) && !type.exclusions.some(covers)
}

/** Whether the product may have a component in which the flag type can be set. */
export function appliesSomewhereIn(type: ScopedFlagType, productId: number) {
  const excluded = type.exclusions.filter((scope) => isOfProduct(scope, productId))
  return type.inclusions.some(
    (included) =>
      isOfProduct(included, productId) &&
      !excluded.some((scope) => scope.component_id === null || scope.component_id === included.component_id),
  )
}

/**
 * The same as appliesTo, for all components of a product: returns a function from a component to its types. Components that no type
 * names share one list, so that many components cost little.
 */
export function flagTypesByComponent<Type extends ScopedFlagType>(types: readonly Type[], productId: number) {
  const applicable = types.map((type) => ({
    type,
    included: componentsIn(type.inclusions, productId),
    excluded: componentsIn(type.exclusions, productId),
  }))
  const singledOut = new Set(applicable.flatMap(({ included, excluded }) => [...included.some, ...excluded.some]))
  const common = applicable.filter(({ included, excluded }) => included.all && !excluded.all).map(({ type }) => type)

  return (componentId: number): readonly Type[] =>
    singledOut.has(componentId)
      ? applicable
          .filter(({ included, excluded }) => included.has(componentId) && !excluded.has(componentId))
          .map(({ type }) => type)
      : common
}

function componentsIn(scopes: readonly ScopeIds[], productId: number) {
  const here = scopes.filter((scope) => isOfProduct(scope, productId))
  const all = here.some((scope) => scope.component_id === null)
  const some = new Set(here.flatMap((scope) => scope.component_id ?? []))
  return { all, some, has: (componentId: number) => all || some.has(componentId) }
}

function isOfProduct(scope: ScopeIds, productId: number) {
  return scope.product_id === null || scope.product_id === productId
}

/** A flag type in the response of the product call, with addresses as the reader may see them. */
export function presentEmbedded(type: FlagType, shown: (address: string) => string) {
  return {
    id: type.id,
    name: type.name,
    description: type.description,
    cc_list: separateAddresses(type.cc_list).map(shown).join(', '),
    sort_key: type.sort_key,
    is_active: type.is_active === 1,
    is_requestable: type.is_requestable === 1,
    is_requesteeble: type.is_requesteeble === 1,
    is_multiplicable: type.is_multiplicable === 1,
    grant_group: type.grant_group_id,
    request_group: type.request_group_id,
  }
}

/** The flag types of a component in the response of the product call. */
export function presentFlagTypes(types: readonly FlagType[], shown: (address: string) => string) {
  const of = (target: FlagTarget) =>
    types.filter((type) => type.target === target).map((type) => presentEmbedded(type, shown))
  return { bug: of('bug'), attachment: of('attachment') }
}

type Groups = ReadonlySet<number>

export function mayGrant({ grant_group_id }: FlagType, groups: Groups) {
  return grant_group_id === null || groups.has(grant_group_id)
}

/** If all users may grant, all users may request. A request group has no effect without a grant group. */
export function mayRequest(type: FlagType, groups: Groups) {
  return type.request_group_id === null || groups.has(type.request_group_id) || mayGrant(type, groups)
}

/** The values that a user in these groups can set; X clears the flag. */
export function valuesFor(type: FlagType, groups: Groups) {
  const asks = type.is_requestable === 1 && mayRequest(type, groups)
  const decides = type.is_question === 0 && mayGrant(type, groups)
  return ['X', ...(asks ? ['?'] : []), ...(decides ? ['+', '-'] : [])]
}

/** Removes scopes that are repeated or contained in others. */
export function withoutRedundantScopes(scopes: readonly ScopeIds[]): ScopeIds[] {
  if (scopes.some((scope) => scope.product_id === null)) return [EVERYWHERE]
  const whole = new Set(scopes.filter((scope) => scope.component_id === null).map((scope) => scope.product_id))
  const needed = scopes.filter((scope) => scope.component_id === null || !whole.has(scope.product_id))
  return [...new Map(needed.map((scope) => [keyOf(scope), scope])).values()]
}

export function areSameScopes(some: readonly ScopeIds[], others: readonly ScopeIds[]) {
  const keys = new Set(some.map(keyOf))
  return keys.size === others.length && others.every((scope) => keys.has(keyOf(scope)))
}

export function keyOf({ product_id, component_id }: ScopeIds) {
  return `${product_id}:${component_id}`
}

/** A flag as text in history, mail and lists of changes. */
export function flagText(name: string, status: string, requestee: string | null | undefined) {
  return `${name}${status}${requestee ? `(${requestee})` : ''}`
}

/** The largest number of characters of a cc_list. */
export const LONGEST_CC_LIST = 200

/** The addresses of a cc_list, which are separated by commas or spaces. */
export function separateAddresses(list: string): string[] {
  return list.split(/[\s,]+/).filter((address) => address !== '')
}
