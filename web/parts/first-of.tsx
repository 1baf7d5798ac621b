import type { Ref } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { Button } from './button.tsx'

/** A longer list has a field that finds items, too. */
export const AT_ONCE = 100

/** For a list that can be long: the part that is drawn, and the button that draws more, which focuses the first new item. */
export function useFirstOf<Item, List extends HTMLElement>(items: readonly Item[]) {
  const [most, setMost] = useState(AT_ONCE)
  const list = useRef<List>(null)
  const left = items.length - most
  const showMore = () => {
    setMost(most + AT_ONCE)
    requestAnimationFrame(() => list.current?.children[most]?.querySelector<HTMLElement>('a, button')?.focus())
  }
  return {
    list: list as Ref<List>,
    shown: items.slice(0, most),
    more: left > 0 && (
      <Button size="small" icon="down" onClick={showMore}>
        Show {Math.min(left, AT_ONCE)} more of {left.toLocaleString()}
      </Button>
    ),
  }
}
