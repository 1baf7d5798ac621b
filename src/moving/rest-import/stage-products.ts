import { fold } from '../../platform/text/fold.ts'
import { listIn } from '../rest-client/rest-server.ts'
import { classificationsIn, PUBLIC_PRODUCTS, productCall, votingCall } from './fetch-source.ts'
import type { FetchStore } from './fetch-store.ts'
import {
  type JsonObject,
  propertyOf,
  restNumber,
  restObjects,
  restText,
  restTexts,
  restYes,
  restYesByDefault,
} from './rest-values.ts'
import { flagTypesOf, type PeopleNumbers } from './stage-people.ts'
import type { StagingWriter } from './staging-writer.ts'

/** The numbers of products and components by name. */
export interface ProductNumbers {
  productOf(name: string): number
  componentOf(product: string, name: string): number
  /** The number of a classification, product or component, as a value that decides about others. */
  valueNumberOf(field: string, name: string): number | undefined
}

export function stageProducts(
  store: FetchStore,
  writer: StagingWriter,
  people: PeopleNumbers,
  wanted: readonly string[],
): ProductNumbers {
  for (const table of ['classifications', 'products', 'components', 'versions', 'milestones'] as const)
    writer.sourceTable(table)
  const products = restObjects(listIn(store.answer(productCall(wanted)), 'products'))
  const fields = restObjects(listIn(store.answer('field/bug'), 'fields'))
  const ofProducts = products.map((product) => restText(product.classification))
  const named = [...ofProducts, ...(wanted.length === 0 ? classificationsIn(fields) : [])]
  const classifications = stageClassifications(store, writer, named)
  const byName = new Map<string, number>()
  const components = new Map<string, number>()
  const voting = votingIn(store, wanted)
  for (const product of products) {
    const [id, name] = [restNumber(product.id), restText(product.name)]
    if (id === undefined) continue
    byName.set(fold(name), id)
    writer.row('products', {
      id,
      name,
      classification_id: classifications.get(fold(restText(product.classification))) ?? 1,
      description: restText(product.description),
      isactive: restYesByDefault(product.is_active),
      defaultmilestone: restText(product.default_milestone) || '---',
      allows_unconfirmed: restYesByDefault(product.has_unconfirmed),
      ...voting.get(id),
    })
    for (const component of restObjects(product.components)) {
      components.set(`${id} ${fold(restText(component.name))}`, restNumber(component.id) ?? 0)
      writer.row('components', {
        id: restNumber(component.id) ?? null,
        name: restText(component.name),
        product_id: id,
        initialowner: people.userOf(component.default_assigned_to),
        initialqacontact: people.userOrNone(component.default_qa_contact),
        description: restText(component.description),
        isactive: restYesByDefault(component.is_active),
      })
    }
    for (const table of ['versions', 'milestones'] as const)
      for (const value of restObjects(product[table]))
        writer.row(table, {
          id: restNumber(value.id) ?? null,
          product_id: id,
          value: restText(value.name),
          isactive: restYesByDefault(value.is_active),
          ...(table === 'milestones' ? { sortkey: restNumber(value.sort_key) ?? 0 } : {}),
        })
  }
  stageFlagTypes(writer, products, wanted.length === 0)
  stageRestrictions(store, writer, people, products, byName)
  const valueNumberOf = (field: string, name: string) => {
    if (field === 'product') return byName.get(fold(name))
    if (field === 'classification') return classifications.get(fold(name))
    return field === 'component' ? [...components].find(([key]) => key.endsWith(` ${fold(name)}`))?.[1] : undefined
  }
  return {
    productOf: (name) => byName.get(fold(name)) ?? 0,
    componentOf: (product, name) => components.get(`${byName.get(fold(product))} ${fold(name)}`) ?? 0,
    valueNumberOf,
  }
}

/** The limits of votes of each product whose source says them. */
function votingIn(store: FetchStore, wanted: readonly string[]) {
  const products = restObjects(listIn(store.answer(votingCall(wanted)) ?? null, 'products'))
  return new Map(
    products.map((product) => {
      const limits = ['votesperuser', 'maxvotesperbug', 'votestoconfirm'].flatMap((name) => {
        const limit = restNumber(product[name])
        return limit === undefined ? [] : [[name, limit] as const]
      })
      return [restNumber(product.id), Object.fromEntries(limits)]
    }),
  )
}

/** Those of `names` that have no answer of their own get new numbers. */
function stageClassifications(store: FetchStore, writer: StagingWriter, names: readonly string[]) {
  const numbers = new Map<string, number>()
  const add = (id: number, name: string, more: JsonObject) => {
    numbers.set(fold(name), id)
    writer.row('classifications', {
      id,
      name,
      description: restText(more.description),
      sortkey: restNumber(more.sort_key) ?? 0,
    })
  }
  for (const body of store.answersTo('classification/'))
    for (const it of restObjects(listIn(body, 'classifications'))) {
      const id = restNumber(it.id)
      if (id !== undefined && id > 0 && !numbers.has(fold(restText(it.name)))) add(id, restText(it.name), it)
    }
  let last = Math.max(1, ...numbers.values())
  for (const name of names) {
    if (name === '' || numbers.has(fold(name))) continue
    if (fold(name) === 'unclassified') add(1, name, {})
    else {
      add(++last, name, {})
      writer.note('classifications', last, `${name}: the source does not show its number; it is a new one`)
    }
  }
  return numbers
}

