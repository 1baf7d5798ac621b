import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface Swipe {
  /** The words behind the row, and what they do. */
  right: { words: string; run(): void }
  left: { words: string; run(): void }
}

/** A finger that has moved so far to the side moves the row, and after so far it has decided. */
const BEGINS = 12
const DECIDES = 96
/** There the browser has gestures of its own. */
const EDGE = 24

/** Moves a row with the finger, to the right or to the left. A finger that goes up or down scrolls. */
export function useSwipe(row: RefObject<HTMLElement | null>, swipe: Swipe) {
  const latest = useRef(swipe)
  latest.current = swipe
  useEffect(() => {
    const element = row.current
    if (element === null) return
    const end = new AbortController()
    let from: { x: number; y: number } | undefined
    let moved = 0
    const show = (to: number) => {
      moved = to
      element.classList.toggle('is-swiped', to !== 0)
      element.classList.toggle('is-decided', Math.abs(to) >= DECIDES)
      element.style.setProperty('--swiped', `${to}px`)
      const { right, left } = latest.current
      element.dataset.right = to > 0 ? right.words : ''
      element.dataset.left = to < 0 ? left.words : ''
    }
    const begin = ({ touches: [touch, other] }: TouchEvent) => {
      const isInside = touch !== undefined && touch.clientX > EDGE && touch.clientX < innerWidth - EDGE
      from = isInside && other === undefined ? { x: touch.clientX, y: touch.clientY } : undefined
    }
    const move = ({ touches: [touch] }: TouchEvent) => {
      if (from === undefined || touch === undefined) return
      const [x, y] = [touch.clientX - from.x, touch.clientY - from.y]
      if (moved === 0 && Math.abs(y) > BEGINS) from = undefined
      else if (moved !== 0 || Math.abs(x) > BEGINS) show(x)
    }
    const leave = (event: TouchEvent) => {
      const { right, left } = latest.current
      const deed = Math.abs(moved) < DECIDES ? undefined : moved > 0 ? right : left
      // Otherwise the finger would also open the entry.
      if (moved !== 0 && event.cancelable) event.preventDefault()
      from = undefined
      show(0)
      if (event.type === 'touchend') deed?.run()
    }
    const { signal } = end
    element.addEventListener('touchstart', begin, { signal, passive: true })
    element.addEventListener('touchmove', move, { signal, passive: true })
    element.addEventListener('touchend', leave, { signal })
    element.addEventListener('touchcancel', leave, { signal })
    return () => end.abort()
  }, [])
}
