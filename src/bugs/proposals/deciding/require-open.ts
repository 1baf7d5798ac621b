import type { Db } from '../../../platform/database/db.ts'
import { errors } from '../../../platform/errors.ts'
import { timeNow } from '../../../platform/time/clock.ts'
import type { ReadProposal } from '../reading/present-proposal.ts'
import { closeProposal, rowsOfProposal, type StoredProposal, type StoredRow } from '../storing/proposal-store.ts'

/** Throws as well while its account is disabled, and when its key has expired. It is not closed: both can change again. */
export function requireDecidable(proposal: Parameters<typeof requireOpen>[0], { current_state: now }: ReadProposal) {
  requireOpen(proposal)
  if (now !== 'open') throw errors.proposal_closed({ id: proposal.id, state: now })
}

/** The proposal is locked. Throws if it was decided, withdrawn or ended, or has expired by now. */
export function requireOpen({ id, state, expires_at }: Pick<StoredProposal, 'id' | 'state' | 'expires_at'>) {
  if (state !== 'open') throw errors.proposal_closed({ id, state })
  if (expires_at <= timeNow()) throw errors.proposal_closed({ id, state: 'expired' })
}

/** The stored rows with these names, which the caller may read; by default all that they may read and that are open. */
export function requireRows(
  { id, rows }: ReadProposal,
  stored: readonly StoredRow[],
  names: readonly string[] | undefined,
): StoredRow[] {
  const readable = new Set(rows.map(({ name }) => name))
  const shown = stored.filter(({ name }) => readable.has(name))
  if (names === undefined) return requireSome(shown.filter(({ state }) => state === 'open'))
  const named = [...new Set(names)].map((name) => {
    const row = shown.find((it) => it.name === name)
    if (row === undefined) throw errors.bad_value({ name: 'rows', value: name, right: 'the proposal has no such row' })
    if (row.state !== 'open') throw errors.proposal_closed({ id, state: row.state })
    return row
  })
  return requireSome(named)
}

/** Without a row there is nothing to decide. */
function requireSome(rows: StoredRow[]): StoredRow[] {
  if (rows.length === 0) throw errors.bad_value({ name: 'rows', value: [], right: 'it must name an open row' })
  return rows
}

/** When its last row is decided, the proposal is: it counts as accepted if one of them was. */
export async function closeIfDecided(tx: Db, { id, ...how }: { id: number; who: number; at: string; note?: string }) {
  const states = (await rowsOfProposal(tx, id)).map(({ state }) => state)
  if (states.includes('open')) return
  const state = states.includes('accepted') ? 'accepted' : 'declined'
  await closeProposal(tx, { id, state, ...how })
}
