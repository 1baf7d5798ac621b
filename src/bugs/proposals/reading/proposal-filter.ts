import type { CallContext } from '../../../access/call.ts'
import { isIn, requireLogin } from '../../../access/caller.ts'
import { readTriageOwners } from '../../../catalogue/rotations/triage-owners.ts'
import { getUsersByLogins } from '../../../people/users/user-store.ts'
import { errors } from '../../../platform/errors.ts'
import { fold } from '../../../platform/text/fold.ts'
import { clampedId, LARGEST_ID } from '../../../platform/wire/reference.ts'
import { ownerOfKey } from '../../undo/change-store.ts'
import { PROPOSAL_KINDS, PROPOSAL_STATES, type ProposalKind, type ProposalState } from '../proposal.ts'
import type { ProposalFilter, ProposalPage } from './proposal-list-store.ts'

export const USUAL_PROPOSALS = 25
export const MOST_PROPOSALS = 50

/** The parameters of a list of proposals. */
interface FilterParams {
  status?: string | undefined
  kind?: string | undefined
  user?: string | undefined
  key_id?: number | undefined
  batch?: number | undefined
  product?: string | undefined
  for_me?: boolean | undefined
}

type FilterContext = Pick<CallContext, 'db' | 'caller' | 'catalogue'>

/** Which proposals the parameters ask for. Throws for a key that is not the caller's to know of. */
export async function filterFrom(context: FilterContext, params: FilterParams): Promise<ProposalFilter> {
  const { db, caller } = context
  const { id } = requireLogin(caller)
  const { status, kind, user, key_id: keyId, batch, product, for_me: isForMe } = params
  if (keyId !== undefined) await requireKnownKey(context, keyId)
  const [author] = user === undefined ? [] : await getUsersByLogins(db, [user])
  return {
    state: stateIn(status),
    kind: kindIn(kind),
    userId: author?.id,
    keyId: keyId === undefined ? undefined : clampedId(keyId),
    batchId: batch === undefined ? undefined : clampedId(batch),
    product: product === undefined ? undefined : fold(product.trim()),
    forUser: isForMe ? { id, componentIds: await triagedBy(context, id) } : undefined,
  }
}

/** A status that is found out when a proposal is read cannot be asked for. */
export const ASKABLE_STATES = PROPOSAL_STATES.filter((state) => state !== 'outdated')

export function stateIn(status = 'open'): ProposalState | undefined {
  if (status === 'all') return undefined
  const known = ASKABLE_STATES.find((state) => state === status)
  if (known !== undefined) return known
  throw errors.bad_value({
    name: 'status',
    value: status,
    right: `it must be all or one of ${ASKABLE_STATES.join(', ')}`,
  })
}

function kindIn(kind: string | undefined): ProposalKind | undefined {
  const known = PROPOSAL_KINDS.find((it) => it === kind)
  if (kind === undefined || known !== undefined) return known
  throw errors.bad_value({ name: 'kind', value: kind, right: `it must be one of ${PROPOSAL_KINDS.join(', ')}` })
}

export function pageIn({
  before,
  limit = USUAL_PROPOSALS,
}: {
  before?: number | undefined
  limit?: number | undefined
}): ProposalPage {
  if (limit < 1 || limit > MOST_PROPOSALS)
    throw errors.bad_value({ name: 'limit', value: limit, right: `it must be between 1 and ${MOST_PROPOSALS}` })
  return { before: before === undefined ? LARGEST_ID : Math.max(0, clampedId(before)), most: limit }
}

async function requireKnownKey({ db, caller }: FilterContext, keyId: number) {
  const owner = await ownerOfKey(db, clampedId(keyId))
  if (owner === undefined || (owner !== caller.id && !isIn(caller, 'admin')))
    throw errors.no_such_object({ what: 'API key', ref: String(keyId) })
}

/** The components that the user triages now. */
async function triagedBy(context: FilterContext, userId: number): Promise<number[]> {
  const owners = await readTriageOwners(context)
  return [...owners].flatMap(([component, owner]) => (owner.id === userId ? [component] : []))
}
