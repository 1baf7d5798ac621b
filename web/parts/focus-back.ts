import { useLayoutEffect, useRef } from 'preact/hooks'

/** For a button that opens a form in its own place. It gets the focus when the form is closed, unless the focus went elsewhere. */
export function useFocusBack(isOpen: boolean) {
  const button = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(isOpen)
  useLayoutEffect(() => {
    if (wasOpen.current && !isOpen && document.activeElement === document.body) button.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  return button
}

/** For a row of a list that its own button can remove: the heading gets the focus that was in the row. */
export function useFocusAfterRemoval() {
  useLayoutEffect(
    () => () => {
      requestAnimationFrame(() => {
        if (document.activeElement === document.body) focusHeading()
      })
    },
    [],
  )
}

/** Returns the focus to where it was, or to the heading of the page if that is gone. */
export function returnFocus(to: Element | null) {
  if (to instanceof HTMLElement && to !== document.body) to.focus()
  if (document.activeElement === document.body) focusHeading()
}

/** Returns whether there is a heading. Without one, the content of the page gets the focus. */
export function focusHeading(): boolean {
  const main = document.getElementById('main')
  if (main === null) return false
  const heading = main.querySelector('h1')
  const target = heading ?? main
  if (target === document.activeElement) return heading !== null
  target.tabIndex = -1
  // Otherwise a click anywhere on the page would focus the heading.
  if (target === main) main.addEventListener('blur', () => main.removeAttribute('tabindex'), { once: true })
  target.focus({ preventScroll: true })
  return heading !== null
}
