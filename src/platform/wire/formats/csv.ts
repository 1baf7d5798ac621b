import { csvText } from '../../../../shared/text/csv-text.ts'

/** One line of CSV, with its line end. */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(csvValue).join(',')}\r\n`
}

/** Numbers are written as they are, text always in quotes. The items of a list are joined by commas. */
function csvValue(value: unknown): string {
  if (value === null || value === undefined) return '""'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return value ? '1' : '0'
  const text = Array.isArray(value) ? value.map(asText).join(', ') : asText(value)
  return csvText(text)
}

function asText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value ?? '')
  return 'name' in value ? String(value.name) : JSON.stringify(value)
}
