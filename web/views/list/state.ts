// What the reader does in a list: where they are, what they have selected, which groups are folded. It lasts as long as the page.
import { computed, signal } from '@preact/signals'

/** The row that `j` and `k` move. */
export const current = signal<number | undefined>(undefined)
/** Numbers of the selected bugs. */
export const selected = signal<ReadonlySet<number>>(new Set())
export const folded = signal<ReadonlySet<string>>(new Set())
export const isPreviewShown = signal(localStorage.getItem('lacewing preview') !== 'off')
/** Bugs that somebody else has just changed. */
export const changed = signal<ReadonlySet<number>>(new Set())

export const hasSelection = computed(() => selected.value.size > 0)

let anchor: number | undefined

/** Selects a bug or takes it out; `bugsBetween` names those from the last one on, when a range is wanted. */
export function toggle(id: number, row: number, bugsBetween?: (from: number, to: number) => readonly number[]) {
  const next = new Set(selected.value)
  const range = bugsBetween !== undefined && anchor !== undefined ? bugsBetween(anchor, row) : [id]
  const isAdding = range.length > 1 || !next.has(id)
  for (const each of range) {
    if (isAdding) next.add(each)
    else next.delete(each)
  }
  anchor = row
  selected.value = next
}

export function select(ids: Iterable<number>) {
  selected.value = new Set(ids)
}

export function clearSelection() {
  anchor = undefined
  selected.value = new Set()
}

export function toggleFold(group: string) {
  const next = new Set(folded.value)
  if (!next.delete(group)) next.add(group)
  folded.value = next
}

export function showPreview(isShown: boolean) {
  localStorage.setItem('lacewing preview', isShown ? 'on' : 'off')
  isPreviewShown.value = isShown
}

/** Where the reader was in the last list, so that the way back from a bug leads there. */
export const lastPlace = { list: '', row: undefined as number | undefined, scrolled: 0 }

export function startList(list: string) {
  if (lastPlace.list !== list) Object.assign(lastPlace, { list, row: undefined, scrolled: 0 })
  current.value = lastPlace.row
  folded.value = new Set()
  changed.value = new Set()
  clearSelection()
}
