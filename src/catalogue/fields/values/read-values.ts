import { listKeywords } from '../../keywords/keyword-store.ts'
import { keptWorkflow } from '../../workflow/workflow-store.ts'
import { type FieldDefinition, type FieldValue, isProductSpecific, type ProductSpecific } from '../field.ts'
import { presentNewBug, presentProductValue, presentStatus, presentValue } from '../field-json.ts'
import type { FieldReader } from '../field-reader.ts'
import type { ControllingNames } from './controlling-names.ts'
import { listProductValues } from './outside-values-store.ts'

/** The values of the field that the caller may see, as the REST API returns them. Empty for `product` and for text fields. */
export async function readValues(
  reader: FieldReader,
  field: FieldDefinition,
  namesOf: ControllingNames,
): Promise<readonly object[]> {
  if (isProductSpecific(field.name)) return valuesOfProducts(reader, field.name)
  if (field.name === 'keywords')
    return (await listKeywords(reader.db)).map(({ name, description }) => ({ name, description }))
  if (field.name === 'classification') return (await reader.classifications()).map((value) => presentValue(value, []))
  return field.name === 'bug_status' ? statuses(reader, field) : ownValues(reader, field, namesOf)
}

async function valuesOfProducts(reader: FieldReader, field: ProductSpecific) {
  const products = new Map((await reader.products()).map(({ id, name }) => [id, [name]]))
  const values = await listProductValues(reader.db, field, [...products.keys()])
  return values.map((value) => presentProductValue(value, products.get(value.product_id) ?? []))
}

async function statuses(reader: FieldReader, field: FieldDefinition) {
  const { stepsFrom } = await reader.catalogue(keptWorkflow)
  const extrasOf = extras(reader)
  return [
    presentNewBug(stepsFrom(null)),
    ...field.values.map((status) => ({ ...presentStatus(status, stepsFrom(status.id)), ...extrasOf(status) })),
  ]
}

/** A value that is shown only for a value that the caller may not see is left out. */
function ownValues(reader: FieldReader, { values, value_field_id }: FieldDefinition, namesOf: ControllingNames) {
  const names = namesOf(value_field_id)
  const extrasOf = extras(reader)
  return values.flatMap((value) => {
    const name = value.visibility_value_id === null ? undefined : names.get(value.visibility_value_id)
    if (value.visibility_value_id !== null && name === undefined) return []
    return [{ ...presentValue(value, name === undefined ? [] : [name]), ...extrasOf(value) }]
  })
}

/** Bugzilla returns is_active only for values of products, and no ids. For other values they must be requested by name. */
function extras({ select }: FieldReader) {
  const wantsActivity = select.wants('values.is_active', 'extra')
  const wantsId = select.wants('values.id', 'extra')
  return ({ id, is_active }: FieldValue) => ({
    ...(wantsActivity && { is_active: is_active === 1 }),
    ...(wantsId && { id }),
  })
}
