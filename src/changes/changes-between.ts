import type { Changes } from './audit.ts'

type Plain = string | number | boolean | null

/** The fields that differ, as the REST API returns them: text, with booleans as '1' and '0'. */
export function changesBetween<Thing extends Record<string, Plain>>(before: Thing, after: Thing): Changes {
  const changed = Object.keys(after).filter((field) => before[field] !== after[field])
  return Object.fromEntries(
    changed.map((field) => [field, { removed: asText(before[field]), added: asText(after[field]) }]),
  )
}

function asText(value: Plain | undefined): string {
  if (typeof value === 'boolean') return value ? '1' : '0'
  return value === null || value === undefined ? '' : String(value)
}
