import { type BugField, bugFields } from '../../../../shared/bug-fields/bug-fields.ts'
import { fieldNameOf } from '../../../../shared/bug-fields/field-names.ts'
import type { SettingName } from '../../../platform/config/settings.ts'
import type { Db } from '../../../platform/database/db.ts'
import { errors } from '../../../platform/errors.ts'
import { sameAs } from '../../../platform/text/fold.ts'
import type { FieldDefinitions, FieldValue } from '../field.ts'
import { readFieldDefinitions } from '../field-store.ts'

export type ValueParameter = NonNullable<BugField['defaultFrom']> | 'duplicate_or_move_bug_status'

/** The parameters that contain the name of a value, each with the field of the value. */
const FIELDS: ReadonlyMap<string, string> = new Map<ValueParameter, string>([
  ...bugFields.flatMap(({ name, defaultFrom }) =>
    defaultFrom === undefined ? [] : [[defaultFrom, fieldNameOf(name)] as const],
  ),
  ['duplicate_or_move_bug_status', 'bug_status'],
])

export function isValueParameter(name: SettingName): name is ValueParameter {
  return FIELDS.has(name)
}

/** The field whose value the parameter contains. */
export function fieldOfParameter(name: ValueParameter): string {
  return FIELDS.get(name) ?? name
}

/** The parameter that contains a value of this field. */
export function parameterFor(fieldName: string): ValueParameter | undefined {
  return [...FIELDS].find(([, field]) => field === fieldName)?.[0] as ValueParameter | undefined
}

/** The value in its exact spelling. Throws 53 if the parameter cannot have it. */
export async function requireLegalValue(tx: Db, parameter: ValueParameter, input: string): Promise<string> {
  if (input === '' && mayBeEmpty(parameter)) return ''
  const field = fieldOfParameter(parameter)
  const values = legalValues(parameter, await readFieldDefinitions(tx))
  const isNamed = sameAs(input)
  const found = values.find((value) => isNamed(value.name))
  if (found) return found.name
  const names = values.map(({ name }) => name).join(', ')
  throw errors.bad_value({ name: parameter, value: input, right: `it must be an active value of ${field}: ${names}` })
}

/** The values that each of these parameters can have now. */
export async function legalValuesOf(db: Db): Promise<ReadonlyMap<string, readonly string[]>> {
  const definitions = await readFieldDefinitions(db)
  const parameters = [...FIELDS.keys()] as ValueParameter[]
  return new Map(
    parameters.map((parameter) => {
      const names = legalValues(parameter, definitions).map(({ name }) => name)
      return [parameter, mayBeEmpty(parameter) ? ['', ...names] : names]
    }),
  )
}

function mayBeEmpty(parameter: ValueParameter) {
  return parameter !== 'duplicate_or_move_bug_status'
}

function legalValues(parameter: ValueParameter, definitions: FieldDefinitions): FieldValue[] {
  const isLegal = (value: FieldValue) => value.is_active === 1 && (mayBeEmpty(parameter) || value.is_open !== 1)
  return definitions.valuesOf(fieldOfParameter(parameter)).filter(isLegal)
}
