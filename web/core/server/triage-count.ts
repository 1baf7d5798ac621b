// How many bugs wait in the queues of the reader, for the bar.
import { signal } from '@preact/signals'
import { addressOf } from '../../../shared/rest-address.ts'
import { get } from './rest.ts'

/** Undefined for readers who work in no queue. */
export const triageCount = signal<number | undefined>(undefined)

export async function countTriage() {
  const { queues } = await get(addressOf('/triage', { include_fields: 'is_worker,bug_count' }))
  const own = queues.filter((it) => it.is_worker)
  triageCount.value = own[0] && own.reduce((sum, it) => sum + (it.bug_count ?? 0), 0)
}
