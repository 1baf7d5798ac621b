// Conflicts of the status: another user has changed it first.
import { displayValue } from '../../../parts/glyphs.tsx'
import type { BugStore } from '../bug-store.ts'
import type { Conflict } from '../conflict.ts'
import { lastEditor } from '../properties/save.ts'
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
export async function statusConflict(store: BugStore, mine: string): Promise<Omit<Conflict, 'setMine'>> {
  const who = await lastEditor(store, ['status', 'resolution'])
  return { label: 'Status', theirs: statusInFull(store), mine, who }
}
