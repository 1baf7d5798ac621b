import { useEffect, useRef } from 'preact/hooks'
import { currentAddress } from '../core/router.ts'
import { focusHeading } from '../parts/focus-back.ts'

/** Moves the focus to the heading of a new page, so that Tab goes on from there and screen readers read it. */
export function PageFocus() {
  const { path } = currentAddress.value
  const last = useRef(path)
  useEffect(keepFocus, [])
  useEffect(() => {
    if (last.current === path) return
    last.current = path
    if (focusNewPage()) return
    // The heading comes with the data of the page.
    const observer = new MutationObserver(() => focusNewPage() && observer.disconnect())
    observer.observe(document.body, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [path])
  return null
}

/** Whether there is nothing more to do: the heading has the focus, or the reader has gone on. */
function focusNewPage(): boolean {
  const main = document.getElementById('main')
  if (main === null) return false
  return hasGoneOn(main) || focusHeading()
}

function hasGoneOn(main: HTMLElement): boolean {
  const { activeElement } = document
  if (activeElement?.matches('input, textarea, select') || document.querySelector('dialog[open]') !== null) return true
  return activeElement !== main && main.contains(activeElement)
}

const FOCUSABLE = 'a[href], button, input, select, textarea, [tabindex]'
const AFTER_MILLISECONDS = 60

/** When what has the focus is removed, the focus goes to what is nearest to its place, not to the beginning of the page. */
function keepFocus() {
  let around: Element[] = []
  let isByKeys = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let frame = 0
  const note = ({ target }: FocusEvent) => {
    around = []
    for (let at = target instanceof Element ? target : null; at !== null; at = at.parentElement) around.push(at)
  }
  const noteInput = ({ type }: Event) => {
    isByKeys = type === 'keydown'
  }
  const repair = () => {
    const [element] = around
    if (document.activeElement !== document.body || element === undefined || isShown(element)) return
    const place = around.find((it) => it.closest('#main') !== null && isShown(it))
    if (place instanceof HTMLElement) focusIn(place, isByKeys)
    else focusHeading()
  }
  // Editors and menus lead the focus on by themselves, with the next frame, which can come later than the timer.
  const check = () => {
    clearTimeout(timer)
    cancelAnimationFrame(frame)
    timer = setTimeout(() => {
      frame = requestAnimationFrame(repair)
    }, AFTER_MILLISECONDS)
  }
  const listeners = [
    ['focusin', note],
    ['focusout', check],
    ['keydown', noteInput],
    ['pointerdown', noteInput],
  ] as const
  for (const [type, listener] of listeners) addEventListener(type, listener as (event: Event) => void, true)
  return () => {
    for (const [type, listener] of listeners) removeEventListener(type, listener as (event: Event) => void, true)
  }
}

/** A control for who goes on with keys. After a click only the place, so that Enter presses nothing by surprise. */
function focusIn(place: HTMLElement, isByKeys: boolean) {
  const controls = isByKeys && place.tabIndex < 0 ? [...place.querySelectorAll<HTMLElement>(FOCUSABLE)] : []
  const next = controls.find((it) => it.tabIndex >= 0 && isShown(it))
  if (next === undefined && place.tabIndex < 0) place.tabIndex = -1
  ;(next ?? place).focus({ preventScroll: true })
}

function isShown(element: Element) {
  return element.isConnected && element.checkVisibility()
}
