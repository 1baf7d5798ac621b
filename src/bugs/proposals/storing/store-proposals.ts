import type { CallContext } from '../../../access/call.ts'
import { requireLogin } from '../../../access/caller.ts'
import { hasScope } from '../../../access/scopes.ts'
import { writeBugs } from '../../../access/write-bugs.ts'
import type { Settings } from '../../../platform/config/settings.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import { errors } from '../../../platform/errors.ts'
import { timeNow, toTime } from '../../../platform/time/clock.ts'
import type { Proposed } from '../../../platform/wire/call.ts'
import { requireRoomForNewAccount } from '../../rights/new-account-limits.ts'
import type { Draft } from '../drafts/draft.ts'
import type { ProposalParams } from '../proposal-params.ts'
import { presentProposals } from '../reading/read-proposals.ts'
import { requireRoomForProposals } from './proposal-limits.ts'
import { forgetExpired, insertDraft, noteBatch } from './proposal-store.ts'

const lockUser = statement<{ id: number }>()((q, p, d) =>
  q.selectFrom('users').select('id').where('id', '=', p.id).modifyEnd(d.lockedBesideReferences()),
)

/** A key that is being revoked or limited waits until the proposal is there, and ends it; of one that was revoked there is no row. */
const lockKey = statement<{ id: number }>()((q, p, d) =>
  q
    .selectFrom('api_keys')
    .select('scopes')
    .where('id', '=', p.id)
    .where('revoked_at', 'is', null)
    .modifyEnd(d.lockedBesideReferences()),
)

export type ProposingContext = CallContext & { params: ProposalParams }

/** Stores what a call would do, within the limits of its key and account. Nothing is stored of a call that would do nothing. */
export async function storeDraft(context: ProposingContext, draft: Draft): Promise<Proposed> {
  if ('usual' in draft) return { isStored: false, value: draft.usual }
  const ids = await storeProposals(context, draft.proposals)
  const [proposal, ...more] = await presentProposals(context, ids)
  if (proposal === undefined || more.length + 1 < ids.length) throw errors.no_such_object({ what: 'proposal', ref: '' })
  const { ignored = [] } = draft
  return {
    isStored: true,
    value: {
      proposal,
      ...(more.length > 0 && { proposals: [proposal, ...more] }),
      ...(ignored.length > 0 && { ignored }),
    },
  }
}

function storeProposals(context: ProposingContext, drafts: Extract<Draft, { proposals: unknown }>['proposals']) {
  const { proposal_reason: reason = '', proposal_reasons: reasons = new Map() } = context.params
  return writeBugs(context, async (tx, current) => {
    const caller = requireLogin(current.caller)
    const keyId = caller.keyId ?? 0
    // Of two requests at once, one waits, so that together they do not propose too much.
    await tx.all(lockUser, { id: caller.id })
    const key = await tx.first(lockKey, { id: keyId })
    if (key === undefined) throw errors.api_key_invalid()
    if (!hasScope(new Set(key.scopes.split(',')), 'propose')) throw errors.scope_required({ scope: 'propose' })
    await forgetExpired(tx, caller.id)
    await requireRoomForProposals(tx, current, drafts.length)
    await requireRoomForNewAccount(tx, current, { kind: 'comments', count: 0, texts: [reason, ...reasons.values()] })
    const at = timeNow()
    const proposer = { userId: caller.id, keyId, at, expiresAt: endOf(current.settings), reason, reasons }
    const ids: number[] = []
    for (const draft of drafts) {
      const id = await insertDraft(tx, { ...proposer, batchId: ids[0] ?? null }, draft)
      ids.push(id)
    }
    const [first] = ids
    if (first !== undefined && ids.length > 1) await noteBatch(tx, first)
    return ids
  })
}

const DAY = 86_400_000
const MOST_DAYS = 36_500

/** When a new proposal expires. */
function endOf({ proposal_days: days }: Pick<Settings, 'proposal_days'>): string {
  return toTime(Date.now() + Math.min(MOST_DAYS, Math.max(1, days)) * DAY)
}
