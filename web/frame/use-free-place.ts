import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import { type Box, freePlace } from './free-place.ts'

/** What a message must not cover: everything that can be used, and the bars that hold it, as a whole. */
const BARS = '.top-bar, .tab-bar, .change-bar, .bulk-bar, .phone-write, .composer'
const CONTROLS = `${BARS}, a[href], button, input, select, textarea, summary, .checkbox-label, [role=option], [role=menuitem]`

/** Keeps a message where it covers no control, also while the page is scrolled or changes. `shown` is undefined if there is none. */
export function useFreePlace(element: RefObject<HTMLElement | null>, shown: object | undefined) {
  useLayoutEffect(() => {
    if (shown === undefined) return
    let frame = 0
    const place = () => {
      frame = 0
      const box = element.current
      // Under the pointer it stays.
      if (box !== null && !box.matches(':hover')) moveToFreePlace(box)
    }
    const placeSoon = () => {
      if (frame === 0) frame = requestAnimationFrame(place)
    }
    place()
    const changes = new MutationObserver(placeSoon)
    changes.observe(document.body, { childList: true, subtree: true })
    addEventListener('scroll', placeSoon, { capture: true, passive: true })
    addEventListener('resize', placeSoon)
    return () => {
      cancelAnimationFrame(frame)
      changes.disconnect()
      removeEventListener('scroll', placeSoon, { capture: true })
      removeEventListener('resize', placeSoon)
    }
  }, [shown])
}

function moveToFreePlace(element: HTMLElement) {
  const size = { width: element.offsetWidth, height: element.offsetHeight }
  const { clientWidth: right, clientHeight: bottom } = document.documentElement
  const area = { left: 0, top: 0, right, bottom }
  const controls = controlsIn(element, area)
  const all = freePlace(size, controls.map(boxOf), area)
  // Where a page is full of links, as a list on a phone, it covers rather one of them than anything else.
  const { left, top } = all.isFree ? all : freePlace(size, controls.filter(isNoLink).map(boxOf), area)
  element.style.left = `${left}px`
  element.style.top = `${top}px`
}

interface Control {
  element: Element
  box: DOMRect
}

function boxOf({ box }: Control) {
  return box
}

function isNoLink({ element }: Control) {
  return !element.matches('a[href]')
}

function controlsIn(message: HTMLElement, { right, bottom }: Box): Control[] {
  const found: Control[] = []
  for (const control of document.querySelectorAll(CONTROLS)) {
    if (message.contains(control)) continue
    const box = control.getBoundingClientRect()
    const isInSight = box.width > 1 && box.bottom > 0 && box.top < bottom && box.left < right && box.right > 0
    if (isInSight && control.checkVisibility({ visibilityProperty: true })) found.push({ element: control, box })
  }
  return found
}
