// Opening and closing the editor of a field.
import { useState } from 'preact/hooks'
import { type BugStore, useBugStore } from './bug-store.ts'
import { valueIn } from './field-names.ts'

/** Closes the editor, and leads back to the button that opened it. */
export function closeEditor(store: BugStore, name: string) {
  if (store.editing.value !== name) return
  store.editing.value = undefined
  requestAnimationFrame(() =>
    document
      .querySelector<HTMLElement>(`[data-field="${CSS.escape(name)}"] .edit-b, [data-head="${CSS.escape(name)}"]`)
      ?.focus(),
  )
}

/** The value when the editor was opened: what the reader decided upon. */
export function useBase(name: string) {
  const store = useBugStore()
  const [base] = useState(() => store.bug.value && valueIn(store.bug.value, name))
  return base
}
