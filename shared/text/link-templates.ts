// Words that become links to other systems, such as CVE-2026-1234: chosen by administrators, found by pages and server alike.

export interface LinkTemplate {
  /** Of a text that becomes a link, with `(?<lN_1>…)` for the first part that the address gets; N is its place in the list. */
  readonly source: string
  /** With {0} for the whole text and {1}, {2}… for the parts. */
  readonly address: string
}

/** Finds what the templates describe. `pattern` is a part of a regular expression; empty without templates. */
export interface LinkTemplates {
  readonly pattern: string
  addressOf(match: RegExpExecArray): string | undefined
}

export const MOST_LINK_TEMPLATES = 20
const LONGEST_PATTERN = 100
const LONGEST_ADDRESS = 500
const MOST_PARTS = 4

const PLACEHOLDER = /(\{[^{}]*\})/
/** What stands for a part, and what the text after it must not begin with: a part ends in one way only, so that finding takes linear time. */
const PARTS: Readonly<Record<string, { source: string; inside: RegExp }>> = {
  '{number}': { source: '\\d{1,20}', inside: /\d/ },
  '{word}': { source: '[A-Za-z0-9_]{1,100}', inside: /\w/ },
}

/** One template on each line: a pattern, a space and an address. A sentence if a line is something else. */
export function readLinkTemplates(text: string): LinkTemplates | string {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  if (lines.length > MOST_LINK_TEMPLATES) return `there may be ${MOST_LINK_TEMPLATES} lines`
  const templates: LinkTemplate[] = []
  for (const [place, line] of lines.entries()) {
    const read = readTemplate(line, place)
    if (typeof read === 'string') return `line ${place + 1}: ${read}`
    templates.push(read)
  }
  return {
    pattern: templates.map(({ source }, place) => `(?<l${place}>${source})`).join('|'),
    addressOf({ groups = {} }) {
      const place = templates.findIndex((_, at) => groups[`l${at}`] !== undefined)
      return templates[place]?.address.replace(/\{(\d)\}/g, (_, part: string) =>
        encodeURIComponent((groups[part === '0' ? `l${place}` : `l${place}_${part}`] ?? '').toWellFormed()),
      )
    },
  }
}

function readTemplate(line: string, place: number): LinkTemplate | string {
  const [, pattern = '', address = ''] = /^(\S.*?)\s+(\S+)$/.exec(line) ?? []
  if (pattern === '') return 'it must be a pattern, a space and an address'
  if (pattern.length > LONGEST_PATTERN) return `a pattern has at most ${LONGEST_PATTERN} characters`
  const pieces = pattern.split(PLACEHOLDER)
  const parts = pieces.filter((_, at) => at % 2 === 1)
  const fault = faultInPattern(pieces, parts) ?? faultInAddress(address, parts.length)
  if (fault !== undefined) return fault
  let part = 0
  const sources = pieces.map((piece, at) =>
    at % 2 === 0 ? literal(piece) : `(?<l${place}_${++part}>${sourceOf(piece, pieces[at + 1] ?? '')})`,
  )
  const [first = '', last = ''] = [pieces[0]?.charAt(0), pieces.at(-1)?.at(-1)]
  const before = /[\p{L}\p{N}_]/u.test(first) ? '(?<![\\p{L}\\p{N}_])' : ''
  const after = last === '' || /[\p{L}\p{N}_]/u.test(last) ? '(?![\\p{L}\\p{N}_])' : ''
  return { source: before + sources.join('') + after, address }
}

function faultInPattern(pieces: readonly string[], parts: readonly string[]): string | undefined {
  if ((pieces[0]?.trim().length ?? 0) < 2)
    return 'a pattern begins with at least two characters that are always the same'
  if (parts.length > MOST_PARTS) return `a pattern has at most ${MOST_PARTS} parts`
  for (const [at, piece] of pieces.entries()) {
    if (at % 2 === 0) {
      if (/[{}]/.test(piece)) return 'braces are only for {number}, {word} and {text}'
      continue
    }
    const next = pieces[at + 1] ?? ''
    if (piece === '{text}') {
      if (next === '') return '{text} must be followed by what ends it, such as ]'
    } else if (PARTS[piece] === undefined) return `${piece} is none of {number}, {word} and {text}`
    else if (at + 1 < pieces.length - 1 && next === '') return 'something must be between two parts'
    else if (next !== '' && PARTS[piece].inside.test(next.charAt(0)))
      return `what follows ${piece} must not begin with a character that can be in it`
  }
  return undefined
}

/** Parts cannot choose the scheme or the server. */
function faultInAddress(address: string, parts: number): string | undefined {
  if (address.length > LONGEST_ADDRESS) return `an address has at most ${LONGEST_ADDRESS} characters`
  if (!/^https?:\/\/[^/?#{}\s@\\]+\/[!-~]*$/i.test(address) || !URL.canParse(address))
    return 'an address begins with http:// or https:// and a server, and has a path'
  for (const [whole, number] of address.matchAll(/\{([^{}]*)\}/g))
    if (!/^\d$/.test(number ?? '') || Number(number) > parts) return `the pattern has no part for ${whole}`
  return undefined
}

function sourceOf(piece: string, next: string): string {
  const known = PARTS[piece]
  return known?.source ?? `[^\\n${literal(next.charAt(0))}]{1,200}`
}

/** Exactly this text, within a regular expression. */
function literal(text: string): string {
  return [...text].map((it) => (/[\p{L}\p{N}_ ]/u.test(it) ? it : `\\u{${it.codePointAt(0)?.toString(16)}}`)).join('')
}
