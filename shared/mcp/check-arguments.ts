import type { ObjectSchema } from './input-schema.ts'

const MOST_VALUES = 2_000

/** A check of arguments against a schema, as the library makes it. */
export interface SchemaCheck {
  getValidator(schema: ObjectSchema): (input: unknown) => { valid: boolean; errorMessage?: string | undefined }
}

/** What is wrong with the arguments of a call; undefined if nothing is. Very many values are not looked at. */
export function faultInArguments(input: unknown, schema: ObjectSchema, check: SchemaCheck): string | undefined {
  if (isLargerThan(input, MOST_VALUES)) return `more than ${MOST_VALUES} values`
  const { valid, errorMessage = '' } = check.getValidator(schema)(input)
  return valid ? undefined : errorMessage.slice(0, LONGEST_FAULT)
}

const LONGEST_FAULT = 400

function isLargerThan(value: unknown, most: number): boolean {
  let left = most
  const count = (it: unknown): boolean => {
    if (--left < 0) return true
    return typeof it === 'object' && it !== null && Object.values(it).some(count)
  }
  return count(value)
}
