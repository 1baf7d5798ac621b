// What people wrote, as text with links. The links are built as nodes: text never becomes HTML.
import type { ComponentChildren } from 'preact'
import { bugAddress, hrefOf } from '../../core/router.ts'
import { words } from '../../parts/glyphs.tsx'
import { type BugStore, useBugStore } from './bug-store.ts'

// Each part has a bounded length, so that no text takes long to be searched.
const LINKS =
  /\b(?:https?|ftp):\/\/[^\s<>"]{1,2000}|\bbugs?\s{1,4}#?\d{1,10}(?:,?\s{1,4}comment\s{1,4}#?\d{1,6}|(?:\s{0,2},\s{0,2}#?\d{1,10}){1,20})?|\bcomments?\s{1,4}#?\d{1,6}(?:\s{0,2},\s{0,2}#?\d{1,6}){0,20}|\battachment\s{1,4}#?\d{1,10}|\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/gi

/** A text with its links. */
export function Linked({ text }: { text: string }) {
  const store = useBugStore()
  const nodes: ComponentChildren[] = []
  let end = 0
  for (const match of text.matchAll(LINKS)) {
    const found = withoutEnd(match[0])
    nodes.push(text.slice(end, match.index), <LinkTo key={match.index} text={found} store={store} />)
    end = match.index + found.length
  }
  nodes.push(text.slice(end))
  return <>{nodes}</>
}

/** A sentence's own punctuation is not part of an address. */
function withoutEnd(found: string) {
  if (!found.includes('://')) return found
  const text = found.replace(/[.,;:!?'"*]{1,20}$/, '')
  return text.endsWith(')') && !text.includes('(') ? text.slice(0, -1) : text
}

function LinkTo({ text, store }: { text: string; store: BugStore }) {
  if (/^(https?|ftp):/i.test(text))
    return (
      <a class="link" href={text} rel="nofollow noopener noreferrer">
        {text}
      </a>
    )
  if (text.includes('@'))
    return (
      <a class="link" href={`mailto:${text}`}>
        {text}
      </a>
    )
  const both = /^bug\s+#?(\d+),?\s+comment\s+#?(\d+)$/i.exec(text)
  if (both !== null) return <BugRef id={Number(both[1])} comment={both[2]} text={text} />
  if (/^bug\s/i.test(text)) return <BugRef id={Number(/\d+/.exec(text)?.[0])} text={text} />
  if (/^attachment/i.test(text)) return <AttachmentRef id={Number(/\d+/.exec(text)?.[0])} text={text} />
  if (/^comment\s/i.test(text)) return <CommentRef count={/\d+/.exec(text)?.[0] ?? ''} text={text} store={store} />
  return <Several text={text} store={store} />
}

/** “bugs 5, 7” and “comments 1, 2”: each number is a link. */
function Several({ text, store }: { text: string; store: BugStore }) {
  const isBugs = /^bugs/i.test(text)
  return (
    <>
      {text
        .split(/(\d+)/)
        .map((part, place) =>
          !/^\d+$/.test(part) ? (
            part
          ) : isBugs ? (
            <BugRef key={place} id={Number(part)} text={part} />
          ) : (
            <CommentRef key={place} count={part} text={part} store={store} />
          ),
        )}
    </>
  )
}

/** A link to another bug, with its status and summary where the reader may see it. */
export function BugRef({ id, comment, text }: { id: number; comment?: string | undefined; text?: string }) {
  const known = useBugStore().linked.value.get(id)
  const title = known && `${words(known.status)} ${words(known.resolution)}: ${known.summary}`.replace(' :', ':')
  return (
    <a
      class={known !== undefined && !known.is_open ? 'ref is-closed' : 'ref'}
      href={hrefOf(bugAddress(id)) + (comment === undefined ? '' : `#c${comment}`)}
      title={title}
    >
      {text ?? id}
    </a>
  )
}

function CommentRef({ count, text, store }: { count: string; text: string; store: BugStore }) {
  if (!store.comments.value.some((comment) => String(comment.count) === count)) return <>{text}</>
  return (
    <a class="ref" href={`#c${count}`}>
      {text}
    </a>
  )
}

export function attachmentHref(id: number) {
  return hrefOf(`/rest/bug/attachment/${id}/data`)
}

function AttachmentRef({ id, text }: { id: number; text: string }) {
  const known = useBugStore().attachments.value.find((it) => it.id === id)
  return (
    <a
      class={known?.is_obsolete ? 'ref is-closed' : 'ref'}
      href={known === undefined ? attachmentHref(id) : `#a${id}`}
      title={known?.summary}
    >
      {text}
    </a>
  )
}

type Block = { kind: 'text' | 'quote' | 'code'; lines: string[] }

function kindOf(line: string): Block['kind'] {
  if (line.startsWith('>')) return 'quote'
  return /^(?: {4}|\t)\s*\S/.test(line) ? 'code' : 'text'
}

/** Quotes and indented code are blocks of their own; everything else keeps its lines as they were typed. */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  for (const line of text.split('\n')) {
    const kind = kindOf(line)
    const last = blocks.at(-1)
    if (last?.kind === kind) last.lines.push(line)
    else blocks.push({ kind, lines: [line] })
  }
  return blocks
}

const DEEPEST_QUOTE = 6

export function CommentText({ text, depth = 0 }: { text: string; depth?: number }) {
  return (
    <>
      {blocksOf(text).map(({ kind, lines }, place) => {
        const all = lines.join('\n')
        if (kind === 'quote' && depth < DEEPEST_QUOTE)
          return (
            <blockquote key={place}>
              <CommentText text={lines.map((line) => line.replace(/^> ?/, '')).join('\n')} depth={depth + 1} />
            </blockquote>
          )
        if (kind === 'code')
          return (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is reached with keys
            <pre key={place} tabIndex={0}>
              <code>
                <Linked text={all} />
              </code>
            </pre>
          )
        const trimmed = all.replace(/^\n+|\n+$/g, '')
        return trimmed === '' ? null : (
          <p key={place} class="typed">
            <Linked text={trimmed} />
          </p>
        )
      })}
    </>
  )
}
