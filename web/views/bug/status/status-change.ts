// Conflicts of the status: another user has changed it first.
import { displayValue } from '../../../parts/glyphs.tsx'
import type { BugStore } from '../bug-store.ts'
import type { Conflict } from '../conflict.ts'
import type { Step } from './steps.ts'

/** “Resolved, fixed”. */
export function statusInFull(store: BugStore) {
  const { status = '', resolution = '' } = store.bug.value ?? {}
  return resolution === '' ? displayValue(status) : `${displayValue(status)}, ${displayValue(resolution).toLowerCase()}`
}

export function isStatusAsSeen(store: BugStore, from: Step['from']) {
  return store.bug.value?.status === from.status && store.bug.value?.resolution === from.resolution
}

/** Both statuses and who set the other one. */
export function statusConflict(store: BugStore, mine: string): Omit<Conflict, 'setMine'> {
  const isStatus = ({ field_name: name }: { field_name: string }) => name === 'status' || name === 'resolution'
  const change = store.history.value.findLast(({ changes }) => changes.some(isStatus))
  return { label: 'Status', theirs: statusInFull(store), mine, who: change?.who }
}
