import type { FieldDefinition, FieldDefinitions } from '../field.ts'
import type { FieldReader } from '../field-reader.ts'
import { controllingValues } from './visible-values.ts'

/** The names of the values of a controlling field that the caller may see, by id. */
export type ControllingNames = (controllerId: number | null) => ReadonlyMap<number, string>

/** A controlling field and the ids of its values that are used. */
export interface Control {
  controllerId: number | null
  valueIds: readonly (number | null)[]
}

/** Reads the names that these controls need. Values of hidden products are left out. */
export async function readControllingNames(
  reader: FieldReader,
  definitions: FieldDefinitions,
  controls: readonly Control[],
): Promise<ControllingNames> {
  const ids = new Map<FieldDefinition, Set<number>>()
  for (const { controllerId, valueIds } of controls) {
    const controller = controllerId === null ? undefined : definitions.withId(controllerId)
    const used = valueIds.filter((id) => id !== null)
    if (controller && used.length > 0) ids.set(controller, new Set([...(ids.get(controller) ?? []), ...used]))
  }
  const names = new Map<number, ReadonlyMap<number, string>>()
  for (const [controller, used] of ids)
    names.set(controller.id, await namesIn(reader, definitions, controller, [...used]))
  return (controllerId) => (controllerId === null ? NO_NAMES : (names.get(controllerId) ?? NO_NAMES))
}

const NO_NAMES: ReadonlyMap<number, string> = new Map()

async function namesIn(
  reader: FieldReader,
  definitions: FieldDefinitions,
  controller: FieldDefinition,
  ids: readonly number[],
) {
  const values = await controllingValues(reader, definitions, controller, ids)
  return new Map(values.map(({ id, name }) => [id, name]))
}
