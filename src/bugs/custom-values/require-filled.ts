import { type FieldDefinition, type FieldDefinitions, isSelect } from '../../catalogue/fields/field.ts'
import type { VisibleCatalogue } from '../../catalogue/fields/field-reader.ts'
import { visibleValues } from '../../catalogue/fields/values/visible-values.ts'
import { errors } from '../../platform/errors.ts'
import { NO_CHOICE } from './custom-value.ts'

/** Throws if a mandatory field is empty although the caller could fill it in. */
export async function requireFilled(
  empty: readonly FieldDefinition[],
  fields: FieldDefinitions,
  catalogue: VisibleCatalogue,
) {
  for (const field of empty)
    if (await canBeFilled(field, fields, catalogue))
      throw errors.custom_field_required({ label: field.display_name, field: field.name })
}

/** A select field cannot be filled in by callers who see none of its values. */
async function canBeFilled(field: FieldDefinition, fields: FieldDefinitions, catalogue: VisibleCatalogue) {
  if (!isSelect(field)) return true
  const values = await visibleValues(catalogue, fields, field)
  return values.some((value) => value.name !== NO_CHOICE && value.is_active === 1)
}
