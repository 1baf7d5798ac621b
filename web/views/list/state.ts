// The state of a list: the current row, the selection, the folded groups. It lasts as long as the page.
import { signal } from '@preact/signals'

/** The row that `j` and `k` move. */
export const currentRow = signal<number | undefined>(undefined)
/** Numbers of the selected bugs. */
export const selectedBugs = signal<ReadonlySet<number>>(new Set())
export const foldedGroups = signal<ReadonlySet<string>>(new Set())
export const isPreviewShown = signal(localStorage.getItem('lacewing preview') !== 'off')
/** Bugs that other users have just changed. */
export const changedBugs = signal<ReadonlySet<number>>(new Set())

let anchor: number | undefined

/** Selects or deselects a bug. With `bugsBetween`, also the bugs between it and the last one. */
export function toggleBug(id: number, row: number, bugsBetween?: (from: number, to: number) => readonly number[]) {
  const next = new Set(selectedBugs.value)
  const range = bugsBetween !== undefined && anchor !== undefined ? bugsBetween(anchor, row) : [id]
  const isAdding = range.length > 1 || !next.has(id)
  for (const each of range) {
    if (isAdding) next.add(each)
    else next.delete(each)
  }
  anchor = row
  selectedBugs.value = next
}

export function selectBugs(ids: Iterable<number>) {
  selectedBugs.value = new Set(ids)
}

export function clearSelection() {
  anchor = undefined
  selectedBugs.value = new Set()
}

export function toggleFold(group: string) {
  const next = new Set(foldedGroups.value)
  if (!next.delete(group)) next.add(group)
  foldedGroups.value = next
}

/** Whether there is room for it: style/list.css hides it in narrow windows. */
export function isPreviewDrawn() {
  return isPreviewShown.value && matchMedia(`(min-width: ${NARROWEST_PREVIEW})`).matches
}

const NARROWEST_PREVIEW = '1101px'

export function showPreview(isShown: boolean) {
  localStorage.setItem('lacewing preview', isShown ? 'on' : 'off')
  isPreviewShown.value = isShown
}

/** Where the reader was in the last list, so that the way back from a bug leads there. */
export const lastPosition = { list: '', row: undefined as number | undefined, scrolled: 0 }

export function startList(list: string) {
  if (lastPosition.list !== list) Object.assign(lastPosition, { list, row: undefined, scrolled: 0 })
  currentRow.value = lastPosition.row
  foldedGroups.value = new Set()
  changedBugs.value = new Set()
  clearSelection()
}
