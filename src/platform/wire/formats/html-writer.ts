import { escaped, INDENT, rendered, renderedName } from './html-page.ts'

/** Longer objects and lists are shown member by member, as they arrive; in shorter ones the names are sorted. */
const SHOWN_WHOLE = 16 * 1024

/** A list or an object that has not arrived completely. */
interface Open {
  readonly isList: boolean
  /** The field that it is in, and the parent of that field. */
  readonly key: string
  readonly parent: string
  isEmpty: boolean
  /** The name of the member whose value comes next. */
  name: string | undefined
}

/** Writes JSON as an HTML page piece by piece: a long response needs no more memory than a short one. */
export class HtmlWriter {
  private text = ''
  private at = 0
  private isInString = false
  private readonly open: Open[] = []
  private readonly root: string

  /** `root` is the path of the base address. */
  constructor(root = '') {
    this.root = root
  }

  /** The part of the page that can be written when this much of the JSON has arrived. */
  write(piece: string): string {
    this.text = this.text.slice(this.at) + piece
    this.at = 0
    let shown = ''
    for (let part = this.next(); part !== undefined; part = this.next()) shown += part
    return shown
  }

  /** Writes the next token or value; undefined if more of the JSON is needed. */
  private next(): string | undefined {
    if (this.isInString) return this.restOfString()
    const character = this.text[this.at]
    const open = this.open.at(-1)
    if (character === undefined) return undefined
    if (character === ' ' || character === ',') return this.take(1, '')
    if (character === ']' || character === '}') return this.close(character)
    if (open !== undefined && !open.isList && open.name === undefined) return this.nameOfMember(open)
    return this.value(character, open)
  }

  private take(count: number, shown: string) {
    this.at += count
    return shown
  }

  private close(bracket: string) {
    const { isEmpty } = this.open.pop() as Open
    this.endMember()
    return this.take(1, isEmpty ? bracket : `\n${this.indent}${bracket}`)
  }

  private nameOfMember(open: Open): string | undefined {
    const end = endOfString(this.text, this.at + 1)
    const colon = end === undefined ? -1 : this.text.indexOf(':', end)
    if (colon === -1) return undefined
    open.name = JSON.parse(this.text.slice(this.at, end)) as string
    this.at = colon + 1
    return this.beginMember(open) + renderedName(open.name)
  }

  private value(character: string, open: Open | undefined): string | undefined {
    const [key = '', parent = ''] = open?.isList ? [open.key, open.parent] : [open?.name, open?.key]
    const before = open === undefined ? '' : open.isList ? this.beginMember(open) : ': '
    const end = endOfValue(this.text, this.at)
    if (end !== undefined) {
      const shown = before + rendered(JSON.parse(this.text.slice(this.at, end)), this.root, key, parent, this.indent)
      this.at = end
      this.endMember()
      return shown
    }
    if (this.text.length - this.at <= SHOWN_WHOLE) return undefined
    if (character === '"') this.isInString = true
    else this.open.push({ isList: character === '[', key, parent, isEmpty: true, name: undefined })
    return this.take(1, before + escaped(character))
  }

  /** A string that is too long to be buffered. */
  private restOfString(): string | undefined {
    const end = endOfString(this.text, this.at)
    const until = end ?? this.text.length - (endsInEscape(this.text, this.at) ? 1 : 0)
    if (until === this.at) return undefined
    const shown = escaped(this.text.slice(this.at, until))
    this.at = until
    this.isInString = end === undefined
    if (end !== undefined) this.endMember()
    return shown
  }

  private beginMember({ isEmpty }: Open) {
    return `${isEmpty ? '' : ','}\n${this.indent}`
  }

  private endMember() {
    const open = this.open.at(-1)
    if (open === undefined) return
    open.isEmpty = false
    open.name = undefined
  }

  private get indent() {
    return INDENT.repeat(this.open.length)
  }
}

/** The end of the value that begins here; undefined if it has not arrived yet, or is too far away to be buffered. */
function endOfValue(text: string, start: number): number | undefined {
  const first = text[start]
  if (first === '"') return endOfString(text, start + 1)
  if (first === '[' || first === '{') return endOfNested(text, start)
  PLAIN.lastIndex = start
  const end = start + (PLAIN.exec(text)?.[0].length ?? 0)
  return end < text.length ? end : undefined
}

const PLAIN = /[^\s,\]}]+/y

function endOfNested(text: string, start: number): number | undefined {
  let depth = 0
  for (let at = start; at < text.length && at - start < SHOWN_WHOLE; at++) {
    const character = text[at]
    if (character === '"') {
      const end = endOfString(text, at + 1)
      if (end === undefined) return undefined
      at = end - 1
    } else if (character === '[' || character === '{') depth++
    else if ((character === ']' || character === '}') && --depth === 0) return at + 1
  }
  return undefined
}

/** The position after the quote that ends the current string, outside of an escape sequence. */
function endOfString(text: string, from: number): number | undefined {
  for (let quote = text.indexOf('"', from); quote !== -1; quote = text.indexOf('"', quote + 1))
    if (backslashesBefore(text, quote, from) % 2 === 0) return quote + 1
  return undefined
}

function endsInEscape(text: string, from: number) {
  return backslashesBefore(text, text.length, from) % 2 === 1
}

function backslashesBefore(text: string, at: number, from: number) {
  let first = at
  while (first > from && text[first - 1] === '\\') first--
  return at - first
}
