import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useCommands } from '../../../core/keys.ts'
import { Icon } from '../../../parts/icon.tsx'
import { replyTo } from '../composer/reply.ts'
import { useBugStore } from '../use-bug.ts'

/** Some time without a change: the reader has selected what they want. */
const SETTLED_MILLISECONDS = 200
const GAP = 6

interface Selected {
  count: number
  at: DOMRect
}

/** A button below what is selected of a comment: it puts that into the composer, as a quote. The key `r` does the same. */
export function QuoteButton() {
  const store = useBugStore()
  const [selected, setSelected] = useState<Selected>()
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      clearTimeout(timer)
      timer = setTimeout(() => setSelected(selectedText()), SETTLED_MILLISECONDS)
    }
    const end = new AbortController()
    document.addEventListener('selectionchange', look, { signal: end.signal })
    document.addEventListener('scroll', look, { signal: end.signal, passive: true, capture: true })
    return () => {
      end.abort()
      clearTimeout(timer)
    }
  }, [])
  useLayoutEffect(() => {
    const { style, offsetWidth = 0, offsetHeight = 0 } = button.current ?? {}
    if (selected === undefined || style === undefined) return
    const { left, width, bottom } = selected.at
    const x = Math.min(Math.max(GAP, left + width / 2 - offsetWidth / 2), innerWidth - offsetWidth - GAP)
    style.setProperty('left', `${x}px`)
    style.setProperty('top', `${Math.min(bottom + GAP, innerHeight - offsetHeight - GAP)}px`)
  }, [selected])
  const comment = store.comments.value.find(({ count }) => count === selected?.count)
  const isOffered = comment !== undefined && store.may('comment')
  const quote = () => {
    if (comment === undefined) return
    replyTo(comment)
    getSelection()?.removeAllRanges()
    setSelected(undefined)
  }
  useCommands(isOffered ? [{ name: 'Quote what is selected', run: quote }] : [])
  if (!isOffered) return null
  return (
    <button
      ref={button}
      type="button"
      class="button button-small quote-button"
      title="Quote what is selected. Key: R"
      // The selection would end before the click.
      onPointerDown={(event) => event.preventDefault()}
      onClick={quote}
    >
      <Icon name="quote" size="small" />
      Quote this
    </button>
  )
}

/** Which comment has the selection, and where it is in the window. */
function selectedText(): Selected | undefined {
  const selection = getSelection()
  if (selection === null || selection.isCollapsed || selection.toString().trim() === '') return undefined
  const anchor = selection.anchorNode
  const element = anchor instanceof Element ? anchor : anchor?.parentElement
  const id = element?.closest('.prose')?.closest('.comment')?.id ?? ''
  const at = selection.getRangeAt(0).getBoundingClientRect()
  if (!/^c\d+$/.test(id) || at.bottom < 0 || at.top > innerHeight) return undefined
  return { count: Number(id.slice(1)), at }
}
