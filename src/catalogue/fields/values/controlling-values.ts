import type { Db } from '../../../platform/database/db.ts'
import { errors } from '../../../platform/errors.ts'
import { sameAs } from '../../../platform/text/fold.ts'
import { idIn } from '../../../platform/wire/reference.ts'
import { type FieldDefinition, type FieldDefinitions, ownValueTableOf } from '../field.ts'
import type { FieldEdit } from '../field-rules.ts'
import { findOutsideValues, outsideValuesWithIds } from './outside-values-store.ts'

// For administrators, who see everything. For other callers see controlling-names.ts.

/**
 * The ids of values of a controlling field, found by name, or by id if no value has this name. The name of a component means all
 * components with this name.
 */
export async function controllingIds(tx: Db, controller: FieldDefinition, refs: readonly string[]): Promise<number[]> {
  const table = ownValueTableOf(controller)
  const values = table === undefined ? controller.values : await findOutsideValues(tx, table, refs)
  const idsOf = (ref: string) => {
    const isNamed = sameAs(ref.trim())
    const named = values.filter((value) => isNamed(value.name))
    const found = named.length > 0 ? named : values.filter((value) => value.id === idIn(ref))
    if (found.length === 0) throw errors.no_such_value({ of: controller.name, ref })
    return found.map(({ id }) => id)
  }
  return [...new Set(refs.flatMap(idsOf))]
}

/** The names of these values, each once, in their order. */
export async function controllingNames(
  tx: Db,
  controller: FieldDefinition | undefined,
  ids: readonly number[],
): Promise<string[]> {
  if (controller === undefined || ids.length === 0) return []
  const table = ownValueTableOf(controller)
  const values =
    table === undefined
      ? controller.values.filter(({ id }) => ids.includes(id))
      : await outsideValuesWithIds(tx, table, ids)
  return [...new Set(values.map(({ name }) => name))]
}

/** The values for which a field is shown: the requested ones, or the current ones if none are requested. */
export async function visibilityIds(
  tx: Db,
  definitions: FieldDefinitions,
  { before, after }: Pick<FieldEdit, 'before' | 'after'>,
  refs: readonly string[] | undefined,
): Promise<readonly number[]> {
  const controller = after.visibility_field_id === null ? undefined : definitions.withId(after.visibility_field_id)
  if (controller === undefined) return []
  return refs === undefined ? (before?.visibilityValueIds ?? []) : controllingIds(tx, controller, refs)
}
