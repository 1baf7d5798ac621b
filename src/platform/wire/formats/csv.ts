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
  return `"${withoutFormula(text).replaceAll('"', '""')}"`
}

function asText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value ?? '')
  return 'name' in value ? String(value.name) : JSON.stringify(value)
}

/**
 * A spreadsheet takes text that begins with one of these, also after spaces, for a formula and evaluates it on the
 * reader's machine. An apostrophe in front makes it text.
 */
function withoutFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text
}

const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u
