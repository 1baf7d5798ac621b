import { randomUUID } from 'node:crypto'
import { requireOwnRoom } from '../../access/own-limits.ts'
import { lockUser } from '../../people/users/user-store.ts'
import type { Db } from '../../platform/database/db.ts'
import { secondsAgo, timeNow } from '../../platform/time/clock.ts'
import { ignoredBugsOf, listStates, listUndoable, type OwnedState, saveIgnoring, saveStates } from './deed-store.ts'
import { type InboxState, type Mark, STATES } from './inbox-entry.ts'
import { forgetMoreOf } from './note-store.ts'
import { type FoundEntry, type InboxContext, UNREAD } from './reading/find-entries.ts'

/** What to do with entries. What is undefined stays. */
export interface Deed {
  state: InboxState | undefined
  /** Only with the state snoozed; without it, until something happens. */
  snoozedUntil: string | undefined
  isUnread: boolean | undefined
  isMuted: boolean | undefined
}

/** An entry with how far its owner has seen it. */
export interface SeenEntry {
  bugId: number
  mark: Mark
  /** How many notes it had then; -1 if it is not known. */
  notes: number
  /** Since when its changes count, if nothing is stored about it. */
  since: string
}

export function seenUpTo({ bugId, mark, notes, query }: FoundEntry, seen: Mark = mark): SeenEntry {
  const isAll = seen.comment === mark.comment && seen.change === mark.change
  return { bugId, mark: seen, notes: isAll ? notes : -1, since: query.since }
}

const UNDO_SECONDS = 3600
const NOTHING_YET: OwnedState = {
  state: STATES.open,
  state_at: '',
  snoozed_until: null,
  done_comment: -1,
  done_change: 0,
  done_notes: 0,
  read_comment: -1,
  read_change: 0,
  read_at: '',
}

/** Does the same with all these entries; returns the key with which it is undone. */
export function changeEntries({ db, caller }: InboxContext, entries: readonly SeenEntry[], deed: Deed) {
  const undoKey = randomUUID()
  const ids = entries.map(({ bugId }) => bugId)
  return db.transaction(
    async (tx) => {
      // Two deeds at once would both take the state before as that to go back to.
      await lockUser(tx, caller.id)
      const before = new Map((await listStates(tx, caller.id, ids)).map((row) => [row.bug_id, row]))
      const muted = await mute(tx, caller.id, ids, deed.isMuted)
      const rows = entries.map((entry) => {
        const own = before.get(entry.bugId)
        const old = own === undefined ? NOTHING_YET : stateIn(own)
        return {
          ...stateAfter(old, entry, deed),
          bug_id: entry.bugId,
          since: own?.since ?? entry.since,
          puts_away: deed.state === 'done' || (deed.state === 'snoozed' && deed.snoozedUntil === undefined) ? 1 : 0,
          undo_key: undoKey,
          undo_state: JSON.stringify({ ...old, muted: muted.has(entry.bugId) }),
        }
      })
      await saveStates(tx, caller.id, rows)
      if (before.size < entries.length) await forgetMoreOf(tx, caller.id)
      return { changed: ids, undo: ids.length === 0 ? null : undoKey }
    },
    deed.isMuted === undefined ? undefined : 'accounts',
  )
}

/** Returns which of the bugs were muted before. */
async function mute(tx: Db, userId: number, ids: readonly number[], isMuted: boolean | undefined) {
  if (isMuted === undefined) return new Set<number>()
  const before = await ignoredBugsOf(tx, userId)
  if (isMuted) requireOwnRoom('ignoredBugs', before.size, ids.filter((id) => !before.has(id)).length)
  await saveIgnoring(tx, userId, ids, isMuted)
  return before
}

function stateAfter(old: OwnedState, { mark, notes }: SeenEntry, { state, snoozedUntil, isUnread }: Deed): OwnedState {
  const now = timeNow()
  const seen = {
    comment: Math.max(old.done_comment, mark.comment),
    change: Math.max(old.done_change, mark.change),
    notes,
  }
  const read = { read_comment: seen.comment, read_change: seen.change, read_at: now }
  const reading =
    isUnread === true
      ? { read_comment: UNREAD }
      : isUnread === false || state === 'done' || state === 'snoozed'
        ? { ...read, read_comment: Math.max(seen.comment, old.read_comment) }
        : {}
  return { ...old, ...reading, state_at: now, ...placeAfter(old, seen, state, snoozedUntil) }
}

function placeAfter(
  old: OwnedState,
  seen: Mark & { notes: number },
  state: InboxState | undefined,
  snoozedUntil: string | undefined,
) {
  if (state === undefined) return { state_at: old.state === STATES.open ? timeNow() : old.state_at }
  if (state === 'open') return { state: STATES.open, snoozed_until: null, done_comment: -1, done_change: 0 }
  if (state === 'snoozed' && snoozedUntil !== undefined) return { state: STATES.snoozed, snoozed_until: snoozedUntil }
  return { state: STATES[state], snoozed_until: null, ...doneUpTo(seen) }
}

function doneUpTo({ comment, change, notes }: Mark & { notes: number }) {
  return { done_comment: comment, done_change: change, done_notes: notes }
}

/** Undoes a deed of the last hour, for the entries with which nothing was done since. */
export function undoDeed({ db, caller }: Pick<InboxContext, 'db' | 'caller'>, key: string) {
  return db.transaction(async (tx) => {
    await lockUser(tx, caller.id)
    const rows = key === '' ? [] : await listUndoable(tx, caller.id, key, secondsAgo(UNDO_SECONDS))
    const states = rows.map(({ bug_id, undo_state, since }) => {
      const { muted, ...state } = JSON.parse(undo_state) as OwnedState & { muted: boolean }
      return { row: { ...state, bug_id, since, puts_away: 0, undo_key: '', undo_state: '' }, muted }
    })
    await saveStates(
      tx,
      caller.id,
      states.map(({ row }) => row),
    )
    const loud = states.flatMap(({ row, muted }) => (muted ? [] : [row.bug_id]))
    await saveIgnoring(tx, caller.id, loud, false)
    return states.map(({ row }) => row.bug_id)
  }, 'accounts')
}

function stateIn(row: OwnedState): OwnedState {
  const { state, state_at, snoozed_until, done_comment, done_change, done_notes } = row
  const { read_comment, read_change, read_at } = row
  return { state, state_at, snoozed_until, done_comment, done_change, done_notes, read_comment, read_change, read_at }
}
