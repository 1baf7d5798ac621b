import { TextWithLinks } from './text-with-links.tsx'

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

interface Props {
  text: string
  /** The bug that the text belongs to, for “comment 3”. */
  bugId?: number | undefined
  depth?: number
}

/** Text without Markdown, for inside of `.prose`. */
export function PlainText({ text, bugId, depth = 0 }: Props) {
  return (
    <>
      {blocksOf(text).map(({ kind, lines }, place) => {
        const all = lines.join('\n')
        if (kind === 'quote' && depth < DEEPEST_QUOTE) {
          const quoted = lines.map((line) => line.replace(/^> ?/, '')).join('\n')
          return (
            <blockquote key={place}>
              <PlainText text={quoted} bugId={bugId} depth={depth + 1} />
            </blockquote>
          )
        }
        if (kind === 'code')
          return (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is reached with keys
            <pre key={place} tabIndex={0}>
              <code>
                <TextWithLinks text={all} bugId={bugId} />
              </code>
            </pre>
          )
        const trimmed = all.replace(/^\n+|\n+$/g, '')
        return trimmed === '' ? null : (
          <p key={place} class="typed-text">
            <TextWithLinks text={trimmed} bugId={bugId} />
          </p>
        )
      })}
    </>
  )
}
