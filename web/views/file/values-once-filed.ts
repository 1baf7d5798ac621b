import { pageFields } from '../../../shared/bug-fields/page-fields.ts'
import type { Field, Parameters, Product } from '../../core/server/types.ts'

/** What decides which fields and values a form offers, besides what was entered. */
export interface FormContext {
  fields: readonly Field[]
  product: Pick<Product, 'classification'> | undefined
}

const SELECT = 2
const MULTI_SELECT = 3
/** What a bug has in a list of which nothing was chosen. */
const NOTHING_CHOSEN = '---'

/** The values that the bug will have once it is filed: where nothing is chosen, the usual ones, on which other fields may depend. */
export function valuesOnceFiled(
  values: Readonly<Record<string, string>>,
  { fields, product }: FormContext,
  parameters: Parameters,
): Record<string, unknown> {
  const filed: Record<string, unknown> = {}
  for (const { name, defaultFrom } of pageFields)
    if (defaultFrom !== undefined) filed[name] = parameters[defaultFrom] ?? ''
  for (const { name, type, is_custom } of fields) if (is_custom && type === SELECT) filed[name] = NOTHING_CHOSEN
  for (const [name, value] of Object.entries(values)) if (value !== '') filed[name] = value
  for (const { name, type, is_custom } of fields)
    if (is_custom && type === MULTI_SELECT) filed[name] = itemsIn(values[name])
  return product === undefined ? filed : { ...filed, classification: product.classification }
}

export function itemsIn(text: string | undefined): string[] {
  return (text ?? '').split(',').flatMap((item) => item.trim() || [])
}
