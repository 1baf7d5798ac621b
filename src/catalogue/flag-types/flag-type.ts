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
  /** Addresses that hear of requests, separated by a comma and a blank. */
  cc_list: string
  grant_group_id: number | null
  request_group_id: number | null
}

export type FlagTarget = 'bug' | 'attachment'

/** A place in the catalogue: a component, a whole product (component null), or everywhere (both null). */
export interface Scope {
  product_id: number | null
  component_id: number | null
}

/** A flag type with where it applies: in some inclusion and in no exclusion. */
export interface ScopedFlagType extends FlagType {
  inclusions: Scope[]
  exclusions: Scope[]
}

export const EVERYWHERE: Scope = { product_id: null, component_id: null }

/** Whether the flag type can be set on a bug of that product and component. */
export function appliesTo(type: ScopedFlagType, productId: number, componentId: number) {
  const covers = (scope: Scope) =>
    isOfProduct(scope, productId) && (scope.component_id === null || scope.component_id === componentId)
  return type.inclusions.some(covers) && !type.exclusions.some(covers)
}

/** Whether there may be a component of the product in which the flag type can be set. */
export function appliesSomewhereIn(type: ScopedFlagType, productId: number) {
  const excluded = type.exclusions.filter((scope) => isOfProduct(scope, productId))
  return type.inclusions.some(
    (included) =>
      isOfProduct(included, productId) &&
      !excluded.some((scope) => scope.component_id === null || scope.component_id === included.component_id),
  )
}

/**
 * The same question as appliesTo, for all components of a product: answers which of the types apply in a component. Components that
 * no type singles out share one list, so that many components cost little.
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

function componentsIn(scopes: readonly Scope[], productId: number) {
  const here = scopes.filter((scope) => isOfProduct(scope, productId))
  const all = here.some((scope) => scope.component_id === null)
  const some = new Set(here.flatMap((scope) => scope.component_id ?? []))
  return { all, some, has: (componentId: number) => all || some.has(componentId) }
}

function isOfProduct(scope: Scope, productId: number) {
  return scope.product_id === null || scope.product_id === productId
}

/** A flag type as it stands in a component of a product that is read, with addresses as the reader may see them. */
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

/** The flag types of a component as the product read shows them. */
export function presentFlagTypes(types: readonly FlagType[], shown: (address: string) => string) {
  const of = (target: FlagTarget) =>
    types.filter((type) => type.target === target).map((type) => presentEmbedded(type, shown))
  return { bug: of('bug'), attachment: of('attachment') }
}

type Groups = ReadonlySet<number>

export function mayGrant({ grant_group_id }: FlagType, groups: Groups) {
  return grant_group_id === null || groups.has(grant_group_id)
}

/** Where everybody may grant, everybody may ask: a request group means nothing without a grant group. */
export function mayRequest(type: FlagType, groups: Groups) {
  return type.request_group_id === null || groups.has(type.request_group_id) || mayGrant(type, groups)
}

/** What somebody in these groups can set a flag of the type to; X clears it. */
export function valuesFor(type: FlagType, groups: Groups) {
  const asks = type.is_requestable === 1 && mayRequest(type, groups)
  return ['X', ...(asks ? ['?'] : []), ...(mayGrant(type, groups) ? ['+', '-'] : [])]
}

/** Each place once, and none that lies within another. */
export function withoutRepetition(scopes: readonly Scope[]): Scope[] {
  if (scopes.some((scope) => scope.product_id === null)) return [EVERYWHERE]
  const whole = new Set(scopes.filter((scope) => scope.component_id === null).map((scope) => scope.product_id))
  const needed = scopes.filter((scope) => scope.component_id === null || !whole.has(scope.product_id))
  return [...new Map(needed.map((scope) => [keyOf(scope), scope])).values()]
}

export function areSamePlaces(some: readonly Scope[], others: readonly Scope[]) {
  const keys = new Set(some.map(keyOf))
  return keys.size === others.length && others.every((scope) => keys.has(keyOf(scope)))
}

export function keyOf({ product_id, component_id }: Scope) {
  return `${product_id}:${component_id}`
}

/** What a flag of a type is called in history, mail and lists of changes. */
export function flagText(name: string, status: string, requestee: string | null | undefined) {
  return `${name}${status}${requestee ? `(${requestee})` : ''}`
}

/** All addresses of a cc_list together have at most so many characters. */
export const LONGEST_CC_LIST = 200

/** The addresses of a cc_list, which are separated by commas or blanks. */
export function separateAddresses(list: string): string[] {
  return list.split(/[\s,]+/).filter((address) => address !== '')
}
