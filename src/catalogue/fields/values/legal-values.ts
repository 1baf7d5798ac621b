import { fieldNameOf } from '../../../../shared/bug-fields/field-names.ts'
import { findProduct } from '../../../access/visibility/visible-products.ts'
import { errors } from '../../../platform/errors.ts'
import { idIn } from '../../../platform/wire/reference.ts'
import { type FieldDefinition, hasValues, isProductSpecific } from '../field.ts'
import { type FieldReader, visibleCatalogue } from '../field-reader.ts'
import { keptFields } from '../field-store.ts'
import { listProductValues } from './outside-values-store.ts'
import { visibleValues } from './visible-values.ts'

/** The names of the active values, in order. The field has either of its names. A product is needed only for its own values. */
export async function readLegalValues(
  reader: Pick<FieldReader, 'db' | 'caller' | 'settings' | 'catalogue'>,
  ref: string,
  productRef: string | undefined,
): Promise<string[]> {
  const definitions = await reader.catalogue(keptFields)
  const field = definitions.named(fieldNameOf(ref.trim()))
  if (!field || !(hasValues(field) || isProductSpecific(field.name))) throw errors.not_a_select({ name: ref })
  const values = isProductSpecific(field.name)
    ? await listProductValues(reader.db, field.name, [await productIn(reader, field, productRef)])
    : await visibleValues(visibleCatalogue(reader), definitions, field)
  return values.filter((value) => value.is_active === 1).map((value) => value.name)
}

async function productIn(
  { db, caller, settings }: Pick<FieldReader, 'db' | 'caller' | 'settings'>,
  field: FieldDefinition,
  ref: string | undefined,
): Promise<number> {
  if (ref === undefined)
    throw errors.parameter_required({ name: 'product_id', hint: `the values of ${field.name} belong to products` })
  const product = idIn(ref) === undefined ? undefined : await findProduct(db, caller, settings, ref)
  if (!product) throw errors.product_not_accessible({ ref })
  return product.id
}
