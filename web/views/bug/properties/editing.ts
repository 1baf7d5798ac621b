// Opening and closing the editor of a field.
import { useState } from 'preact/hooks'
import { type BugStore, useBugStore } from '../bug-store.ts'
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

/**
 * Closes the editor, and returns the focus to the button that opened it unless it went elsewhere. While the pointer is pressed it waits:
 * the rows below would move away under a click.
 */
export function closeEditor(store: BugStore, name: string) {
  if (!isPressed) return closeNow(store, name)
  const close = () => setTimeout(() => closeNow(store, name))
  addEventListener('pointerup', close, { once: true })
}

function closeNow(store: BugStore, name: string) {
  if (store.editing.value !== name) return
  store.editing.value = undefined
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return
    document
      .querySelector<HTMLElement>(`[data-field="${CSS.escape(name)}"] .edit-b, [data-head="${CSS.escape(name)}"]`)
      ?.focus()
  })
}

/** The value when the editor was opened, which the reader's decision is based on. */
export function useBase(name: string) {
  const store = useBugStore()
  const [base] = useState(() => store.bug.value && valueIn(store.bug.value, name))
  return base
}
