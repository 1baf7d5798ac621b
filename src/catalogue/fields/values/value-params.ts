import { Type } from '@sinclair/typebox'
import { errors } from '../../../platform/errors.ts'
import { flag, integer, MOST_ITEMS, type Param, requireAtMost, text, texts } from '../../../platform/wire/params.ts'
import { readParams } from '../../../platform/wire/read-params.ts'
import type { WantedValue } from './value-edit.ts'

export const valueParams = {
  name: text('At most 64 characters, unique in the field regardless of letter case.'),
  sort_key: integer('Values are ordered by sort_key, then by name. 0 to 32767; by default a new value comes last.'),
  is_active: flag('Whether the value can be chosen. On by default.'),
  is_open: flag('Whether bugs with this status are open. Required for a new status; not for other fields.'),
  visibility_values: texts('The value of the field’s value_field for which this one is shown; empty for always.'),
}

/** Several values: names, or objects with the parameters above. */
export function wantedValues(about: string): Param<WantedValue[] | undefined> {
  return {
    about,
    schema: Type.Array(Type.Union([Type.String(), Type.Object({ name: Type.String() })]), { maxItems: MOST_ITEMS }),
    isRequired: false,
    read(name, input) {
      if (input === undefined || input === null) return undefined
      const items = requireAtMost(MOST_ITEMS, name, Array.isArray(input) ? input : [input])
      return items.map((item) => readWanted(name, item))
    },
  }
}

function readWanted(name: string, input: unknown): WantedValue {
  if (Array.isArray(input))
    throw errors.bad_value({ name, value: input, right: 'each value must be a name or an object' })
  const parts = (typeof input === 'object' && input !== null ? input : { name: input }) as Record<string, unknown>
  const unknown = Object.keys(parts).find((part) => !Object.hasOwn(valueParams, part))
  if (unknown !== undefined)
    throw errors.bad_value({
      name,
      value: unknown,
      right: `the properties of a value are ${Object.keys(valueParams).join(', ')}`,
    })
  return readParams(valueParams, parts)
}
