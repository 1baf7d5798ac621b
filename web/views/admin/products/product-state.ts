import type { Answer } from '../../../../client/call-types.ts'
import { ADMINISTERED_PRODUCTS_CALL } from '../../../../shared/first-calls.ts'
import { addressOf } from '../../../../shared/rest-address.ts'
import { managesGroups, managesProducts, parameters } from '../../../core/account/session.ts'
import { get } from '../../../core/server/rest.ts'
import type { Product } from '../../../core/server/types.ts'
import { type Control, controlInWords, NO_CONTROL } from './group-controls.ts'

export type ProductComponent = Product['components'][number]
export type OrderedValue = Product['versions'][number]
export type ValueKind = 'version' | 'milestone'
export type CannedReply = Answer<'GET /canned_reply'>['canned_replies'][number]
type ListedGroup = Answer<'GET /group'>['groups'][number]

/** What the page of a product shows. */
export interface ProductState {
  product: Product
  /** Names, in their order; empty if the reader may not see them. */
  classifications: readonly string[]
  /** Undefined for readers who may not change who may do what. */
  controls: ReadonlyMap<string, Control> | undefined
  groups: readonly ListedGroup[]
  /** Login names of those on the CC list of new bugs, by component. */
  ccOf: ReadonlyMap<number, string>
  flags: readonly AppliedFlag[]
  /** Canned replies of the product alone. */
  replies: readonly CannedReply[]
  /** Open bugs by `component`, `version` and `target_milestone`. */
  open: ReadonlyMap<string, number>
  openBugs: number
  allBugs: number
}

export function placeOf(name: string) {
  return `products/${name}`
}

export async function loadProduct(name: string): Promise<ProductState> {
  const { products } = await get(
    addressOf('/product', {
      names: name,
      include_fields: `_default,bug_template,default_version,${VOTE_LIMITS.join()}`,
    }),
  )
  const [product] = products
  if (product === undefined)
    throw new Error(`There is no product “${name}”, no longer under this name, or you may not see it.`)
  await requireAdministered(product.name)
  const [classifications, controls, groups, counts, copied, replies] = await Promise.all([
    usesClassifications() && get(addressOf('/classification', { include_fields: 'name' })).catch(() => undefined),
    changesControls() && get(addressOf('/product/:product/group_control', { product: product.id })),
    changesControls() && get(addressOf('/group')),
    countBugs(product.name),
    get(addressOf('/product/:product/default_cc', { product: product.id })),
    get(addressOf('/canned_reply', { product: product.name, for_editing: 1 })),
  ])
  return {
    product,
    classifications: classifications ? classifications.classifications.map((it) => it.name) : [],
    controls: controls ? new Map(controls.group_controls.map((it) => [it.name, it])) : undefined,
    groups: groups ? groups.groups : [],
    ccOf: new Map(copied.components.map(({ id, default_cc }) => [id, default_cc.join(', ')])),
    flags: flagsIn(product),
    replies: replies.canned_replies.filter((it) => it.product !== null),
    ...counts,
  }
}

function usesClassifications() {
  return parameters.value.useclassification === '1'
}

/** Who may do what in a product is changed with both rights. */
export function changesControls() {
  return managesProducts.value && managesGroups.value
}

async function requireAdministered(name: string) {
  if (managesProducts.value) return
  const { products } = await get(ADMINISTERED_PRODUCTS_CALL)
  if (!products.some((it) => it.name === name)) throw new Error(`You do not administer the product “${name}”.`)
}

async function countBugs(product: string) {
  const fields = ['component', 'version', 'target_milestone'] as const
  const [all, ...reports] = await Promise.all([
    get(addressOf('/bug', { product, count_only: 1 })),
    ...fields.map((field) => get(addressOf('/report', { product, bug_status: '__open__', y_axis_field: field }))),
  ])
  const open = new Map(
    reports.flatMap(({ counts }, place) => counts.map((it) => [`${fields[place]} ${it.y}`, it.bug_count] as const)),
  )
  return { open, openBugs: reports[0]?.bug_count ?? 0, allBugs: Number(all.bug_count ?? 0) }
}

