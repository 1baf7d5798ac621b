// Selecting every bug of a search: the list has loaded only some of them, so their numbers are read in steps.

import { signal } from '@preact/signals'
import { searchOf } from '../../../../shared/first-calls.ts'
import { addressWith } from '../../../../shared/rest-address.ts'
import { get } from '../../../core/server/rest.ts'
import { showFault } from '../../../core/toasts.ts'
import { clearSelection, selectBugs } from '../state.ts'
import type { Rows } from '../table/rows.ts'

/** How many numbers are read so far, while they are read. */
export const selecting = signal<number | undefined>(undefined)

const NUMBERS_AT_ONCE = 1000
/** Larger changes should be made by a program through the REST API. */
export const MOST_SELECTED = 10_000

let stop = new AbortController()

export function stopSelecting() {
  stop.abort()
  selecting.value = undefined
}

export async function selectAll(rows: Rows) {
  const { loaded } = rows
  selectBugs(loaded.map(({ id }) => id))
  if (rows.total.value === loaded.length) return
  stopSelecting()
  stop = new AbortController()
  const { signal: isStopped } = stop
  selecting.value = 0
  try {
    const ids = await numbersOf(rows, isStopped)
    if (!isStopped.aborted) selectBugs(ids)
  } catch (fault) {
    if (isStopped.aborted) return
    clearSelection()
    showFault(fault)
  }
  if (!isStopped.aborted) selecting.value = undefined
}

async function numbersOf(rows: Rows, abort: AbortSignal): Promise<ReadonlySet<number>> {
  const search = searchOf(rows.query)
  search.set('order', 'bug_id')
  search.set('include_fields', 'id')
  search.set('limit', String(NUMBERS_AT_ONCE))
  const ids = new Set<number>()
  for (let offset = 0; offset < MOST_SELECTED; offset += NUMBERS_AT_ONCE) {
    search.set('offset', String(offset))
    const { bugs = [] } = await get(addressWith('/bug', search), abort)
    for (const { id } of bugs) ids.add(id)
    if (!abort.aborted) selecting.value = ids.size
    if (bugs.length < NUMBERS_AT_ONCE || abort.aborted) break
  }
  return ids
}
