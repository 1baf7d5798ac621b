import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Answer } from '../../../../client/call-types.ts'
import { addressOf } from '../../../../shared/rest-address.ts'
import { get, put } from '../../../core/server/rest.ts'

export type Removal = Answer<'GET /admin/removals'>['removals'][number]

/** What was removed in steps: all that the reader may see, the newest first. Undefined until it was read. */
const removals = signal<readonly Removal[] | undefined>(undefined)

const LOOK_MILLISECONDS = 2000

export async function lookForRemovals() {
  removals.value = (await get(addressOf('/admin/removals'))).removals
}

export async function setRemovalState({ id }: Removal, state: 'running' | 'stopped') {
  await put('/admin/removals/:id', { id, state })
  await lookForRemovals()
}

/** Those that are not done. While one is running it is looked at again and again; `onEnd` is called when one has ended. */
export function useRemovals(isShown: (removal: Removal) => boolean, onEnd: () => void): readonly Removal[] {
  useEffect(() => {
    lookForRemovals().catch(() => {})
  }, [])
  const [open, done] = partition(removals.value?.filter(isShown) ?? [], ({ state }) => state !== 'done')
  const isRunning = open.some(({ state }) => state === 'running')
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') lookForRemovals().catch(() => {})
    }, LOOK_MILLISECONDS)
    return () => clearInterval(timer)
  }, [isRunning])
  // One can begin and end between two looks.
  const last = removals.value === undefined ? undefined : done.map(({ id }) => id).join()
  const before = useRef(last)
  useEffect(() => {
    if (before.current !== undefined && last !== before.current) onEnd()
    before.current = last
  }, [last])
  return open
}

function partition(all: readonly Removal[], isFirst: (removal: Removal) => boolean) {
  return [all.filter(isFirst), all.filter((it) => !isFirst(it))] as const
}
