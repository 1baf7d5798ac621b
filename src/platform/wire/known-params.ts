import { errors } from '../errors.ts'
import type { RequestParams, Shape } from './params.ts'

/** Every call takes these, also one without fields to select. */
const SELECTION = ['include_fields', 'exclude_fields']

export function requireKnownParams({ params }: { params: Shape }, rawParams: RequestParams) {
  const unknown = Object.keys(rawParams).find((name) => !Object.hasOwn(params, name) && !SELECTION.includes(name))
  if (unknown !== undefined)
    throw errors.unknown_parameter({ name: unknown, known: Object.keys(params).sort().join(', ') })
}
