import type { ProductRef } from '../../../access/visibility/visible-products.ts'
import type { Classification } from '../../classifications/classification.ts'
import { type FieldDefinition, type FieldDefinitions, type FieldValue, ownValueTableOf } from '../field.ts'
import type { VisibleCatalogue } from '../field-reader.ts'
import { listComponents } from './outside-values-store.ts'

/** A value of a controlling field. */
export type ControllingValue = Pick<FieldValue, 'id' | 'name'> | ProductRef | Classification

/**
 * The values of the field that the caller may see. A value that is shown only for a value of another field is hidden if that one is,
 * through any number of controlling fields.
 */
export async function visibleValues(
  catalogue: VisibleCatalogue,
  definitions: FieldDefinitions,
  field: FieldDefinition,
): Promise<readonly FieldValue[]> {
  const controlled = field.values.flatMap((value) => value.visibility_value_id ?? [])
  if (controlled.length === 0) return field.values
  const controller = field.value_field_id === null ? undefined : definitions.withId(field.value_field_id)
  const shownWith =
    controller === undefined ? [] : await controllingValues(catalogue, definitions, controller, controlled)
  const ids = new Set(shownWith.map(({ id }) => id))
  return field.values.filter((value) => value.visibility_value_id === null || ids.has(value.visibility_value_id))
}

/** The values of a controlling field that the caller may see, at least those with these ids. */
export async function controllingValues(
  catalogue: VisibleCatalogue,
  definitions: FieldDefinitions,
  controller: FieldDefinition,
  ids: readonly number[],
): Promise<readonly ControllingValue[]> {
  const table = ownValueTableOf(controller)
  if (table === undefined) return visibleValues(catalogue, definitions, controller)
  if (table === 'classifications') return catalogue.classifications()
  const products = await catalogue.products()
  if (table === 'products') return products
  const visible = new Set(products.map(({ id }) => id))
  return (await listComponents(catalogue.db, ids)).filter(({ product_id }) => visible.has(product_id))
}
