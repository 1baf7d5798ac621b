import { readFileSync } from 'node:fs'

/**
 * Part of each bundle: stack traces name files, lines and columns of the sources. Node's own support for source maps
 * would read all maps at the start and keep them in memory.
 */
Error.prepareStackTrace = (fault, frames) =>
  [nameAndMessage(fault), ...frames.map((frame) => `    at ${inSource(frame)}`)].join('\n')

function nameAndMessage(fault: Error): string {
  try {
    return String(fault)
  } catch {
    return 'Error'
  }
}

/** The same stack is often logged again, and finding a position takes some milliseconds. */
const known = new Map<string, string>()
const MOST_KNOWN = 1000

function inSource(frame: NodeJS.CallSite): string {
  const text = String(frame)
  const [file, line, column] = [frame.getFileName(), frame.getLineNumber(), frame.getColumnNumber()]
  if (file?.endsWith('.mjs') !== true || line === null || column === null) return text
  const position = `${file}:${line}:${column}`
  let original = known.get(position)
  if (original === undefined) {
    if (known.size === MOST_KNOWN) known.clear()
    original = findOriginal(file, line - 1, column - 1) ?? position
    known.set(position, original)
  }
  return text.replace(position, original)
}

function findOriginal(file: string, line: number, column: number): string | undefined {
  try {
    const { mappings, sources } = JSON.parse(readFileSync(new URL(`${file}.map`), 'utf8'))
    const [source, originalLine, originalColumn] = lookUp(mappings, line, column)
    return source === -1
      ? undefined
      : `${new URL(sources[source], file).href}:${originalLine + 1}:${originalColumn + 1}`
  } catch {
    return undefined
  }
}

const DIGITS = new Uint8Array(128)
for (const [value, digit] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries())
  DIGITS[digit.charCodeAt(0)] = value
const [COMMA, SEMICOLON] = [44, 59]

/**
 * The source, line and column of the last segment at or before the position. Each segment of the mappings (ECMA-426) has the
 * differences to the previous one: column, source, line and column there.
 */
function lookUp(mappings: string, line: number, column: number): [number, number, number] {
  const sums = [0, 0, 0, 0, 0]
  let found: [number, number, number] = [-1, 0, 0]
  let [currentLine, field, value, shift] = [0, 0, 0, 0]
  for (let at = 0; at <= mappings.length; at++) {
    const code = at === mappings.length ? SEMICOLON : mappings.charCodeAt(at)
    if (code === COMMA || code === SEMICOLON) {
      const [start = 0, source = 0, originalLine = 0, originalColumn = 0] = sums
      if (field >= 4 && currentLine === line && start <= column) found = [source, originalLine, originalColumn]
      field = 0
      if (code === COMMA) continue
      if (currentLine === line) return found
      currentLine++
      sums[0] = 0
    } else {
      const digit = DIGITS[code] as number
      value |= (digit & 31) << shift
      shift += 5
      if (digit & 32) continue
      sums[field] = (sums[field] as number) + (value & 1 ? -(value >> 1) : value >> 1)
      field++
      value = shift = 0
    }
  }
  return found
}
