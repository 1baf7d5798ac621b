import type { CallContext } from '../../access/call.ts'
import type { Db } from '../../platform/database/db.ts'
import {
  type FlagTypeEditor,
  mayEditSomeOf,
  mayKnowOf,
  requireFlagTypeEditor,
  requireMayEditSomeOf,
} from './editing/flag-type-editor.ts'
import {
  appliesSomewhereIn,
  appliesTo,
  type FlagTarget,
  type ScopedFlagType,
  type ScopeIds,
  separateAddresses,
  valuesFor,
} from './flag-type.ts'
import { componentNames, getComponentNamed, getProductNamed } from './flag-type-scope-store.ts'
import { listFlagTypesFor, listFlagTypesOf } from './flag-type-store.ts'
import { type FlagTypeRefs, listTargets } from './flag-type-targets.ts'

/** The flag types that can be set on bugs of a product or component, with the values that the caller can set. */
export async function readAvailableFlagTypes(context: CallContext, productName: string, componentName?: string) {
  const { db, caller, settings, select } = context
  const product = await getProductNamed(db, caller, settings, productName)
  const component = componentName === undefined ? undefined : await getComponentNamed(db, product, componentName)
  const types = (await listFlagTypesOf(db, [product.id])).filter((type) =>
    component ? appliesTo(type, product.id, component.id) : appliesSomewhereIn(type, product.id),
  )
  const wantsScopes = select.wants('inclusions') || select.wants('exclusions')
  const names = await componentNames(db, wantsScopes ? types.flatMap(componentIds) : [])
  const of = (target: FlagTarget) =>
    types.filter((type) => type.target === target).map((type) => select.pick(present(type, caller.groups.ids, names)))
  return { bug: of('bug'), attachment: of('attachment') }
}

function present(type: ScopedFlagType, groups: ReadonlySet<number>, names: ReadonlyMap<number, string>) {
  const inclusions = limitedTo(type.inclusions, names)
  const exclusions = limitedTo(type.exclusions, names)
  return {
    id: type.id,
    name: type.name,
    type: type.target,
    description: type.description,
    values: valuesFor(type, groups),
    is_active: type.is_active === 1,
    is_requesteeble: type.is_requesteeble === 1,
    is_multiplicable: type.is_multiplicable === 1,
    is_question: type.is_question === 1,
    ...(inclusions.length > 0 && { inclusions }),
    ...(exclusions.length > 0 && { exclusions }),
  }
}

/** The names of the components in these scopes of one product; none if a scope is the whole product. */
function limitedTo(scopes: readonly ScopeIds[], names: ReadonlyMap<number, string>): string[] {
  if (scopes.some((scope) => scope.component_id === null)) return []
  const ids = new Set(scopes.map((scope) => scope.component_id))
  return [...names].filter(([id]) => ids.has(id)).map(([, name]) => name)
}

function componentIds({ inclusions, exclusions }: ScopedFlagType) {
  return [...inclusions, ...exclusions].flatMap((scope) => scope.component_id ?? [])
}

/** All stored properties of flag types, for users who may change them. */
export async function readStoredFlagTypes(context: CallContext, refs: FlagTypeRefs, target: FlagTarget | undefined) {
  const { db, caller, settings, groups, select } = context
  const editor = await requireFlagTypeEditor(db, caller, settings)
  const types = target === undefined ? await namedFlagTypes(db, editor, refs) : await ownFlagTypes(db, editor, target)
  const wantsScopes = select.wants('inclusions') || select.wants('exclusions')
  const names = await componentNames(db, wantsScopes ? types.flatMap(componentIds) : [])
  const groupName = (id: number | null) => (id === null ? null : (groups.groups.get(id)?.name ?? null))
  return types.map((type) =>
    select.pick({
      id: type.id,
      name: type.name,
      description: type.description,
      target_type: type.target,
      sortkey: type.sort_key,
      is_active: type.is_active === 1,
      is_requestable: type.is_requestable === 1,
      is_specifically_requestable: type.is_requesteeble === 1,
      is_multiplicable: type.is_multiplicable === 1,
      is_question: type.is_question === 1,
      cc_list: separateAddresses(type.cc_list),
      grant_group: groupName(type.grant_group_id),
      request_group: groupName(type.request_group_id),
      ...(!appliesEverywhere(type) && { inclusions: presentScopes(editor, type.inclusions, names) }),
      exclusions: presentScopes(editor, type.exclusions, names),
    }),
  )
}

async function namedFlagTypes(db: Db, editor: FlagTypeEditor, refs: FlagTypeRefs) {
  const types = await listTargets(db, editor, refs)
  for (const type of types) requireMayEditSomeOf(editor, type)
  return types
}

async function ownFlagTypes(db: Db, editor: FlagTypeEditor, target: FlagTarget) {
  return (await listFlagTypesFor(db, target)).filter((type) => mayKnowOf(editor, type) && mayEditSomeOf(editor, type))
}

function appliesEverywhere({ inclusions }: ScopedFlagType) {
  return inclusions.some((scope) => scope.product_id === null)
}

/** The scopes in the form that an update accepts. Products that the editor does not see are left out, and an update keeps them. */
function presentScopes(editor: FlagTypeEditor, scopes: readonly ScopeIds[], names: ReadonlyMap<number, string>) {
  const byProduct = Map.groupBy(scopes, (scope) => scope.product_id)
  return [...editor.products.values()].flatMap(({ id, name }): (string | Record<string, string[]>)[] => {
    const here = byProduct.get(id)
    if (here === undefined) return []
    const components = limitedTo(here, names)
    return components.length === 0 ? [name] : [{ [name]: components }]
  })
}
