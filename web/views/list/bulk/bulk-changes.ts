// A change of several bugs: what is chosen. See core/bugs/change-many.ts for doing it.
import { effect, signal } from '@preact/signals'
import { selectedBugs } from '../state.ts'

/** One chosen value, as people read it and as the call takes it. */
export interface ChosenChange {
  field: string
  label: string
  value: string
  body: Readonly<Record<string, unknown>>
}

export const chosenChanges = signal<readonly ChosenChange[]>([])

// Changes that were chosen for other bugs are not kept for the next selection.
effect(() => {
  if (selectedBugs.value.size === 0) chosenChanges.value = []
})

export function chooseChange(change: ChosenChange) {
  chosenChanges.value = [...chosenChanges.value.filter(({ field }) => field !== change.field), change]
}

export function removeChange(field: string) {
  chosenChanges.value = chosenChanges.value.filter((it) => it.field !== field)
}

export function bodyOf(changes: readonly ChosenChange[]): Record<string, unknown> {
  return Object.assign({}, ...changes.map(({ body }) => body)) as Record<string, unknown>
}