/** Where a flag type applies is not shown: it is taken from the components that offer it. */
function stageFlagTypes(writer: StagingWriter, products: readonly JsonObject[], areAllProducts: boolean) {
  writer.sourceTable('flagtypes')
  writer.sourceTable('flaginclusions')
  const types = new Map<number, JsonObject>()
  const offered = new Map<number, Map<number, Set<number>>>()
  const counts = new Map<number, number>()
  for (const product of products) {
    const productId = restNumber(product.id) ?? 0
    const components = restObjects(product.components)
    counts.set(productId, components.length)
    for (const component of components)
      for (const type of flagTypesOf(component)) {
        const id = restNumber(type.id)
        if (id === undefined) continue
        types.set(id, type)
        const byProduct = offered.get(id) ?? new Map<number, Set<number>>()
        offered.set(id, byProduct)
        byProduct.set(productId, (byProduct.get(productId) ?? new Set()).add(restNumber(component.id) ?? 0))
      }
  }
  const withComponents = [...counts.values()].filter((count) => count > 0).length
  for (const [id, type] of types) {
    writer.row('flagtypes', {
      id,
      name: restText(type.name),
      description: restText(type.description),
      cc_list: restText(type.cc_list),
      target_type: type.target === 'attachment' ? 'a' : 'b',
      is_active: restYesByDefault(type.is_active),
      is_requestable: restYes(type.is_requestable),
      is_requesteeble: restYes(type.is_requesteeble),
      is_multiplicable: restYes(type.is_multiplicable),
      sortkey: restNumber(type.sort_key) ?? 1,
      grant_group_id: restNumber(type.grant_group) ?? null,
      request_group_id: restNumber(type.request_group) ?? null,
    })
    const byProduct = offered.get(id) ?? new Map<number, Set<number>>()
    const isWhole = (product: number, components: ReadonlySet<number>) => components.size === counts.get(product)
    const areAllWhole = [...byProduct].every(([product, components]) => isWhole(product, components))
    if (areAllProducts && areAllWhole && byProduct.size === withComponents)
      writer.row('flaginclusions', { type_id: id, product_id: null, component_id: null })
    else
      for (const [product, components] of byProduct)
        for (const component of isWhole(product, components) ? [null] : components)
          writer.row('flaginclusions', { type_id: id, product_id: product, component_id: component })
  }
}

const [SHOWN, MANDATORY] = [1, 3]

/**
 * Which groups a product uses is not shown. Groups of its bugs can be chosen; if the product is hidden from anonymous
 * callers, groups that all its bugs have are mandatory, so that it stays hidden.
 */
function stageRestrictions(
  store: FetchStore,
  writer: StagingWriter,
  people: PeopleNumbers,
  products: readonly JsonObject[],
  byName: ReadonlyMap<string, number>,
) {
  writer.sourceTable('group_control_map')
  const counts = new Map<number, { bugs: number; groups: Map<string, number> }>()
  for (const { bug } of store.bugs()) {
    const product = byName.get(fold(restText(propertyOf(bug?.bug, 'product'))))
    if (product === undefined) continue
    const own = counts.get(product) ?? { bugs: 0, groups: new Map<string, number>() }
    counts.set(product, own)
    own.bugs++
    for (const group of restTexts(propertyOf(bug?.bug, 'groups')))
      own.groups.set(group, (own.groups.get(group) ?? 0) + 1)
  }
  const open = store.answer(PUBLIC_PRODUCTS)
  const publicOnes = new Set(restObjects(listIn(open, 'products')).map(({ id }) => restNumber(id)))
  for (const product of products) {
    const id = restNumber(product.id) ?? 0
    const { bugs, groups } = counts.get(id) ?? { bugs: 0, groups: new Map<string, number>() }
    const isRestricted = open !== undefined && !publicOnes.has(id)
    let isHidden = false
    for (const [name, count] of groups) {
      const isMandatory = isRestricted && count === bugs
      isHidden ||= isMandatory
      const control = isMandatory ? MANDATORY : SHOWN
      writer.row('group_control_map', {
        group_id: people.groupOf(name),
        product_id: id,
        entry: isMandatory ? 1 : 0,
        membercontrol: control,
        othercontrol: isMandatory ? MANDATORY : 0,
      })
    }
    if (isRestricted && !isHidden)
      writer.note(
        'products',
        id,
        `${restText(product.name)}: anonymous callers do not see this product at the source, and its groups are not shown: set its group controls before others use this installation`,
      )
  }
}
