// Code as a block of its own, coloured where its language is known. The colours are a script of their own.
import { signal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { CodePiece, highlighted } from './highlight.ts'

const highlight = signal<typeof highlighted | undefined>(undefined)

async function loadHighlight() {
  if (highlight.value !== undefined) return
  const loaded = await import('./highlight.ts')
  highlight.value = loaded.highlighted
}

export function CodeBlock({ text, language }: { text: string; language: string }) {
  useEffect(() => {
    // Without colours the code can still be read.
    if (language !== '') loadHighlight().catch(() => undefined)
  }, [language])
  const colour = highlight.value
  const pieces = useMemo(() => colour?.(text, language), [colour, text, language])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is reached with keys
    <pre tabIndex={0}>
      <code>{pieces === undefined ? text : pieces.map(pieceOf)}</code>
    </pre>
  )
}

function pieceOf({ text, kind }: CodePiece, place: number) {
  return kind === undefined ? (
    text
  ) : (
    <span key={place} class={`highlight-${kind}`}>
      {text}
    </span>
  )
}
