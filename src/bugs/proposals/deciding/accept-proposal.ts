import type { CallContext } from '../../../access/call.ts'
import { requireLogin } from '../../../access/caller.ts'
import { writeBugs } from '../../../access/write-bugs.ts'
import { continueChange, insertProposed } from '../../../changes/current-change.ts'
import type { BugTransaction } from '../../../platform/database/db.ts'
import { errors } from '../../../platform/errors.ts'
import { timeNow } from '../../../platform/time/clock.ts'
import type { RequestParams } from '../../../platform/wire/params.ts'
import type { StoredFile } from '../../attachments/create-attachments.ts'
import { lockBugs } from '../../editing/lock-bugs.ts'
import { tried } from '../drafts/draft.ts'
import { areSameLines, digestOf, type ProposedLine, WHOLE_KINDS } from '../proposal.ts'
import { currentValues, valueSince } from '../reading/conflicts.ts'
import type { ReadProposal } from '../reading/present-proposal.ts'
import { noSuchProposal, type ProposalContext, readOneProposal } from '../reading/read-proposals.ts'
import {
  closeProposal,
  decideRows,
  findProposal,
  lockProposal,
  namedBugsOf,
  rowsOfProposal,
  type StoredProposal,
  type StoredRow,
} from '../storing/proposal-store.ts'
import { isAuthorThere } from './author.ts'
import { carryOut, type Done } from './carry-out.ts'
import { noteWritten } from './note-written.ts'
import { storeProposedFile, unstoredFile } from './proposed-content.ts'
import { closeIfDecided, requireDecidable, requireRows } from './require-open.ts'

export type AcceptContext = ProposalContext & Pick<CallContext, 'contents'>

export interface AcceptRequest {
  digest: string
  /** By name; by default all that the caller may read and that are open. */
  rows: readonly string[] | undefined
  isDryRun: boolean
}

export interface AcceptedProposal {
  lines: readonly ProposedLine[]
  made: Done['made']
  /** The change that was made; undefined in a dry run. */
  changeId: number | undefined
}

/**
 * Makes the proposed change in the name of the caller, with their rights: all of the rows or nothing. What is done is compared with what was
 * proposed, in the transaction that does it.
 */
export async function acceptProposal(
  context: AcceptContext,
  ref: string,
  request: AcceptRequest,
): Promise<AcceptedProposal> {
  requireLogin(context.caller)
  const { id, kind } = await readOneProposal(context, ref)
  if (request.rows !== undefined && WHOLE_KINDS.includes(kind)) throw errors.proposal_only_whole({ kind })
  const stored = request.isDryRun ? undefined : await storeProposedFile(context, { id, kind })
  const work = async (tx: BugTransaction, current: AcceptContext) => {
    const file = request.isDryRun ? await unstoredFile(tx, current, { id, kind }) : stored
    return accept(tx, current, { id, ref, request, file })
  }
  const accepted = await (request.isDryRun ? tried : writeBugs)(context, work)
  if (accepted === undefined) throw errors.proposal_closed({ id, state: 'ended' })
  return accepted
}

interface Acceptance {
  id: number
  ref: string
  request: AcceptRequest
  file: StoredFile | undefined
}

/** Undefined if the author is not there any more, which ends the proposal. */
async function accept(
  tx: BugTransaction,
  context: AcceptContext,
  { id, ref, request, file }: Acceptance,
): Promise<AcceptedProposal | undefined> {
  const who = requireLogin(context.caller).id
  const proposal = await lockTarget(tx, id)
  if (proposal === undefined) throw noSuchProposal(ref)
  const shown = await readOneProposal({ ...context, db: tx }, ref)
  const stored = await rowsOfProposal(tx, id)
  const repeated = acceptedBefore(shown, stored, who, request)
  if (repeated !== undefined) return repeated
  requireDecidable(proposal, shown)
  if (digestOf(shown, shown.rows) !== request.digest) throw errors.proposal_not_as_shown()
  if (!(await isAuthorThere(tx, context, proposal))) {
    await closeProposal(tx, { id, state: 'ended', who: null })
    return undefined
  }
  const rows = requireRows(shown, stored, request.rows)
  const names = rows.map(({ name }) => name)
  await requireUpToDate({ ...context, db: tx }, shown, names)
  const changeId = await insertProposed(tx, who, id)
  continueChange(tx, who, changeId)
  const params: RequestParams = Object.assign({}, ...rows.map((row) => JSON.parse(row.params)))
  const { bug_id, attachment_id, kind } = proposal
  const done = await carryOut(tx, context, { kind, bugId: bug_id ?? 0, attachmentId: attachment_id ?? 0, params, file })
  requireSame(rows, done)
  const at = timeNow()
  await decideRows(tx, { id, names, state: 'accepted', at, who, changeId })
  const written = {
    id,
    bugId: bug_id ?? done.made.bug_id ?? 0,
    attachmentId: attachment_id ?? done.made.attachment_id ?? null,
  }
  await noteWritten(tx, { ...written, changeId, rows })
  await closeIfDecided(tx, { id, who, at })
  const made = { ...(bug_id !== null && { bug_id }), ...(request.isDryRun ? {} : done.made) }
  return { lines: linesShown(shown, names), made, changeId: request.isDryRun ? undefined : changeId }
}

/** Locks all bugs that are written to before the proposal, in their order, as every other change does. */
async function lockTarget(tx: BugTransaction, id: number): Promise<StoredProposal | undefined> {
  const bugId = (await findProposal(tx, id))?.bug_id ?? null
  await lockBugs(tx, [...new Set([...(bugId === null ? [] : [bugId]), ...(await namedBugsOf(tx, id))])])
  return lockProposal(tx, id)
}

/** A client that lost the response sends the request again: the caller has accepted these rows already. */
function acceptedBefore(
  shown: ReadProposal,
  stored: readonly StoredRow[],
  who: number,
  { rows: names = shown.rows.map(({ name }) => name) }: AcceptRequest,
): AcceptedProposal | undefined {
  const chosen = stored.filter(({ name }) => names.includes(name))
  const isOwn = chosen.length > 0 && chosen.every((row) => row.state === 'accepted' && row.decided_by_id === who)
  const changeId = chosen.at(-1)?.change_id ?? undefined
  return isOwn
    ? { lines: linesShown(shown, names), made: shown.bug_id === null ? {} : { bug_id: shown.bug_id }, changeId }
    : undefined
}

function linesShown({ rows }: ReadProposal, names: readonly string[]) {
  return rows.filter(({ name }) => names.includes(name)).flatMap(({ lines }) => lines)
}

/** Throws if something that the rows would change has changed since. */
async function requireUpToDate(context: AcceptContext, shown: ReadProposal, names: readonly string[]) {
  const current = await currentValues(context, [shown])
  for (const line of linesShown(shown, names)) {
    const now = valueSince(current, shown, line)
    if (now !== undefined) throw errors.proposal_outdated({ field: line.field, now })
  }
}

/** Throws if something else was done than what the rows show: the transaction is then undone. */
function requireSame(rows: readonly StoredRow[], { lines, ignored }: Done) {
  const expected = rows.flatMap((row) => JSON.parse(row.lines) as ProposedLine[])
  if (ignored.length === 0 && areSameLines(expected, lines)) return
  const fieldsOf = (some: readonly ProposedLine[], others: readonly ProposedLine[]) =>
    some.filter((line) => !others.some((other) => areSameLines([line], [other]))).map(({ field }) => field)
  const fields = [...ignored, ...fieldsOf(expected, lines), ...fieldsOf(lines, expected)]
  throw errors.proposal_differs({ fields: [...new Set(fields)] })
}
