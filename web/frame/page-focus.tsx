import { useEffect, useRef } from 'preact/hooks'
import { currentAddress } from '../core/router.ts'

/** Moves the focus to the heading of a new page, so that Tab goes on from there and screen readers read it. */
export function PageFocus() {
  const { path } = currentAddress.value
  const last = useRef(path)
  useEffect(() => {
    if (last.current === path) return
    last.current = path
    if (focusHeading()) return
    // The heading comes with the data of the page.
    const observer = new MutationObserver(() => focusHeading() && observer.disconnect())
    observer.observe(document.body, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [path])
  return null
}

/** Whether there is nothing more to do: the heading has the focus, or the reader has gone on. */
function focusHeading(): boolean {
  const main = document.getElementById('main')
  if (main === null) return false
  if (hasGoneOn(main)) return true
  const heading = main.querySelector('h1')
  const target = heading ?? main
  if (target !== document.activeElement) {
    target.tabIndex = -1
    // Otherwise a click anywhere on the page would focus the heading.
    if (target === main) main.addEventListener('blur', () => main.removeAttribute('tabindex'), { once: true })
    target.focus({ preventScroll: true })
  }
  return heading !== null
}

function hasGoneOn(main: HTMLElement): boolean {
  const { activeElement } = document
  if (activeElement?.matches('input, textarea, select') || document.querySelector('dialog[open]') !== null) return true
  return activeElement !== main && main.contains(activeElement)
}
