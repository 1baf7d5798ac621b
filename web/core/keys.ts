// Keyboard shortcuts. A view registers its own while it is shown; the frame has those that work everywhere.
import { useLayoutEffect } from 'preact/hooks'

export interface Shortcut {
  /** `j`, `Enter`, `g h` (one after the other), `Ctrl+k` (also with the Command key). */
  keys: string
  what: string
  /** It is there on every page, so that the palette shows it after what belongs to this one. */
  isEverywhere?: boolean
  run(event: KeyboardEvent): void
}

const shortcuts = new Set<Shortcut>()
let begun = ''
let timer: ReturnType<typeof setTimeout> | undefined
const NEXT_KEY_MILLISECONDS = 1000

export function useKeys(own: readonly Shortcut[]) {
  useLayoutEffect(() => {
    for (const shortcut of own) shortcuts.add(shortcut)
    return () => {
      for (const shortcut of own) shortcuts.delete(shortcut)
    }
  })
}

/** All that work now, the latest first: those of a view come before those of the frame. */
export function currentShortcuts(): readonly Shortcut[] {
  return [...shortcuts].reverse()
}

/** What can be done on the page without a key, such as the items of a menu: the palette finds it by name. */
export interface Command {
  name: string
  /** Why it cannot be done now. */
  refused?: string | undefined
  isEverywhere?: boolean
  run(): void
}

const commands = new Set<Command>()

export function useCommands(own: readonly (Command | 'line')[]) {
  useLayoutEffect(() => {
    const added = own.filter((it) => it !== 'line')
    for (const command of added) commands.add(command)
    return () => {
      for (const command of added) commands.delete(command)
    }
  })
}

export function currentCommands(): readonly Command[] {
  return [...commands]
}

function isTyping(target: EventTarget | null) {
  return (
    target instanceof HTMLElement &&
    target.closest('input, textarea, select, [contenteditable]') !== null &&
    !target.matches(TAKES_NO_LETTERS)
  )
}

const TAKES_NO_LETTERS = 'input:is([type=checkbox], [type=radio], [type=range])'

/** Enter and Space do what a button, a link or an item of a menu is for. */
function isPressing({ key, target }: KeyboardEvent) {
  const pressed = 'a, button, summary, [role=menuitem], [role=option]'
  return (key === 'Enter' || key === ' ') && target instanceof Element && target.closest(pressed) !== null
}

/** Ctrl Enter sends what is written, wherever in a form, a dialog or a composer the focus is; elsewhere it saves the changes of the page. */
function send(target: EventTarget | null): boolean {
  let part = target instanceof Element ? target.closest(SENDING_PARTS) : null
  for (; part !== null; part = part.parentElement?.closest(SENDING_PARTS) ?? null) {
    const button = part.querySelector<HTMLElement>('.button-primary, [type=submit]')
    if (part instanceof HTMLFormElement && (button === null || button.matches('[type=submit]'))) part.requestSubmit()
    else if (button === null) continue
    else button.click()
    return true
  }
  const save = document.querySelector<HTMLElement>(SAVE_CHANGES)
  if (save === null || document.querySelector('dialog[open]') !== null) return false
  save.click()
  return true
}

const SENDING_PARTS = 'form, dialog, .composer'
const SAVE_CHANGES = '.change-bar .button-primary'

addEventListener('keydown', (event) => {
  const isCommand = event.ctrlKey || event.metaKey
  if (isCommand && event.key === 'Enter' && !event.defaultPrevented && !event.isComposing && send(event.target))
    return event.preventDefault()
  if (event.defaultPrevented || event.isComposing || event.altKey || isPressing(event)) return
  // Function keys write nothing.
  const isText = isTyping(event.target) && !/^F\d/.test(event.key)
  if (!isCommand && (isText || document.querySelector('dialog[open]') !== null)) return
  const key = isCommand ? `Ctrl+${event.key.toLowerCase()}` : event.key
  const wanted = begun === '' ? key : `${begun} ${key}`
  const found =
    currentShortcuts().find(({ keys }) => keys === wanted) ?? currentShortcuts().find(({ keys }) => keys === key)
  clearTimeout(timer)
  begun = ''
  if (found !== undefined) {
    event.preventDefault()
    return found.run(event)
  }
  if (currentShortcuts().some(({ keys }) => keys.startsWith(`${key} `))) {
    begun = key
    timer = setTimeout(() => {
      begun = ''
    }, NEXT_KEY_MILLISECONDS)
  }
})
