import { nameInSentence } from '../../../core/name-in-sentence.ts'
import type { Field } from '../../../core/server/types.ts'

/** The types of custom fields in words, with the names that POST /rest/field/bug takes. */
export const TYPES = [
  { type: 2, value: 'single select', name: 'one of a list' },
  { type: 3, value: 'multi select', name: 'several of a list' },
  { type: 1, value: 'free text', name: 'text' },
  { type: 4, value: 'large text', name: 'several lines of text' },
  { type: 10, value: 'integer', name: 'number' },
  { type: 9, value: 'date', name: 'date' },
  { type: 5, value: 'date time', name: 'date and time' },
  { type: 6, value: 'bug id', name: 'bug' },
] as const

export function typeInWords({ type }: Pick<Field, 'type'>) {
  return TYPES.find((it) => it.type === type)?.name ?? 'built in'
}

type Rule = Pick<Field, 'visibility_field' | 'visibility_values'>

/** When a field is shown: “always”, or “Product is Kettle or Lamp”. */
export function ruleInWords(fields: readonly Field[], { visibility_field, visibility_values }: Rule): string {
  if (visibility_field === null) return 'always'
  const values = visibility_values.map(nameInSentence).join(' or ')
  return `${nameInSentence(labelOf(fields, visibility_field))} is ${values}`
}

export function labelOf(fields: readonly Field[], name: string) {
  return fields.find((it) => it.name === name)?.display_name ?? name
}
