// Rows show what others do: changed ones in place, new ones behind a count.
import { useEffect, useRef, useState } from 'preact/hooks'
import { listCall } from '../../../../shared/first-calls.ts'
import { me } from '../../../core/account/session.ts'
import { useEvents } from '../../../core/server/live.ts'
import { getOnce } from '../../../core/server/rest.ts'
import { changedBugs } from '../state.ts'
import type { Rows } from './rows.ts'

const BATCH_MILLISECONDS = 300
const TINTED_MILLISECONDS = 1500

/** How many bugs have come into the list since it was loaded. */
export function useLiveRows(rows: Rows): number {
  const [fresh, setFresh] = useState<ReadonlySet<number>>(new Set())
  const waiting = useRef(new Map<number, boolean>())
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => {
    setFresh(new Set())
    waiting.current.clear()
    return () => {
      clearTimeout(timer.current)
      timer.current = undefined
    }
  }, [rows])
  useEvents(({ bug_id: id, user, type }) => {
    if (type === 'bug.delete') return
    const isByOthers = user !== me.value?.name
    waiting.current.set(id, isByOthers || waiting.current.get(id) === true)
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      const ids = new Map(waiting.current)
      waiting.current.clear()
      void bringUpToDate(rows, ids).then((found) => {
        if (found.length > 0) setFresh((last) => new Set([...last, ...found]))
      })
    }, BATCH_MILLISECONDS)
  })
  return fresh.size
}

/** Loads the bugs again. Returns those that the search finds now and that are not in the list yet. */
export async function bringUpToDate(rows: Rows, ids: ReadonlyMap<number, boolean>): Promise<readonly number[]> {
  const isLoaded = (id: number) => rows.rowOf(id) !== undefined
  const known = [...ids.keys()].filter(isLoaded)
  const others = [...ids.keys()].filter((id) => !isLoaded(id))
  try {
    if (known.length > 0) {
      const columns = rows.query.get('columns')
      const { bugs = [] } = await bugsOf(new URLSearchParams(columns === null ? {} : { columns }), known)
      rows.replace(bugs)
      tint(bugs.filter(({ id }) => ids.get(id) === true).map(({ id }) => id))
    }
    // A list with the parameter `id` shows only these bugs.
    if (others.length === 0 || rows.query.has('id')) return []
    return ((await bugsOf(rows.query, others)).bugs ?? []).map(({ id }) => id)
  } catch {
    return []
  }
}

function bugsOf(query: URLSearchParams, ids: readonly number[]) {
  const search = new URLSearchParams(query)
  search.delete('group')
  search.set('id', ids.join(','))
  return getOnce(listCall(search))
}

function tint(ids: readonly number[]) {
  changedBugs.value = new Set([...changedBugs.value, ...ids])
  setTimeout(() => {
    changedBugs.value = new Set([...changedBugs.value].filter((id) => !ids.includes(id)))
  }, TINTED_MILLISECONDS)
}
