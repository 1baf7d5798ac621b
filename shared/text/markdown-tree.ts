// Markdown as a tree of plain data. Each tag comes from a closed list and each address is checked, so that an author chooses neither
// tags nor attributes. The pages make elements of the tree, the server makes HTML.
import MarkdownIt, { type Token } from 'markdown-it'
import { isAllowedAddress } from './allowed-address.ts'

export type MarkdownTag =
  | 'p'
  | 'br'
  | 'hr'
  | 'em'
  | 'strong'
  | 's'
  | 'ul'
  | 'ol'
  | 'li'
  | 'blockquote'
  | 'h3'
  | 'h4'
  | 'h5'
  | 'h6'
  | 'table'
  | 'thead'
  | 'tbody'
  | 'tr'
  | 'th'
  | 'td'

export type Align = 'center' | 'right'

export type MarkdownNode =
  | {
      kind: 'element'
      tag: MarkdownTag
      align?: Align | undefined
      start?: number | undefined
      children: MarkdownNode[]
    }
  /** References in it become links, unless it is inside of a link. */
  | { kind: 'text'; text: string; isInLink: boolean }
  | { kind: 'link'; href: string; children: MarkdownNode[] }
  | { kind: 'code'; text: string }
  | { kind: 'block'; text: string; language: string }
  /** The line of the text that has the box, and what it is a box for. */
  | { kind: 'task'; isDone: boolean; line: number; text: string }
  /** An attachment of the same bug: its number, or the name of a file that the author has attached. */
  | { kind: 'picture'; reference: string; text: string }

/** Deeper blocks are not Markdown that a person wrote. The parser drops them, so such a text is shown as it was typed. */
const DEEPEST_BLOCK = 24
const DEEPEST_INLINE = 40
const MOST_TOKENS = 20_000
const MOST_CELLS = 20_000
const LONGEST = 65_535 * 2
/** Of a task, as its box is called. */
const LONGEST_TASK = 100

const parser = parserWith({ tables: true })
const parserWithoutTables = parserWith({ tables: false })

function parserWith({ tables }: { tables: boolean }) {
  const markdown = new MarkdownIt({ html: false, linkify: false, breaks: true, maxNesting: DEEPEST_BLOCK })
  markdown.validateLink = (address) => isAllowedAddress(address) || referenceIn(address) !== undefined
  return tables ? markdown : markdown.disable('table')
}

/** The tree of a text; undefined if it is too deep or too large to be shown as Markdown. */
export function markdownTree(text: string): MarkdownNode[] | undefined {
  if (text.length > LONGEST) return undefined
  const tokens = (mostCells(text) > MOST_CELLS ? parserWithoutTables : parser).parse(text, {})
  let count = 0
  for (const token of tokens) {
    count += 1 + (token.children?.length ?? 0)
    if (count > MOST_TOKENS || token.level >= DEEPEST_BLOCK - 1) return undefined
  }
  return new TreeBuilder().build(tokens)
}

/** The largest number of cells in a table, because the parser fills up short rows. */
function mostCells(text: string) {
  const lines = text.split('\n')
  let columns = 0
  for (const line of lines) columns = Math.max(columns, line.split('|').length)
  return columns * lines.length
}

const TAGS: ReadonlyMap<string, MarkdownTag> = new Map([
  ['p', 'p'],
  ['em', 'em'],
  ['strong', 'strong'],
  ['s', 's'],
  ['ul', 'ul'],
  ['ol', 'ol'],
  ['li', 'li'],
  ['blockquote', 'blockquote'],
  // The page has headings of its own above these.
  ['h1', 'h3'],
  ['h2', 'h4'],
  ['h3', 'h5'],
  ['h4', 'h6'],
  ['h5', 'h6'],
  ['h6', 'h6'],
  ['table', 'table'],
  ['thead', 'thead'],
  ['tbody', 'tbody'],
  ['tr', 'tr'],
  ['th', 'th'],
  ['td', 'td'],
])

class TreeBuilder {
  private readonly root: MarkdownNode[] = []
  /** The children of each open element. A transparent element has those of its parent. */
  private readonly open: MarkdownNode[][] = [this.root]
  private links = 0

  build(tokens: readonly Token[]): MarkdownNode[] {
    for (const [place, token] of tokens.entries()) {
      if (token.type === 'inline') this.addInline(token, isFirstInItem(tokens, place))
      else this.add(token)
    }
    return this.root
  }

