import { type FieldDefinition, type FieldDefinitions, ownTableOf } from './field.ts'
import { listComponents } from './outside-values-store.ts'
import type { Reader } from './reader.ts'

/** The names of the values of a field that controls others, by id: those that the caller may know of. */
export type NamesOf = (controllerId: number | null) => ReadonlyMap<number, string>

/** A field that controls others, and the values of it that matter. */
export interface Control {
  controllerId: number | null
  valueIds: readonly (number | null)[]
}

/** Reads the names that these controls need. Values of products that are hidden from the caller have none. */
export async function readControllingNames(
  reader: Reader,
  definitions: FieldDefinitions,
  controls: readonly Control[],
): Promise<NamesOf> {
  const ids = new Map<FieldDefinition, Set<number>>()
  for (const { controllerId, valueIds } of controls) {
    const controller = controllerId === null ? undefined : definitions.withId(controllerId)
    const used = valueIds.filter((id) => id !== null)
    if (controller && used.length > 0) ids.set(controller, new Set([...(ids.get(controller) ?? []), ...used]))
  }
  const names = new Map<number, ReadonlyMap<number, string>>()
  for (const [controller, used] of ids) names.set(controller.id, await namesIn(reader, controller, [...used]))
  return (controllerId) => (controllerId === null ? NO_NAMES : (names.get(controllerId) ?? NO_NAMES))
}

const NO_NAMES: ReadonlyMap<number, string> = new Map()

async function namesIn(reader: Reader, controller: FieldDefinition, ids: readonly number[]) {
  return new Map((await valuesIn(reader, controller, ids)).map(({ id, name }) => [id, name]))
}

async function valuesIn(reader: Reader, controller: FieldDefinition, ids: readonly number[]) {
  const table = ownTableOf(controller)
  if (table === undefined) return controller.values
  if (table === 'classifications') return reader.classifications()
  const products = await reader.products()
  if (table === 'products') return products
  const visible = new Set(products.map(({ id }) => id))
  return (await listComponents(reader.db, ids)).filter(({ product_id }) => visible.has(product_id))
}
