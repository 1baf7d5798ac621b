import { requireLogin } from '../../../access/caller.ts'
import { writeBugs } from '../../../access/write-bugs.ts'
import type { Db } from '../../../platform/database/db.ts'
import { errors } from '../../../platform/errors.ts'
import { timeNow } from '../../../platform/time/clock.ts'
import { decidersOf } from '../reading/deciders.ts'
import { noSuchProposal, type ProposalContext, readOneProposal } from '../reading/read-proposals.ts'
import {
  decideRows,
  findProposal,
  lockProposal,
  rowsOfProposal,
  type StoredProposal,
} from '../storing/proposal-store.ts'
import { closeIfDecided, requireDecidable, requireRows } from './require-open.ts'

export interface DeclineRequest {
  rows: readonly string[] | undefined
  /** For the author. */
  note: string
}

/** Declines rows of a proposal; without names all that the caller may read and that are open. */
export async function declineProposal(context: ProposalContext, ref: string, request: DeclineRequest) {
  const who = requireLogin(context.caller).id
  const { id } = await readOneProposal(context, ref)
  await writeBugs(context, async (tx, current) => {
    const names = await rowsToDecline({ ...current, db: tx }, ref, await lockProposal(tx, id), request)
    const at = timeNow()
    await decideRows(tx, { id, names, state: 'declined', changeId: null, at, who })
    await closeIfDecided(tx, { id, who, at, note: request.note })
  })
}

/** Throws what declining it would throw. */
export async function requireMayDecline(context: ProposalContext, ref: string, request: DeclineRequest) {
  const { id } = await readOneProposal(context, ref)
  await rowsToDecline(context, ref, await findProposal(context.db, id), request)
}

async function rowsToDecline(
  context: ProposalContext & { db: Db },
  ref: string,
  proposal: StoredProposal | undefined,
  { rows: names }: DeclineRequest,
): Promise<string[]> {
  if (proposal === undefined) throw noSuchProposal(ref)
  const shown = await readOneProposal(context, ref)
  const rightsOf = await decidersOf(context, [shown])
  if (!rightsOf(shown).decline) throw errors.not_allowed({ need: DECLINING_NEEDS })
  requireDecidable(proposal, shown)
  const rows = requireRows(shown, await rowsOfProposal(context.db, proposal.id), names)
  return rows.map(({ name }) => name)
}

const DECLINING_NEEDS =
  'to decline a proposal needs editbugs in the product, or the role of assignee, QA contact or reporter of the bug'
