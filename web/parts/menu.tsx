import type { ComponentChildren } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon } from './icon.tsx'

export interface MenuItem {
  name: string
  icon?: string
  /** The key that does the same, or a note. */
  note?: string
  /** Why it cannot be done now. */
  refused?: string | undefined
  isDangerous?: boolean
  run(): void
}

interface Props {
  /** The name of the button for screen readers. */
  label: string
  button: ComponentChildren
  buttonClass?: string
  items: readonly (MenuItem | 'line')[]
  at?: 'start' | 'end'
}

const NEXT_LETTER_MILLISECONDS = 700

/** A button that opens a menu. Arrows and first letters move, Enter chooses, Escape closes it and returns to where one was. */
export function Menu({ label, button, buttonClass = 'icon-button', items, at = 'start' }: Props) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const anchor = useRef<HTMLSpanElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const typed = useRef({ text: '', at: 0 })
  const openedFrom = useRef<Element | null>(null)

  // A layout effect, so that the next letter that is typed goes to the menu.
  useLayoutEffect(() => {
    if (!isOpen || list.current === null) return
    typed.current.text = ''
    keepInWindow(list.current)
    list.current.querySelector<HTMLElement>('[role=menuitem]')?.focus()
  }, [isOpen])
  useEffect(() => {
    if (!isOpen) return
    const close = (event: Event) => {
      if (!anchor.current?.contains(event.target as Node)) setOpen(false)
    }
    addEventListener('pointerdown', close)
    return () => removeEventListener('pointerdown', close)
  }, [isOpen])

  const closeToButton = () => {
    setOpen(false)
    anchor.current?.querySelector('button')?.focus()
  }
  /** A key of the page may have opened it from elsewhere. */
  const closeToOpener = () => {
    closeToButton()
    const { current } = openedFrom
    if (current instanceof HTMLElement && current !== document.body) current.focus()
  }
  /** The next item that begins with the letters typed so far. The same letter again leads to the next one with it. */
  const itemFor = (letter: string, all: readonly HTMLElement[], from: number) => {
    const isNext = Date.now() - typed.current.at < NEXT_LETTER_MILLISECONDS
    const before = isNext && typed.current.text !== letter.toLowerCase() ? typed.current.text : ''
    const text = before + letter.toLowerCase()
    typed.current = { text, at: Date.now() }
    const start = before === '' ? from + 1 : Math.max(0, from)
    const inOrder = [...all.slice(start), ...all.slice(0, start)]
    const begins = inOrder.filter((it) => nameIn(it).startsWith(text))
    return begins.find((it) => nameIn(it) === text) ?? begins[0]
  }
  /** Space chooses the item, except right after letters that are the first word of a name. */
  const isSpaceOfName = ({ key }: KeyboardEvent, all: readonly HTMLElement[]) =>
    key === ' ' &&
    typed.current.text !== '' &&
    Date.now() - typed.current.at < NEXT_LETTER_MILLISECONDS &&
    all.some((it) => nameIn(it).startsWith(`${typed.current.text} `))
  const onKeyDown = (event: KeyboardEvent) => {
    const all = [...(list.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
    const at = all.indexOf(document.activeElement as HTMLElement)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key]
    if (to !== undefined) typed.current.text = ''
    if (event.key === 'Escape') closeToOpener()
    else if (event.key === 'Tab') return setOpen(false)
    else if (to !== undefined) all[(to + all.length) % all.length]?.focus()
    // A letter is for the menu, not for the shortcuts of the page.
    else if (isLetter(event) || isSpaceOfName(event, all)) itemFor(event.key, all, at)?.focus()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <span class="menu-anchor" ref={anchor}>
      <button
        type="button"
        class={buttonClass}
        title={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => {
          openedFrom.current = document.activeElement
          setOpen(!isOpen)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          openedFrom.current = null
          setOpen(true)
        }}
      >
        {/* The label has these words already. */}
        <span class="visually-hidden">{label}</span>
        <span class="menu-button" aria-hidden="true">
          {button}
        </span>
      </button>
      {isOpen && (
        <div
          id={id}
          class={at === 'end' ? 'popup is-at-end' : 'popup'}
          role="menu"
          aria-label={label}
          ref={list}
          onKeyDown={onKeyDown}
        >
          {items.map((item, place) =>
            item === 'line' ? (
              <div key={`line-${place}`} class="menu-separator" role="separator" />
            ) : (
              <button
                key={item.name}
                type="button"
                role="menuitem"
                tabIndex={-1}
                class={item.isDangerous ? 'menu-item menu-item-danger' : 'menu-item'}
                aria-disabled={item.refused === undefined ? undefined : 'true'}
                onClick={() => {
                  if (item.refused !== undefined) return
                  closeToButton()
                  item.run()
                }}
              >
                {item.icon !== undefined && <Icon name={item.icon} />}
                <span class="menu-item-name">{item.name}</span>
                <span class="menu-item-end">{item.refused ?? item.note}</span>
              </button>
            ),
          )}
        </div>
      )}
    </span>
  )
}

function nameIn(item: HTMLElement) {
  return (item.querySelector('.menu-item-name') ?? item).textContent.trim().toLowerCase()
}

const WINDOW_EDGE_PIXELS = 8

/** A menu opens above its button where there is more room, and moves to the side where it would be cut off. */
function keepInWindow(menu: HTMLElement) {
  const { left, right, bottom } = menu.getBoundingClientRect()
  const button = menu.parentElement?.getBoundingClientRect()
  const { from, to } = visiblePart(menu)
  if (button !== undefined && bottom > to && button.top - from > to - button.bottom) {
    menu.style.setProperty('top', 'auto')
    menu.style.setProperty('bottom', 'calc(100% + 4px)')
    menu.style.setProperty('max-height', `${button.top - from - WINDOW_EDGE_PIXELS}px`)
  }
  const past = right - (document.documentElement.clientWidth - WINDOW_EDGE_PIXELS)
  const shift = left < WINDOW_EDGE_PIXELS ? WINDOW_EDGE_PIXELS - left : past > 0 ? -past : 0
  if (shift !== 0) menu.style.setProperty('translate', `${shift}px`)
}

/** The visible range around an element: a scrolling part of the page hides what is outside of it. */
function visiblePart(element: HTMLElement) {
  let [from, to] = [0, innerHeight]
  for (let at = element.parentElement; at !== null && at !== document.body; at = at.parentElement) {
    if (getComputedStyle(at).overflowY === 'visible') continue
    const { top, bottom } = at.getBoundingClientRect()
    ;[from, to] = [Math.max(from, top), Math.min(to, bottom)]
  }
  return { from, to }
}

function isLetter({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) {
  return key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey
}
