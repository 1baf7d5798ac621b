import { readTriageOwnersIn } from '../../../catalogue/rotations/triage-owners.ts'
import type { BugChange } from '../../../changes/record-bug-changes.ts'
import { listUsersByIds } from '../../../people/users/user-store.ts'
import type { BugTransaction } from '../../../platform/database/db.ts'
import { applyFlagsToAll } from '../../flags/changing/apply-flags.ts'
import { moveFlags } from '../../flags/changing/move-flags.ts'
import { type FlagChanges, type FlagFact, NO_CHANGES } from '../../flags/flag-changes.ts'
import {
  askedLogins,
  type BugRoles,
  unusedQuestionParams,
  wantedQuestions,
} from '../../flags/questions/wanted-questions.ts'
import { addCcToBugs } from '../cc-store.ts'
import type { Batch, BugEdit } from './batch.ts'

/** The changes of the flags of a bug and its attachments. */
export interface FlagResult {
  lines: BugChange[]
  facts: FlagFact[]
}

/** Removes flags that do not apply in the new component, then applies the requested ones. Requestees are added to the CC list. */
export async function saveFlags(tx: BugTransaction, batch: Batch): Promise<Map<number, FlagResult>> {
  const { edits, params, editor, settings, groups, at } = batch
  const moved = edits.filter(({ before, after }) => before.component_id !== after.component_id)
  const questions = wantedQuestions(params, false)
  for (const name of unusedQuestionParams(params, questions)) batch.ignored.add(name)
  if (moved.length === 0 && (params.flags ?? []).length === 0 && questions === undefined) return new Map()
  const lost = Map.groupBy(
    await moveFlags(
      tx,
      moved.map(({ before }) => before.id),
    ),
    ({ bugId }) => bugId,
  )
  const owners = questions?.role === 'triage_owner' ? await readTriageOwnersIn(tx) : undefined
  const targets = edits.map(({ before, after, rights }) => ({
    bugId: before.id,
    productId: after.product_id,
    componentId: after.component_id,
    mayConfirm: rights.hasEditbugs || rights.hasCanconfirm,
    ...(questions && {
      asked: askedLogins(questions, {
        ...rolesOf(after, editor.login),
        triage_owner: owners?.get(after.component_id)?.login ?? null,
      }),
    }),
  }))
  const changed = await applyFlagsToAll(tx, { caller: editor, settings, groups }, targets, params.flags ?? [], at)
  await addRequesteesToCcLists(tx, edits, changed)
  return new Map(
    edits.map(({ before: { id } }, index) => {
      const own = { attachmentId: null, ...(changed[index] ?? NO_CHANGES) }
      return [id, flagResult(id, [...(lost.get(id) ?? []), own])]
    }),
  )
}

function rolesOf({ assigned_to, creator, qa_contact }: BugEdit['after'], user: string): Omit<BugRoles, 'triage_owner'> {
  return { assigned_to, reporter: creator, qa_contact, user }
}

function flagResult(bugId: number, all: readonly (FlagChanges & { attachmentId: number | null })[]): FlagResult {
  const byHolder = Map.groupBy(all, (it) => it.attachmentId)
  const lines = [...byHolder].flatMap(([attachmentId, changes]) => {
    const removed = changes.flatMap((it) => it.removed).join(', ')
    const added = changes.flatMap((it) => it.added).join(', ')
    return removed === '' && added === '' ? [] : [{ bugId, field: 'flagtypes.name', removed, added, attachmentId }]
  })
  return { lines, facts: all.flatMap((it) => it.facts) }
}

async function addRequesteesToCcLists(tx: BugTransaction, edits: readonly BugEdit[], changed: readonly FlagChanges[]) {
  const copies = edits.flatMap(({ before, after }, index) =>
    (changed[index]?.cc ?? [])
      .filter((userId) => !after.cc.some(({ id }) => id === userId))
      .map((userId) => ({ bugId: before.id, userId, after })),
  )
  if (copies.length === 0) return
  await addCcToBugs(tx, copies)
  const ids = [...new Set(copies.map(({ userId }) => userId))]
  const people = new Map((await listUsersByIds(tx, ids)).map(({ id, login }) => [id, { id, login }]))
  for (const { userId, after } of copies) after.cc = [...after.cc, ...[people.get(userId) ?? []].flat()]
}
