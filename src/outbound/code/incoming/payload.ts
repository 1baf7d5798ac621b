import { timeNow } from '../../../platform/time/clock.ts'

/** A part of a payload, of which nothing is known: another program wrote it. */
export type Payload = unknown

/** The value at this path, through own properties of objects only. */
export function partOf(payload: Payload, ...path: readonly string[]): Payload {
  let value = payload
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}

const LONGEST_TEXT = 300
const LONGEST_ADDRESS = 1000

/** A text as one line without control characters; a number as text; else empty. */
export function lineAt(payload: Payload, ...path: readonly string[]): string {
  const value = partOf(payload, ...path)
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value)
  if (typeof value !== 'string') return ''
  return value
    .slice(0, LONGEST_TEXT * 2)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029\s]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_TEXT)
    .toWellFormed()
}

/** A longer text, which is only searched for bugs and not stored. */
export function textAt(payload: Payload, ...path: readonly string[]): string {
  const value = partOf(payload, ...path)
  return typeof value === 'string' ? value : ''
}

/** An address that is safe to link to, or nothing. */
export function addressAt(payload: Payload, ...path: readonly string[]): string {
  return safeAddress(textAt(payload, ...path))
}

export function safeAddress(text: string): string {
  if (text.length > LONGEST_ADDRESS || !/^https?:\/\/[!-~]+$/i.test(text) || !URL.canParse(text)) return ''
  const { username, password, href } = new URL(text)
  return username === '' && password === '' ? href : ''
}

export function flagAt(payload: Payload, ...path: readonly string[]): boolean {
  return partOf(payload, ...path) === true
}

export function listAt(payload: Payload, most: number, ...path: readonly string[]): readonly Payload[] {
  const value = partOf(payload, ...path)
  return Array.isArray(value) ? value.slice(0, most) : []
}

/**
 * A time of the source: ISO 8601, with a blank instead of the T, or seconds since 1970. A time in the future counts as now, or nothing could
 * change what was reported with it.
 */
export function momentAt(payload: Payload, ...path: readonly string[]): string {
  const value = partOf(payload, ...path)
  const milliseconds =
    typeof value === 'number'
      ? value * 1000
      : typeof value === 'string' && value.length <= 40
        ? Date.parse(IN_UTC.test(value) ? value.replace(' UTC', '').replace(' ', 'T').concat('Z') : value)
        : Number.NaN
  const now = timeNow()
  if (!(milliseconds > 0 && milliseconds < Date.parse(now))) return now
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`
}

/** As GitLab writes a time, and as the API of Gerrit does. */
const IN_UTC = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?: UTC|\.\d{1,9})$/

/** When something was made; empty if that is not said. */
export function creationAt(payload: Payload, ...path: readonly string[]): string {
  return partOf(payload, ...path) === undefined ? '' : momentAt(payload, ...path)
}

/** A commit, by its name in hexadecimal digits. */
export function commitAt(payload: Payload, ...path: readonly string[]): string {
  const value = textAt(payload, ...path)
  return /^[0-9a-f]{7,64}$/i.test(value) ? value.toLowerCase() : ''
}

/** The name of a repository. */
export function repositoryAt(payload: Payload, ...path: readonly string[]): string {
  const value = lineAt(payload, ...path)
  return /^[^\s*]{1,255}$/.test(value) ? value : ''
}

/** The commits of one push that are read. */
export const MOST_COMMITS = 200
