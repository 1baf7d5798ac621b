import { useEffect, useRef, useState } from 'preact/hooks'
import { inboxCall } from '../../../shared/first-calls.ts'
import { REASON_GROUPS } from '../../../shared/reasons.ts'
import { query } from '../../core/router.ts'
import { countInbox, followChanges } from '../../core/server/inbox.ts'
import { get, post, put } from '../../core/server/rest.ts'
import type { InboxCounts, InboxEntry } from '../../core/server/types.ts'
import { setUnread } from '../../core/server/unread.ts'
import { useData } from '../../core/server/use-data.ts'
import { showFault, showToast } from '../../core/toasts.ts'

/** What is done with an entry that goes away. */
export interface Deed {
  state?: 'open' | 'done' | 'snoozed'
  snoozed_until?: string
  is_muted?: boolean
}

export interface Inbox {
  /** Those that are shown; undefined until they are read. */
  entries: readonly InboxEntry[] | undefined
  counts: InboxCounts
  fault: Error | undefined
  /** How many new entries wait behind a button, so that nothing moves under the pointer. */
  waiting: number
  state: InboxEntry['state']
  reason: string | undefined
  showWaiting(): void
  reload(): void
  putAway(entry: InboxEntry, deed: Deed): void
  setUnread(entry: InboxEntry, isUnread: boolean): void
  allDone(): void
}

const NO_COUNTS: InboxCounts = {
  open: 0,
  unread: 0,
  snoozed: 0,
  done: 0,
  reasons: { asked: 0, assigned: 0, mentioned: 0, followed: 0, watched: 0, rule: 0 },
}

/** The inbox as its address filters it. What is put away goes at once; what is new waits until the reader wants it. */
export function useInbox(): Inbox {
  const given = query.value
  const address = inboxCall(given)
  const { body, fault, reload } = useData(address)
  const [latest, setLatest] = useState<typeof body>()
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set())
  const [shown, setShown] = useState<{ address: string; entries: readonly InboxEntry[] }>()
  useEffect(() => {
    if (body === undefined) return
    setShown({ address, entries: body.entries })
    setLatest(body)
    setGone(new Set())
    setUnread(body.counts.unread)
  }, [body])

  const current = useRef(address)
  current.current = address
  const look = async () => {
    const next = await get(address).catch(() => undefined)
    if (next === undefined || current.current !== address) return
    setLatest(next)
    setUnread(next.counts.unread)
  }
  const looking = useRef(look)
  looking.current = look
  useEffect(() => followChanges(() => void looking.current(), true), [])

  const isOwn = shown?.address === address
  // What the reader may not see any more goes at once.
  const left = new Set((latest ?? body)?.entries.map(({ id }) => id))
  const entries = (isOwn ? shown.entries : body?.entries)?.filter((it) => left.has(it.id) && !gone.has(keyOf(it)))
  const known = new Set((isOwn ? shown.entries : []).map(keyOf))
  const waiting = (latest?.entries ?? []).filter((it) => !known.has(keyOf(it)) && !gone.has(keyOf(it))).length

  const showWaiting = () => latest !== undefined && setShown({ address, entries: latest.entries })
  const restore = () => {
    setGone(new Set())
    reload()
    void countInbox()
  }
  const undo = async (key: string) => {
    try {
      await post('/inbox/undo', { undo: key })
    } catch (failed) {
      showFault(failed, () => void undo(key))
    }
    restore()
  }
  const change = async (text: string, make: () => Promise<{ undo: string | null }>, away: readonly InboxEntry[]) => {
    setGone((before) => new Set([...before, ...away.map(keyOf)]))
    try {
      const { undo: key } = await make()
      showToast({ kind: 'done', text, ...(key !== null && { action: { name: 'Undo', run: () => void undo(key) } }) })
      void looking.current()
    } catch (failed) {
      restore()
      showFault(failed)
    }
  }
  const state = (given.get('state') ?? 'open') as InboxEntry['state']
  const reason = REASON_GROUPS.find(({ name }) => name === given.get('reason'))?.name
  return {
    entries,
    counts: (latest ?? body)?.counts ?? NO_COUNTS,
    fault,
    waiting,
    state,
    reason,
    showWaiting,
    reload,
    putAway: (entry, deed) =>
      void change(wordsFor(entry, deed), () => put('/inbox/:ref', { ref: entry.id, ...deed, mark: entry.mark }), [
        entry,
      ]),
    async setUnread(entry, isUnread) {
      const replaced = (it: InboxEntry) => (it.id === entry.id ? { ...it, is_unread: isUnread } : it)
      setShown((before) => before && { ...before, entries: before.entries.map(replaced) })
      try {
        await put('/inbox/:ref', { ref: entry.id, is_unread: isUnread, mark: entry.mark })
        void looking.current()
      } catch (failed) {
        restore()
        showFault(failed)
      }
    },
    allDone() {
      if (state !== 'open' || entries === undefined || entries.length === 0) return
      const until =
        entries
          .map(({ time }) => time)
          .sort()
          .at(-1) ?? ''
      const title = REASON_GROUPS.find(({ name }) => name === reason)?.title
      void change(
        title === undefined ? 'All entries are done.' : `All entries of “${title}” are done.`,
        () => put('/inbox', { reason: reason ?? 'all', state: 'done', until }),
        entries,
      )
    },
  }
}

/** An entry that has changed is another one for the reader. */
function keyOf({ id, mark, state, requests, reminders }: InboxEntry) {
  return `${id} ${mark} ${state} ${requests.length} ${reminders.length}`
}

function wordsFor({ id }: InboxEntry, { state, is_muted }: Deed) {
  if (is_muted === true) return `Bug ${id} is muted, here and in mail.`
  if (state === 'snoozed') return `Bug ${id} is snoozed.`
  return state === 'done' ? `Bug ${id} is done.` : `Bug ${id} is back in the inbox.`
}