/** A flag type that applies in components of the product. */
export interface AppliedFlag {
  id: number
  name: string
  description: string
  on: 'bug' | 'attachment'
  components: readonly string[]
}

function flagsIn({ components }: Product): AppliedFlag[] {
  const found = new Map<number, AppliedFlag & { components: string[] }>()
  for (const component of components)
    for (const on of ['bug', 'attachment'] as const)
      for (const { id, name, description } of component.flag_types[on]) {
        const type = found.get(id) ?? { id, name, description, on, components: [] }
        type.components.push(component.name)
        found.set(id, type)
      }
  return [...found.values()]
}

/** How many votes users have, in the order of the page. */
export const VOTE_LIMITS = ['votesperuser', 'maxvotesperbug', 'votestoconfirm'] as const
export type VoteLimit = (typeof VOTE_LIMITS)[number]

/** Details of a product by the names that PUT /rest/product gives them. */
export const DETAILS = [
  'name',
  'description',
  'classification',
  'has_unconfirmed',
  'is_open',
  'bug_template',
  'default_version',
  'default_milestone',
  ...VOTE_LIMITS,
] as const
export type Detail = (typeof DETAILS)[number]

export function detailOf({ product }: ProductState, detail: Detail): string {
  if (detail === 'is_open') return yesNo(product.is_active)
  if (detail === 'has_unconfirmed') return yesNo(product.has_unconfirmed)
  return String(product[detail] ?? '')
}

/** What a component has, by the names that PUT /rest/component gives them. */
export const COMPONENT_PARTS = [
  'name',
  'description',
  'default_assignee',
  'default_qa_contact',
  'triage_owner',
  'triage_rotation',
  'is_open',
] as const
export type ComponentPart = (typeof COMPONENT_PARTS)[number]

export function partOf(component: ProductComponent, part: ComponentPart): string {
  if (part === 'is_open') return yesNo(component.is_active)
  if (part === 'default_assignee') return component.default_assigned_to
  // Of a rotation it is the user whose turn it is.
  if (part === 'triage_owner' && component.triage_rotation !== '') return ''
  return component[part]
}

/** The login names of those who watch a component, as they are typed. */
export function ccOf({ ccOf }: ProductState, { id }: ProductComponent): string {
  return ccOf.get(id) ?? ''
}

export function loginsIn(text: string): string[] {
  return text.split(/[\s,]+/).filter((login) => login !== '')
}

/** Every value that can be changed, by the key of its change. */
export function valuesOf(state: ProductState): Map<string, string> {
  const { product, groups, controls } = state
  const values = new Map<string, string>(DETAILS.map((detail) => [`product ${detail}`, detailOf(state, detail)]))
  for (const component of product.components) {
    for (const part of COMPONENT_PARTS) values.set(`component ${component.id} ${part}`, partOf(component, part))
    values.set(`component ${component.id}`, component.name)
    values.set(`component ${component.id} default_cc`, ccOf(state, component))
  }
  for (const kind of ['version', 'milestone'] as const) {
    values.set(`${kind} order`, orderOf(product[`${kind}s`]))
    for (const { id, name, is_active } of product[`${kind}s`]) {
      values.set(`${kind} ${id}`, name)
      values.set(`${kind} ${id} name`, name)
      values.set(`${kind} ${id} is_active`, yesNo(is_active))
    }
  }
  for (const { id, name, text, group } of state.replies) {
    values.set(`reply ${id}`, name)
    values.set(`reply ${id} name`, name)
    values.set(`reply ${id} text`, text)
    values.set(`reply ${id} group`, group ?? '')
  }
  for (const { name } of groups) values.set(`group ${name}`, controlInWords(name, controls?.get(name) ?? NO_CONTROL))
  return values
}

export function orderOf(values: readonly { name: string }[]) {
  return values.map(({ name }) => name).join(', ')
}

export function yesNo(is: boolean) {
  return is ? 'yes' : 'no'
}

export function openBugsAddress(state: ProductState, search: Record<string, string> = {}) {
  return `/bugs?${new URLSearchParams({ product: state.product.name, ...search, status: '__open__' })}`
}

export function openBugsInWords({ openBugs }: ProductState) {
  return openBugs === 1 ? '1 open bug' : `${openBugs} open bugs`
}
