import type { CallContext } from '../../../access/call.ts'
import { requireLogin } from '../../../access/caller.ts'
import { insiderParams, isTimeTracker } from '../../../access/visibility/reader-rights.ts'
import { TIME_FIELDS } from '../../../bug-fields/recorded-fields.ts'
import { errors } from '../../../platform/errors.ts'
import { idIn, LARGEST_ID } from '../../../platform/wire/reference.ts'
import { listAttachments } from '../../attachments/reading/attachment-view-store.ts'
import { numbersOfComments } from '../../comments/comment-store.ts'
import type { ProposedLine } from '../proposal.ts'
import { currentValues } from './conflicts.ts'
import { decidersOf } from './deciders.ts'
import { presentProposal, type ReadProposal, type ReadRow } from './present-proposal.ts'
import {
  countReadable,
  type ListedProposal,
  listReadable,
  listReadableRows,
  type ProposalFilter,
  type ProposalPage,
  type ReadableRow,
} from './proposal-list-store.ts'

export type ProposalContext = Pick<
  CallContext,
  'db' | 'caller' | 'settings' | 'groups' | 'catalogue' | 'versions' | 'baseUrl' | 'request'
>

export type PresentedProposal = ReturnType<typeof presentProposal>

/** A page of the proposals that the caller may read, and how many there are; `next` is where the next page begins. */
export async function getProposals(context: ProposalContext, filter: ProposalFilter, page: ProposalPage) {
  requireLogin(context.caller)
  const db = context.db.within(context.request.readLimits)
  if (filter.batchId !== undefined && !(await readableAmong(context, [filter.batchId])).has(filter.batchId))
    return { proposals: [], total: 0, next: null }
  const listed = await listReadable(db, context, filter, page)
  const last = listed.at(-1)
  const isLast = listed.length < page.most
  const isWhole = isLast && page.before === LARGEST_ID
  return {
    proposals: await presented(context, await withRows(context, listed)),
    total: isWhole ? listed.length : await countReadable(db, context, filter),
    next: isLast || last === undefined ? null : last.id,
  }
}

/** These proposals, in their order. Those that the caller may not read are left out. */
export async function presentProposals(context: ProposalContext, ids: readonly number[]): Promise<PresentedProposal[]> {
  const read = await readProposals(context, { ids }, { before: LARGEST_ID, most: ids.length })
  return (await presented(context, read)).sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id))
}

/** The same error for a proposal that does not exist, and for one that the caller may not read. */
export async function getProposal(context: ProposalContext, ref: string): Promise<PresentedProposal> {
  requireLogin(context.caller)
  const [proposal] = await presentProposals(context, [idIn(ref) ?? 0])
  if (proposal === undefined) throw noSuchProposal(ref)
  return proposal
}

/** The same before it is presented. */
export async function readOneProposal(context: ProposalContext, ref: string): Promise<ReadProposal> {
  const [proposal] = await readProposals(context, { ids: [idIn(ref) ?? 0] }, { before: LARGEST_ID, most: 1 })
  if (proposal === undefined) throw noSuchProposal(ref)
  return proposal
}

export function noSuchProposal(ref: string) {
  return errors.no_such_object({ what: 'proposal', ref })
}

/** What the caller may read of proposals. */
export async function readProposals(
  context: ProposalContext,
  filter: ProposalFilter,
  page: ProposalPage,
): Promise<ReadProposal[]> {
  return withRows(context, await listReadable(context.db.within(context.request.readLimits), context, filter, page))
}

async function withRows(context: ProposalContext, listed: readonly ListedProposal[]): Promise<ReadProposal[]> {
  if (listed.length === 0) return []
  const stored = await listReadableRows(
    context.db.within(context.request.readLimits),
    context,
    listed.map(({ id }) => id),
  )
  const rows = await withoutHiddenLines(context, stored)
  const batches = await readableAmong(
    context,
    listed.flatMap(({ batch_id }) => batch_id ?? []),
  )
  return listed.flatMap(({ batch_id, ...proposal }) => {
    const own = rows.get(proposal.id)
    // The first one of a call may be about a bug that the reader may not know of.
    const batch = batch_id !== null && batches.has(batch_id) ? batch_id : null
    return own === undefined ? [] : [{ ...proposal, batch_id: batch, rows: own }]
  })
}

async function readableAmong(context: ProposalContext, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const unique = [...new Set(ids)]
  if (unique.length === 0) return new Set()
  const db = context.db.within(context.request.readLimits)
  const found = await listReadable(db, context, { ids: unique }, { before: LARGEST_ID, most: unique.length })
  return new Set(found.map(({ id }) => id))
}

/** The rows by proposal, without hours for those who do not read them, and without what happens to private attachments. */
async function withoutHiddenLines(context: ProposalContext, rows: readonly ReadableRow[]) {
  const { db, settings, caller } = context
  const read = rows.map((row) => ({ ...row, lines: JSON.parse(row.lines) as ProposedLine[] }))
  const named = [...new Set(read.flatMap(({ lines }) => lines.flatMap(({ attachment }) => attachment ?? [])))]
  const attachments = named.length === 0 ? [] : await listAttachments(db, settings, insiderParams(context), named)
  const readable = new Set(attachments.map(({ id }) => id))
  const seesHours = isTimeTracker(caller, settings)
  const isShown = ({ field, attachment }: ProposedLine) =>
    (seesHours || !TIME_FIELDS.has(field)) && (attachment === undefined || readable.has(attachment))
  const comments = read.flatMap(({ lines }) => lines.flatMap(({ comment }) => comment ?? []))
  const numbers = await numbersOfComments(db, comments)
  const withNumber = (line: ProposedLine) =>
    line.comment === undefined ? line : { ...line, commentNumber: numbers.get(line.comment) }
  const shown = read.flatMap(({ proposal_id, ...row }): (ReadRow & { proposal_id: number })[] => {
    const lines = row.lines.filter(isShown).map(withNumber)
    return lines.length === 0 ? [] : [{ proposal_id, ...row, lines }]
  })
  return Map.groupBy(shown, ({ proposal_id }) => proposal_id)
}

async function presented(context: ProposalContext, proposals: readonly ReadProposal[]): Promise<PresentedProposal[]> {
  const open = proposals.filter(({ current_state }) => current_state === 'open')
  const current = await currentValues(context, open)
  const rightsOf = await decidersOf(context, open)
  return proposals.map((proposal) => presentProposal(context, proposal, current, rightsOf(proposal)))
}
