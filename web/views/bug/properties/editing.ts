// Opening and closing the editor of a field.
import { useState } from 'preact/hooks'
import { showToast } from '../../../core/toasts.ts'
import type { BugStore } from '../bug-store.ts'
import { useBugStore } from '../use-bug.ts'
import { valueIn } from './field-names.ts'

let isPressed = false
addEventListener(
  'pointerdown',
  () => {
    isPressed = true
  },
  true,
)
for (const end of ['pointerup', 'pointercancel'])
  addEventListener(
    end,
    () => {
      isPressed = false
    },
    true,
  )

let focusedBefore: Element | null = null

/** Opens the editor with a key: if nothing is changed, the focus returns to what has it now. */
export function openEditor(store: BugStore, name: string) {
  focusedBefore = document.activeElement
  store.editing.value = name
}

/**
 * Closes the editor, and returns the focus to the button that opened it unless it went elsewhere. While the pointer is pressed it waits:
 * the rows below would move away under a click.
 */
export function closeEditor(store: BugStore, name: string, isUnchanged = false) {
  if (!isPressed) return closeNow(store, name, isUnchanged)
  const close = () => setTimeout(() => closeNow(store, name, isUnchanged))
  addEventListener('pointerup', close, { once: true })
}

function closeNow(store: BugStore, name: string, isUnchanged: boolean) {
  if (store.editing.value !== name) return
  const before = isUnchanged ? focusedBefore : null
  focusedBefore = null
  store.editing.value = undefined
  const isLeftByKey = document.activeElement !== document.body
  // At once: when the editor is gone, the frame of the page would look for another place.
  if (isLeftByKey && before instanceof HTMLElement && before !== document.body) before.focus()
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return
    const field = CSS.escape(name)
    const places = `[data-field="${field}"] .edit-button, [data-head="${field}"], [data-add="${field}"]`
    document.querySelector<HTMLElement>(places)?.focus()
  })
}

let typedBefore: { name: string; text: string } | undefined

/** Escape: nothing is sent. What was typed can be edited again as long as the message is shown. */
export function leaveEditor(
  store: BugStore,
  { name, label }: { name: string; label: string },
  field: { value: string },
  before: string,
) {
  const text = field.value
  field.value = before
  closeEditor(store, name, true)
  if (text === before || text.trim() === '') return
  const run = () => {
    typedBefore = { name, text }
    openEditor(store, name)
  }
  showToast({ kind: 'done', text: `${label} stays as it was.`, action: { name: 'Edit again', run } })
}

/** What the editor begins with: the value, or what was typed when it was left. */
export function useTyped(name: string, before: string): string {
  const [text] = useState(() => (typedBefore?.name === name ? typedBefore.text : before))
  typedBefore = undefined
  return text
}

/** The value when the editor was opened, which the reader's decision is based on. */
export function useBase(name: string) {
  const store = useBugStore()
  const [base] = useState(() => store.bug.value && valueIn(store.bug.value, name))
  return base
}
