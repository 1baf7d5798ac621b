import type { Answer } from '../../../../client/call-types.ts'
import { ADMINISTERED_PRODUCTS_CALL } from '../../../../shared/first-calls.ts'
import { addressOf } from '../../../../shared/rest-address.ts'
import { reasonWithoutFunction } from '../../../../shared/system-group-names.ts'
import { managesProducts, me } from '../../../core/account/session.ts'
import { get } from '../../../core/server/rest.ts'
import { noteItemName } from '../item-names.ts'

export type FlagType = Answer<'GET /flag_type'>['flagtypes'][number]
/** A product, or some of its components by its name. */
export type Scope = NonNullable<FlagType['inclusions']>[number]
export type Target = FlagType['target_type']

/** What the page of a flag type shows. */
export interface FlagTypeState {
  type: FlagType
  /** Names of components by product, of those that the reader administers. */
  components: ReadonlyMap<string, readonly string[]>
  /** Names of the groups that may be chosen. */
  groups: readonly string[]
  /** How many bugs that the reader may see have a flag of this name. */
  bugs: number
}

export const FLAG_TYPES_PART = 'flag-types'

export async function loadFlagTypes(): Promise<FlagType[]> {
  const [bug, attachment] = await Promise.all(
    (['bug', 'attachment'] as const).map((target_type) => get(addressOf('/flag_type', { target_type }))),
  )
  const types = [...(bug?.flagtypes ?? []), ...(attachment?.flagtypes ?? [])]
  for (const { id, name } of types) noteItemName(FLAG_TYPES_PART, String(id), name)
  return types
}

export async function loadFlagType(item: string): Promise<FlagTypeState> {
  const { flagtypes } = await get(addressOf('/flag_type', { ids: item }))
  const [type] = flagtypes
  if (type === undefined) throw new Error(`There is no flag type ${item}.`)
  noteItemName(FLAG_TYPES_PART, item, type.name)
  const [components, groups, found] = await Promise.all([
    readComponents(),
    readGroups(),
    get(addressOf('/bug', { ...searchOf(type.name), count_only: 1 })),
  ])
  return { type, components, groups, bugs: Number(found.bug_count ?? 0) }
}

export async function readComponents() {
  const { products } = await get(ADMINISTERED_PRODUCTS_CALL)
  return new Map(products.map(({ name, components }) => [name, (components ?? []).map((it) => it.name)]))
}

/** All groups, or the reader's own: others may not be named by users who may not list them. */
async function readGroups() {
  const all = await get(addressOf('/group')).catch(() => undefined)
  const names = all?.groups.map(({ name }) => name) ?? me.value?.groups ?? []
  return names.filter((name) => reasonWithoutFunction(name) === undefined)
}

/** A flag is searched as its name and status, such as `review?`. */
function searchOf(name: string) {
  return { f1: 'flagtypes.name', o1: 'substring', v1: name }
}

export function bugsWithFlag(name: string) {
  return `/bugs?${new URLSearchParams(searchOf(name))}`
}

export function flagTypeAddress(id: number) {
  return `/admin/${FLAG_TYPES_PART}/${id}`
}

/** What is changed as a text, by the names of PUT /rest/flag_type. */
export const TEXTS = ['name', 'description', 'sortkey', 'cc_list', 'grant_group', 'request_group'] as const
export type FlagTypeText = (typeof TEXTS)[number]

export const SWITCHES = [
  'is_active',
  'is_requestable',
  'is_specifically_requestable',
  'is_multiplicable',
  'is_question',
] as const
export type FlagTypeSwitch = (typeof SWITCHES)[number]

export const SCOPES = ['inclusions', 'exclusions'] as const
export type ScopeList = (typeof SCOPES)[number]

export function textIn(type: FlagType, name: FlagTypeText): string {
  return name === 'cc_list' ? type.cc_list.join(', ') : String(type[name] ?? '')
}

/** Of a flag type that also applies to other products than the reader's own, only where it applies can be changed. */
export function isOwn({ type, components }: FlagTypeState) {
  if (managesProducts.value) return true
  const rows = rowsOf(type.inclusions)
  return rows.length > 0 && rows.every(({ product }) => components.has(product))
}

/** Every value that can be changed, by the key of its change. */
export function valuesOf({ type }: FlagTypeState): Map<string, string> {
  return new Map([
    ...TEXTS.map((name) => [name, textIn(type, name)] as const),
    ...SWITCHES.map((name) => [name, type[name] ? 'yes' : 'no'] as const),
    ...SCOPES.map((name) => [name, scopesInWords(name, type[name])] as const),
  ])
}

/** Each product, or each component, on its own. */
export interface ScopeRow {
  product: string
  /** Undefined for all components. */
  component?: string | undefined
}

export function rowsOf(scopes: readonly Scope[] = []): ScopeRow[] {
  return scopes.flatMap((scope): ScopeRow[] =>
    typeof scope === 'string'
      ? [{ product: scope }]
      : Object.entries(scope).flatMap(([product, names]) => names.map((component) => ({ product, component }))),
  )
}

/** As PUT /rest/flag_type takes them. */
export function scopesOf(rows: readonly ScopeRow[]): Scope[] {
  return rows.map(({ product, component }) => (component === undefined ? product : { [product]: [component] }))
}

export function rowInWords({ product, component }: ScopeRow) {
  return component === undefined ? product : `${product}: ${component}`
}

export function scopesInWords(list: ScopeList, scopes: readonly Scope[] = []): string {
  const rows = rowsOf(scopes).map(rowInWords)
  if (rows.length === 0) return list === 'inclusions' ? 'every product' : 'nothing'
  return rows.sort((a, b) => a.localeCompare(b)).join(', ')
}
