import { dictionary } from '../../platform/text/dictionary.ts'

/** The text of a message: the fields at its beginning, and the rest. */
export interface IncomingText {
  fields: Record<string, string>
  text: string
}

// compat: Bugzilla's mail gateway accepts `@field = value` and `@field value` (semantics M.21).
const FIELD = /^@([a-z][\w.]*)(?:\s*=\s*|\s+)(\S.*)$/i

/**
 * Lines at the beginning that start with @ are fields. A line that starts with spaces continues the field before it.
 */
export function parseMessageText(body: string): IncomingText {
  const lines = body.replace(/\r\n?/g, '\n').split('\n')
  const fields: Record<string, string> = {}
  let last: string | undefined
  let index = 0
  for (; index < lines.length; index++) {
    const line = lines[index] ?? ''
    const [, name, value] = FIELD.exec(line) ?? []
    if (name !== undefined && value !== undefined) {
      last = name.toLowerCase()
      fields[last] = value.trim()
    } else if (last !== undefined && /^\s+\S/.test(line)) fields[last] += ` ${line.trim()}`
    else if (line.trim() !== '') break
  }
  return { fields, text: withoutTail(lines.slice(index)).join('\n').trim() }
}

/** Removes the signature, and the quotation at the end with its introduction: the tracker has that text already. */
function withoutTail(lines: readonly string[]): readonly string[] {
  const signature = lines.findIndex((line) => /^-- ?$/.test(line))
  const own = signature === -1 ? [...lines] : lines.slice(0, signature)
  let end = own.length
  while (end > 0 && (own[end - 1] ?? '').trim() === '') end--
  let quoted = end
  while (quoted > 0 && /^(>|\s*$)/.test(own[quoted - 1] ?? '')) quoted--
  const isQuoted = own.slice(quoted, end).some((line) => line.startsWith('>'))
  if (!isQuoted || quoted === 0) return own.slice(0, end)
  return own.slice(0, introductionOf(own, quoted))
}

/** The one or two lines that introduce a quotation; they end with a colon. */
function introductionOf(lines: readonly string[], quoted: number) {
  if (!/:\s*$/.test(lines[quoted - 1] ?? '')) return quoted
  const start = /\b(on|am|le|el|il)\b/i.test(lines[quoted - 1] ?? '') ? quoted - 1 : quoted - 2
  return Math.max(start, 0)
}

const BLOCKS = /<\/(p|div|tr|li|h[1-6]|blockquote|pre|table)>|<br\s*\/?>/gi
const ENTITIES: Readonly<Record<string, string>> = dictionary({
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
})

/** The text of an HTML page, for messages without a text part. */
export function textOfHtml(html: string): string {
  return html
    .replace(/<(style|script|head|title)\b[\s\S]*?<\/\1\s*>/gi, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/\s+/g, ' ')
    .replace(BLOCKS, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(
      /&(#x?[0-9a-f]+|\w+);/gi,
      (whole, name: string) => ENTITIES[name.toLowerCase()] ?? characterIn(name, whole),
    )
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

function characterIn(name: string, whole: string): string {
  if (!name.startsWith('#')) return whole
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  return Number.isInteger(code) && code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
}
