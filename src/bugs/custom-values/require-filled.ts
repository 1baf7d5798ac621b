import { type FieldDefinition, type FieldDefinitions, isSelect } from '../../catalogue/fields/field.ts'
import type { VisibleCatalogue } from '../../catalogue/fields/reader.ts'
import { visibleValues } from '../../catalogue/fields/values/visible-values.ts'
import { errors } from '../../platform/errors.ts'
import { NO_CHOICE } from './custom-value.ts'

/** Refuses a bug whose mandatory fields are empty although the caller could fill them in. */
export async function requireFilled(
  empty: readonly FieldDefinition[],
  fields: FieldDefinitions,
  catalogue: VisibleCatalogue,
) {
  for (const field of empty)
    if (await canBeFilled(field, fields, catalogue))
      throw errors.refused({ why: `A bug needs a value in ${field.display_name} (${field.name})` })
}

/** A select field needs no value from callers to whom it offers none. */
async function canBeFilled(field: FieldDefinition, fields: FieldDefinitions, catalogue: VisibleCatalogue) {
  if (!isSelect(field)) return true
  const values = await visibleValues(catalogue, fields, field)
  return values.some((value) => value.name !== NO_CHOICE && value.is_active === 1)
}
