import type { CallContext } from '../../../access/call.ts'
import { isSignedIn } from '../../../access/caller.ts'
import { changeSource } from '../../../access/change-source.ts'
import { hasScope } from '../../../access/scopes.ts'
import { presentSource } from '../../../changes/change-json.ts'
import { nickOf } from '../../../people/users/user.ts'
import { digestOf, type ProposalState, type ProposedLine, type RowState } from '../proposal.ts'
import { presentLine } from '../proposal-schema.ts'
import { type CurrentValues, valueSince } from './conflicts.ts'
import type { DeciderRights } from './deciders.ts'
import type { ListedProposal } from './proposal-list-store.ts'

/** A row as its reader may see it. */
export interface ReadRow {
  name: string
  lines: readonly ProposedLine[]
  reason: string
  state: RowState
  decided_at: string | null
  decided_by: string | null
  change_id: number | null
}

export interface ReadProposal extends ListedProposal {
  rows: readonly ReadRow[]
}

type PresentContext = Pick<CallContext, 'caller' | 'baseUrl'>

/** A proposal in the form of the REST API. */
export function presentProposal(
  context: PresentContext,
  proposal: ReadProposal,
  current: CurrentValues,
  rights: DeciderRights,
) {
  const { id, kind, bug_id, attachment_id, rows } = proposal
  const isOpen = proposal.current_state === 'open'
  const shownRows = rows.map((row) => presentRow(row, isOpen ? current : undefined, proposal))
  const open = shownRows.filter(({ status }) => status === 'open')
  const status = statusOf(proposal, shownRows)
  const { at: closedAt, by: closedBy, note } = endOf(proposal)
  return {
    id,
    url: `${context.baseUrl}/proposals?id=${id}`,
    digest: digestOf(proposal, rows),
    kind,
    status,
    ...(bug_id !== null && { bug_id }),
    ...(bug_id !== null && context.caller.scopes.has('read') && { summary: proposal.summary ?? '' }),
    ...(attachment_id !== null && { attachment_id }),
    product: proposal.product,
    component: proposal.component,
    ...(proposal.batch_id !== null && { batch: proposal.batch_id }),
    author: proposal.login,
    author_detail: {
      id: proposal.user_id,
      name: proposal.login,
      real_name: proposal.real_name,
      nick: nickOf({ id: proposal.user_id, nick: proposal.nick }),
    },
    source: sourceOf(context, proposal),
    reason: proposal.reason,
    created_at: proposal.at,
    expires_at: proposal.expires_at,
    rows: shownRows,
    ...(closedAt !== null && { closed_at: closedAt }),
    ...(closedBy !== null && { closed_by: closedBy }),
    ...(note !== '' && { note }),
    can_accept: status === 'open' && rights.accept,
    can_decline: open.length > 0 && isOpen && rights.decline,
    can_withdraw: isOpen && mayWithdraw(context, proposal),
  }
}

/** When and by whom it was closed, and why. What was decided, ended with the last row that the reader knows of. */
function endOf({ current_state, state_at, closed_by, note, rows }: ReadProposal) {
  if (current_state !== 'accepted' && current_state !== 'declined') return { at: state_at, by: closed_by, note }
  const [last] = [...rows].sort((one, other) => ((one.decided_at ?? '') < (other.decided_at ?? '') ? 1 : -1))
  const { decided_at: at = null, decided_by: by = null } = last ?? {}
  // Rows are declined with a note.
  const isTheirs = rows.some(
    (row) => row.state === 'declined' && row.decided_at === state_at && row.decided_by === closed_by,
  )
  return { at, by, note: isTheirs ? note : '' }
}

function statusOf(
  { current_state }: ListedProposal,
  rows: readonly { status: RowState; is_outdated: boolean }[],
): ProposalState {
  if (current_state !== 'open') return current_state
  const open = rows.filter(({ status }) => status === 'open')
  return open.every((row) => row.is_outdated) ? 'outdated' : 'open'
}

function presentRow(row: ReadRow, current: CurrentValues | undefined, target: ListedProposal) {
  const changes = row.lines.map((line) => {
    const now = row.state === 'open' && current !== undefined ? valueSince(current, target, line) : undefined
    return { ...presentLine(line), ...(now !== undefined && { now }) }
  })
  return {
    name: row.name,
    changes,
    reason: row.reason,
    status: row.state,
    is_outdated: changes.some(({ now }) => now !== undefined),
    ...(row.decided_at !== null && { decided_at: row.decided_at }),
    ...(row.decided_by !== null && { decided_by: row.decided_by }),
    ...(row.change_id !== null && { change_id: row.change_id }),
  }
}

/** The name of the key is for its owner and administrators, as in a history. */
function sourceOf({ caller }: PresentContext, { user_id, key_id, key_name }: ListedProposal) {
  const key = { key_id, key_owner: user_id, source: changeSource('key').kind, source_id: key_id, source_name: key_name }
  return presentSource(caller, { ...key, change_ref: 1, change_owner: user_id, proposer: null, undoes_id: null })
}

/** With a key that only proposes, the author withdraws what that key has proposed. */
export function mayWithdraw(
  { caller }: Pick<PresentContext, 'caller'>,
  { user_id, key_id }: Pick<ListedProposal, 'user_id' | 'key_id'>,
) {
  if (!isSignedIn(caller) || caller.id !== user_id || !hasScope(caller.scopes, 'propose')) return false
  return caller.scopes.has('write') || caller.keyId === key_id
}
