import type { DumpColumn } from './dump-value.ts'

const NOT_A_COLUMN = /^(PRIMARY|UNIQUE|KEY|INDEX|FULLTEXT|SPATIAL|CONSTRAINT|FOREIGN|CHECK|EXCLUDE|LIKE|PERIOD)$/i

/** The columns in the body of a CREATE TABLE statement: at depth 0, each begins with a name and a type. */
export function columnsIn(body: string): DumpColumn[] {
  const columns: DumpColumn[] = []
  for (const part of partsOf(body)) {
    const match = /^\s*(?:`([^`]+)`|"([^"]+)"|([\w$]+))\s+"?([\w ]+)/.exec(part)
    if (match === null) continue
    const [, ticked, quoted, bare, type = ''] = match
    if (bare !== undefined && NOT_A_COLUMN.test(bare)) continue
    columns.push({ name: ticked ?? quoted ?? bare ?? '', type: type.trim().toLowerCase() })
  }
  return columns
}

/** Splits at commas outside of brackets and quotes, up to the closing bracket of the body. */
function partsOf(body: string): string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  let quote = ''
  for (let at = 0; at < body.length; at++) {
    const character = body[at] as string
    if (quote !== '') {
      if (character === '\\' && quote === "'") at++
      else if (character === quote) quote = ''
    } else if (character === "'" || character === '"' || character === '`') quote = character
    else if (character === '(') depth++
    else if (character === ')' && --depth < 0) return [...parts, body.slice(start, at)]
    else if (character === ',' && depth === 0) {
      parts.push(body.slice(start, at))
      start = at + 1
    }
  }
  return [...parts, body.slice(start)]
}
