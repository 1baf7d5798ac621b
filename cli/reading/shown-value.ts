// Values of bugs as text. A server may send anything, so nothing here relies on a type.
import type { Style } from '../text/styled-line.ts'

export function shownValue(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(shownValue).join(', ')
  if (typeof value === 'object') return shownObject(value as Readonly<Record<string, unknown>>)
  return String(value)
}

function shownObject(value: Readonly<Record<string, unknown>>): string {
  const { name, status, requestee } = value
  if (typeof name !== 'string') return JSON.stringify(value)
  // A flag.
  if (typeof status === 'string') return `${name}${status}${typeof requestee === 'string' ? `(${requestee})` : ''}`
  return name
}

/** Of a status, so that closed bugs stand back. */
export function styleOf(column: string, value: unknown, isOpen: unknown): Style | undefined {
  if (column === 'id') return 'cyan'
  if (column !== 'status') return undefined
  return isOpen === false ? 'muted' : value === 'UNCONFIRMED' ? 'yellow' : 'green'
}

/** A time of the server as people write it, in their own time zone. */
export function shownTime(value: unknown): string {
  const text = shownValue(value)
  const time = new Date(text)
  if (!/^\d{4}-\d\d-\d\dT/.test(text) || Number.isNaN(time.getTime())) return text
  const two = (number: number) => String(number).padStart(2, '0')
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`
}