  private addInline({ children, content, map }: Token, isFirst: boolean) {
    for (const [place, token] of (children ?? []).entries()) {
      const task = isFirst && place === 0 && token.type === 'text' ? /^\[([ xX])\](?=\s)/.exec(token.content) : null
      if (task === null) this.add(token)
      else {
        const text = content.slice(task[0].length).split('\n', 1)[0]?.trim().slice(0, LONGEST_TASK) ?? ''
        this.push({ kind: 'task', isDone: task[1] !== ' ', line: map?.[0] ?? 0, text })
        this.addText(token.content.slice(task[0].length))
      }
    }
  }

  private add(token: Token) {
    if (token.nesting === 1) return this.openElement(token)
    if (token.nesting === -1) return this.closeElement(token)
    switch (token.type) {
      case 'code_inline':
        return this.push({ kind: 'code', text: token.content })
      case 'code_block':
      case 'fence':
        return this.push({ kind: 'block', text: token.content.replace(/\n$/, ''), language: languageOf(token.info) })
      case 'hardbreak':
      case 'softbreak':
        return this.push({ kind: 'element', tag: 'br', children: [] })
      case 'hr':
        return this.push({ kind: 'element', tag: 'hr', children: [] })
      case 'image':
        return this.addImage(token)
      default:
        return this.addText(token.content)
    }
  }

  private openElement(token: Token) {
    if (token.type === 'link_open') this.links++
    const node = this.open.length > DEEPEST_BLOCK + DEEPEST_INLINE ? undefined : nodeOf(token)
    if (node !== undefined) this.push(node)
    this.open.push(node?.children ?? this.current())
  }

  private closeElement(token: Token) {
    if (token.type === 'link_close') this.links--
    if (this.open.length > 1) this.open.pop()
  }

  /** Pictures of other hosts are not loaded, because that tells these hosts who reads the bug: they are links. Attachments are shown. */
  private addImage(token: Token) {
    const href = attributeOf(token, 'src')
    const reference = referenceIn(href)
    if (reference !== undefined && this.links === 0)
      return this.push({ kind: 'picture', reference, text: token.content.trim() })
    const text = token.content.trim() || href
    if (this.links > 0 || !isAllowedAddress(href)) return this.addText(text)
    this.push({ kind: 'link', href, children: [{ kind: 'text', text, isInLink: true }] })
  }

  private addText(text: string) {
    if (text === '') return
    const last = this.current().at(-1)
    const isInLink = this.links > 0
    if (last?.kind === 'text' && last.isInLink === isInLink) last.text += text
    else this.push({ kind: 'text', text, isInLink })
  }

  private push(node: MarkdownNode) {
    this.current().push(node)
  }

  private current(): MarkdownNode[] {
    return this.open.at(-1) ?? this.root
  }
}

/** The attachment that an address such as `attachment:12` or `attachment:lamp.png` names. */
function referenceIn(address: string): string | undefined {
  return /^attachment:([\w.-]{1,100})$/.exec(address)?.[1]
}

type ParentNode = Extract<MarkdownNode, { children: MarkdownNode[] }>

/** The node of an opening token; undefined for the paragraphs of a tight list and for unknown tags, whose content stays. */
function nodeOf(token: Token): ParentNode | undefined {
  if (token.hidden) return undefined
  if (token.type === 'link_open') {
    const href = attributeOf(token, 'href')
    return isAllowedAddress(href) ? { kind: 'link', href, children: [] } : undefined
  }
  const tag = TAGS.get(token.tag)
  if (tag === undefined) return undefined
  return { kind: 'element', tag, align: alignOf(token), start: startOf(token), children: [] }
}

/** The parser writes the alignment of a cell as a style. */
function alignOf(token: Token): Align | undefined {
  const align = /^text-align:(center|right)$/.exec(attributeOf(token, 'style'))
  return align === null ? undefined : (align[1] as Align)
}

function startOf(token: Token): number | undefined {
  const start = Number(token.attrGet('start') ?? Number.NaN)
  return Number.isSafeInteger(start) ? start : undefined
}

function attributeOf(token: Token, name: string) {
  return String(token.attrGet(name) ?? '')
}

function languageOf(info: string) {
  return /^[\w+#-]{1,20}/.exec(info.trim())?.[0].toLowerCase() ?? ''
}

function isFirstInItem(tokens: readonly Token[], place: number) {
  return tokens[place - 1]?.type === 'paragraph_open' && tokens[place - 2]?.type === 'list_item_open'
}
