import type { LinkTemplates } from './link-templates.ts'

/** A piece of a comment: plain text or a link. */
export type Piece =
  | { kind: 'text'; text: string }
  | { kind: 'url'; text: string }
  | { kind: 'mail'; text: string }
  /** What a template of the installation makes a link. */
  | { kind: 'template'; text: string; address: string }
  | { kind: 'bug'; text: string; id: number; comment: number | undefined }
  /** A comment on the same bug. */
  | { kind: 'comment'; text: string; number: number }
  | { kind: 'attachment'; text: string; id: number }
  /** A person, if the comment has them among its mentions. */
  | { kind: 'mention'; text: string; nick: string }

/**
 * Splits text of a comment into plain text and links to URLs, mail addresses, bugs, comments and attachments, and mentions.
 * Every repetition in the patterns has a limit, so that the time is linear in the length of the text.
 */
export function piecesOf(line: string, templates?: LinkTemplates): Piece[] {
  const pieces: Piece[] = []
  const reference = referenceWith(templates)
  let end = 0
  for (let match = matchAt(reference, line, 0); match !== null; match = matchAt(reference, line, end)) {
    const address = templates?.addressOf(match)
    const seen: Piece[] = address === undefined ? pieceAt(line, match) : [{ kind: 'template', text: match[0], address }]
    if (match.index > end) pieces.push({ kind: 'text', text: line.slice(end, match.index) })
    pieces.push(...seen)
    end = match.index + seen.reduce((length, piece) => length + piece.text.length, 0)
  }
  if (end < line.length) pieces.push({ kind: 'text', text: line.slice(end) })
  return pieces
}

const BLANK = '[ \\t\\u00a0]'
const GAP = `${BLANK}{0,9}`
const NUMBER = `#?${GAP}(\\d{1,10})(?!\\d)`
/** The only schemes that become links. Schemes that a browser runs as code or that show its own pages are not among them. */
const WITH_HOST = '(?:view-source:)?(?:https?|ftp)://'
const OTHER = '(?:afs|cid|gopher|ircs?|mid|news|nntp|prospero|telnet|wais):/{0,3}'

const REFERENCE = new RegExp(
  [
    `(?<![\\w-])(?<scheme>${WITH_HOST}|${OTHER})(?=[\\p{L}\\p{N}[])`,
    `(?<![\\w.+-])(?<mail>[\\w.+-]{1,64}@[a-z0-9-]{1,63}(?:\\.[a-z0-9-]{1,63}){1,9})(?![\\w@-])`,
    // Not in a mail address, a path or another word, and without the full stop that ends a sentence.
    `(?<![\\p{L}\\p{N}_.@+/-])@(?<nick>[a-z0-9]{1,30}(?:[._-][a-z0-9]{1,30}){0,9})(?![\\p{L}\\p{N}@])`,
    `(?<!\\w)(?<word>bug|comment|attachment)(?<many>s?)${GAP}${NUMBER}`,
  ].join('|'),
  'giu',
)

let withTemplates: { templates: LinkTemplates; reference: RegExp } | undefined

/** The templates come first: they are written for an installation. */
function referenceWith(templates: LinkTemplates | undefined): RegExp {
  if (templates === undefined || templates.pattern === '') return REFERENCE
  if (withTemplates?.templates !== templates)
    withTemplates = { templates, reference: new RegExp(`${templates.pattern}|${REFERENCE.source}`, REFERENCE.flags) }
  return withTemplates.reference
}

function pieceAt(line: string, match: RegExpExecArray): Piece[] {
  const { scheme, mail, nick, word } = match.groups ?? {}
  if (scheme !== undefined) return urlAt(line, match.index)
  if (mail !== undefined) return [{ kind: 'mail', text: mail }]
  if (nick !== undefined) return [{ kind: 'mention', text: match[0], nick: nick.toLowerCase() }]
  return wordAt(line, match, word?.toLowerCase() ?? '')
}

const ADDRESS = /[^\s<>"]{1,2000}/y

function urlAt(line: string, start: number): Piece[] {
  const whole = matchAt(ADDRESS, line, start)?.[0] ?? ''
  let end = whole.length
  // Punctuation that ends a sentence is not part of the address.
  while (/[.,;:!?'*_~)\]}]/.test(whole.charAt(end - 1)) && !closesOwn(whole, end)) end--
  const text = whole.slice(0, end)
  return [{ kind: 'url', text }]
}

/** Whether the last character closes a parenthesis that the address opens. */
function closesOwn(address: string, end: number) {
  return address.charAt(end - 1) === ')' && address.slice(0, end).includes('(')
}

const COMMENT_OF_BUG = new RegExp(`${GAP},?${GAP}comment${GAP}${NUMBER}`, 'iuy')
const NEXT_IN_LIST = new RegExp(`(${GAP},${GAP}(?:and${BLANK}{1,9})?)(${NUMBER})`, 'iuy')

function wordAt(line: string, match: RegExpExecArray, word: string): Piece[] {
  const text = match[0]
  const id = Number(match.at(-1))
  const end = match.index + text.length
  if (word === 'attachment') return [{ kind: 'attachment', text, id }]
  const isMany = match.groups?.many !== ''
  if (word === 'comment') {
    return [{ kind: 'comment', text, number: id }, ...(isMany ? listAfter(line, end, 'comment') : [])]
  }
  if (isMany) return [{ kind: 'bug', text, id, comment: undefined }, ...listAfter(line, end, 'bug')]
  const comment = matchAt(COMMENT_OF_BUG, line, end)
  return [{ kind: 'bug', text: text + (comment?.[0] ?? ''), id, comment: comment ? Number(comment[1]) : undefined }]
}

/** The numbers after the first in “bugs 1, 2, #3”. */
function listAfter(line: string, start: number, kind: 'bug' | 'comment'): Piece[] {
  const pieces: Piece[] = []
  let end = start
  for (let next = matchAt(NEXT_IN_LIST, line, end); next !== null; next = matchAt(NEXT_IN_LIST, line, end)) {
    const [whole, between = '', text = '', digits] = next
    const number = Number(digits)
    pieces.push({ kind: 'text', text: between })
    pieces.push(kind === 'bug' ? { kind, text, id: number, comment: undefined } : { kind, text, number })
    end += whole.length
  }
  return pieces
}

function matchAt(pattern: RegExp, line: string, start: number) {
  pattern.lastIndex = start
  return pattern.exec(line)
}
