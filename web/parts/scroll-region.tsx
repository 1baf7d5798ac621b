import type { ComponentChildren, RefObject } from 'preact'

interface Props {
  class: string
  label: string
  box?: RefObject<HTMLElement | null>
  onKeyDown?(event: KeyboardEvent): void
  children: ComponentChildren
}

/** A part of the page that scrolls by itself: the keys reach it, and its label says what it is. */
export function ScrollRegion({ class: name, label, box, onKeyDown, children }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without a stop for Tab, who has no mouse could not scroll it
    <section ref={box} class={name} aria-label={label} tabIndex={0} onKeyDown={onKeyDown}>
      {children}
    </section>
  )
}
