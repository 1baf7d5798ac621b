import { errors } from '../errors.ts'
import type { RequestParams } from './params.ts'

const NAME = /^[\w.-]+$/
const MOST_IN_QUERY = 2000

/**
 * Merges query string and body; on a write the query string takes precedence. Invalid names are dropped, invalid text
 * is refused.
 */
export function mergeParams(query: RequestParams, body: RequestParams | undefined): Record<string, unknown> {
  const merged: Record<string, unknown> = Object.create(null)
  if (Object.keys(query).length > MOST_IN_QUERY) throw errors.too_many_parameters({ most: MOST_IN_QUERY })
  for (const part of body === undefined ? [query] : [body, query]) {
    for (const name of Object.keys(part)) {
      if (!NAME.test(name)) continue
      merged[name] = part[name]
      requireStorable(name, part[name])
    }
  }
  return merged
}

/** Refuses text that could not be stored and returned unchanged, at any depth. */
export function requireStorable(name: string, value: unknown) {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw errors.bad_text({ name, found: 'a NUL character' })
    if (!value.isWellFormed()) throw errors.bad_text({ name, found: 'half of a surrogate pair' })
  } else if (typeof value === 'object' && value !== null) {
    for (const key of Object.keys(value)) {
      requireStorable(name, key)
      requireStorable(name, (value as Record<string, unknown>)[key])
    }
  }
}
