import { requireLogin } from '../../access/caller.ts'
import { writeBugs } from '../../access/write-bugs.ts'
import { keptFields } from '../../catalogue/fields/field-store.ts'
import { continueChange } from '../../changes/current-change.ts'
import { withoutCommit } from '../../platform/database/transactions/without-commit.ts'
import { ApiError, errors } from '../../platform/errors.ts'
import type { RequestParams } from '../../platform/wire/params.ts'
import { readParams } from '../../platform/wire/read-params.ts'
import { updateBugs } from '../editing/update-bugs.ts'
import { updateParams } from '../editing/update-params.ts'
import { revisionOf } from '../reading/revision.ts'
import type { ChangeRow } from './change-store.ts'
import { planUndo } from './plan-undo.ts'
import { type ChangeContext, type LoadedPart, loadParts, markOf } from './read-changes.ts'
import type { Conflict, Kept } from './undo.ts'

export interface UndoOptions {
  isDryRun: boolean
  /** Added to each bug that is changed. */
  comment: string | undefined
  /** The client knows the bugs as they were in the dry run: a bug that others have changed since is not planned again. */
  isFixed: boolean
  /** The change that undoes: made when the first bug needs it, so that all bugs share it. */
  undoId: () => Promise<number>
}

/** What came of undoing a change on one bug. */
export interface UndoneBug {
  bugId: number
  conflicts: Conflict[]
  kept: Kept[]
  refusal: ApiError | undefined
  changed: Changed | undefined
}

type Changed = Awaited<ReturnType<typeof updateBugs>>['bugs'][number]

/** How often an undo is planned again because the bug was changed meanwhile. */
const MOST_ATTEMPTS = 5

/**
 * Undoes a change on one bug, in a transaction of its own, so that other writers wait for one bug at most. It is an ordinary change of the caller: with
 * their rights, the workflow, history and mail. Nothing is done if the bug has changed since the plan was made: then it is planned again.
 */
export async function undoOnBug(
  context: ChangeContext,
  change: ChangeRow,
  first: LoadedPart,
  options: UndoOptions,
): Promise<UndoneBug> {
  const fields = await context.catalogue(keptFields)
  let part: LoadedPart | undefined = first
  for (let attempt = 1; part !== undefined; attempt++) {
    const { params, conflicts, kept, impossible } = planUndo(part, fields)
    const bugId: number = part.state.id
    const result = { bugId, conflicts, kept: [...part.comments, ...kept], refusal: undefined, changed: undefined }
    const [never] = impossible
    if (never !== undefined) return { ...result, refusal: errors.undo_impossible(never) }
    if (Object.keys(params).length === 0) return result
    try {
      return { ...result, changed: await changeBack(context, part, params, options) }
    } catch (fault) {
      if (!(fault instanceof ApiError) || fault.status >= 500) throw fault
      if (fault.reason !== 'changed_meanwhile' || attempt === MOST_ATTEMPTS) return { ...result, refusal: fault }
      part = (await loadParts(context, change, [bugId], part.isUndone))[0]
      if (options.isFixed && part !== undefined && markOf(part) !== markOf(first)) return { ...result, refusal: fault }
    }
  }
  // It was deleted or hidden meanwhile, so nothing is said about it.
  return { bugId: first.state.id, conflicts: [], kept: [], refusal: undefined, changed: undefined }
}

async function changeBack(
  context: ChangeContext,
  { state }: LoadedPart,
  params: RequestParams,
  { isDryRun, comment, undoId }: UndoOptions,
): Promise<Changed | undefined> {
  const rawParams = { ...params, ...(comment !== undefined && comment !== '' && { comment: { body: comment } }) }
  const update = { params: readParams(updateParams, rawParams), rawParams, ifMatch: `"${revisionOf(state)}."` }
  const undo = isDryRun ? undefined : await undoId()
  const change = (current: ChangeContext) => updateBugs({ ...current, ...update }, [String(state.id)])
  if (undo === undefined) {
    const { bugs } = await withoutCommit<Awaited<ReturnType<typeof updateBugs>>>((finish) =>
      writeBugs(context, async (_, current) => finish(await change(current))),
    )
    return bugs[0]
  }
  const { bugs } = await writeBugs(context, (tx, current) => {
    continueChange(tx, requireLogin(current.caller).id, undo)
    return change(current)
  })
  return bugs[0]
}
