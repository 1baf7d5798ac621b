import { viewerOf } from '../../access/visible-bugs.ts'
import { FIELD_TYPE } from '../../catalogue/fields/field.ts'
import type { Changes } from '../../changes/audit.ts'
import { announceAll, type BugEvent } from '../../changes/outbox.ts'
import { type BugChange, recordBugChanges, touchBugs } from '../../changes/record-bug-changes.ts'
import { listUsersByIds } from '../../people/users/user-store.ts'
import type { Db } from '../../platform/database/db.ts'
import { visibleAmong } from '../bug-refs.ts'
import { copyOnBugs } from '../bug-store.ts'
import { addComment, addCommentToBugs } from '../comments/add-comment.ts'
import { COMMENT_KIND } from '../comments/comment.ts'
import { setPrivacyOfComments } from '../comments/comment-store.ts'
import { customFieldsOf } from '../custom-values/custom-value.ts'
import { applyFlagsToAll } from '../flags/apply-flags.ts'
import { type FlagChanges, type FlagFact, NO_CHANGES } from '../flags/flag-changes.ts'
import { moveFlags } from '../flags/move-flags.ts'
import type { Batch, BugEdit } from './batch.ts'
import { changesIn, keptHours } from './changes-in.ts'
import { type DuplicateEffect, tellDuplicated } from './duplicate-effects.ts'
import { saveEdits } from './save-edits.ts'

/** What became of one bug. */
export interface Outcome {
  id: number
  aliases: readonly string[]
  changedAt: string
  /** As far as the caller may know. */
  changes: Changes
}

/** Writes what the steps decided: the bugs, what was said, flags, history and events. */
export async function finishBatch(tx: Db, batch: Batch): Promise<Outcome[]> {
  const { edits, editor, at } = batch
  await saveEdits(tx, edits)
  const duplicate = edits.find(isMarkedDuplicate)
  const commentIds = await saveRemark(tx, batch, duplicate)
  await savePrivacy(tx, batch)
  const flags = await saveFlags(tx, batch)
  const effect = await effectOf(tx, batch, duplicate)
  const results = resultsOf(batch, commentIds, flags)
  const others = [...batch.lines.filter(({ bugId }) => !results.has(bugId)), ...(effect?.lines ?? [])]
  const lines = [...[...results.values()].flatMap((result) => result.lines), ...others]
  await recordBugChanges(tx, editor.id, lines, at)
  const touched = [...results].filter(([, result]) => result.isTouched).map(([id]) => id)
  await touchBugs(tx, [...touched, ...(effect ? [effect.bugId] : [])], at)
  await announceAll(tx, [...eventsOf(batch, results), ...eventsElsewhere(batch, others, effect)])
  return outcomesOf(tx, batch, results)
}

function isMarkedDuplicate({ before, after }: BugEdit) {
  return after.dupe_of_id !== null && after.dupe_of_id !== before.dupe_of_id
}

/** A comment that goes with the mark of a duplicate says what it duplicates; where nobody said anything, the mark is a comment. */
async function saveRemark(tx: Db, { remark, editor, at, edits }: Batch, duplicate: BugEdit | undefined) {
  const said = { userId: editor.id, at, text: '', isPrivate: false, ...remark }
  if (duplicate !== undefined) {
    const about = { kind: COMMENT_KIND.duplicateOf, aboutId: duplicate.after.dupe_of_id }
    const { id } = await addComment(tx, { ...said, ...about, bugId: duplicate.before.id })
    return new Map([[duplicate.before.id, id]])
  }
  if (remark === undefined) return new Map<number, number>()
  const [only, ...more] = edits
  if (only === undefined || more.length > 0)
    return addCommentToBugs(
      tx,
      edits.map(({ before }) => before.id),
      said,
    )
  const { id } = await addComment(tx, { ...said, bugId: only.before.id })
  return new Map([[only.before.id, id]])
}

async function savePrivacy(tx: Db, { privacy }: Batch) {
  for (const isPrivate of [0, 1] as const) {
    const ids = privacy.filter((it) => it.isPrivate === isPrivate).map(({ commentId }) => commentId)
    await setPrivacyOfComments(tx, ids, isPrivate)
  }
}

interface FlagResult {
  lines: BugChange[]
  facts: FlagFact[]
}

/** Flags that do not apply where the bug comes to, and those that were asked for. Whoever is asked joins the CC list. */
async function saveFlags(tx: Db, batch: Batch): Promise<Map<number, FlagResult>> {
  const { edits, params, editor, settings, groups, at } = batch
  const moved = edits.filter(({ before, after }) => before.component_id !== after.component_id)
  const lost = Map.groupBy(
    await moveFlags(
      tx,
      moved.map(({ before }) => before.id),
    ),
    ({ bugId }) => bugId,
  )
  const targets = edits.map(({ before, after }) => ({
    bugId: before.id,
    productId: after.product_id,
    componentId: after.component_id,
  }))
  const changed = await applyFlagsToAll(tx, { caller: editor, settings, groups }, targets, params.flags ?? [], at)
  await copyAsked(tx, edits, changed)
  return new Map(
    edits.map(({ before: { id } }, index) => {
      const own = { attachmentId: null, ...(changed[index] ?? NO_CHANGES) }
      return [id, flagResult(id, [...(lost.get(id) ?? []), own])]
    }),
  )
}

function flagResult(bugId: number, all: readonly (FlagChanges & { attachmentId: number | null })[]): FlagResult {
  const byHolder = Map.groupBy(all, (it) => it.attachmentId)
  const lines = [...byHolder].flatMap(([attachmentId, held]) => {
    const removed = held.flatMap((it) => it.removed).join(', ')
    const added = held.flatMap((it) => it.added).join(', ')
    return removed === '' && added === '' ? [] : [{ bugId, field: 'flagtypes.name', removed, added, attachmentId }]
  })
  return { lines, facts: all.flatMap((it) => it.facts) }
}

async function copyAsked(tx: Db, edits: readonly BugEdit[], changed: readonly FlagChanges[]) {
  const copies = edits.flatMap(({ before, after }, index) =>
    (changed[index]?.cc ?? [])
      .filter((userId) => !after.cc.some(({ id }) => id === userId))
      .map((userId) => ({ bugId: before.id, userId, after })),
  )
  if (copies.length === 0) return
  await copyOnBugs(tx, copies)
  const ids = [...new Set(copies.map(({ userId }) => userId))]
  const people = new Map((await listUsersByIds(tx, ids)).map(({ id, login }) => [id, { id, login }]))
  for (const { userId, after } of copies) after.cc = [...after.cc, ...[people.get(userId) ?? []].flat()]
}

async function effectOf(tx: Db, batch: Batch, duplicate: BugEdit | undefined) {
  const target = duplicate?.after.dupe_of_id ?? null
  return duplicate === undefined || target === null ? undefined : tellDuplicated(tx, batch, duplicate.before, target)
}

/** What is told about one bug: all that changed, and the lines of it that go into history. */
interface Result {
  edit: BugEdit
  changes: Changes
  lines: BugChange[]
  commentId: number | undefined
  flags: FlagFact[]
  isTouched: boolean
}

function resultsOf(
  batch: Batch,
  commentIds: ReadonlyMap<number, number>,
  flags: ReadonlyMap<number, FlagResult>,
): Map<number, Result> {
  const stepLines = Map.groupBy(batch.lines, ({ bugId }) => bugId)
  const privacy = Map.groupBy(batch.privacy, ({ bugId }) => bugId)
  return new Map(
    batch.edits.map((edit) => {
      const { id } = edit.before
      const flagLines = flags.get(id)?.lines ?? []
      const told = [...(stepLines.get(id) ?? []), ...flagLines.filter(({ attachmentId }) => attachmentId === null)]
      const changes = { ...changesIn(edit.before, edit.after, batch.fields), ...asChanges(told) }
      const lines = [
        ...Object.entries(changes)
          .filter(([field]) => field !== 'dupe_of')
          .map(([field, change]) => ({ bugId: id, field, ...change })),
        ...flagLines.filter(({ attachmentId }) => attachmentId !== null),
        ...workLines(batch, id),
        ...(privacy.get(id) ?? []).map(({ commentId, isPrivate }) => ({
          bugId: id,
          field: 'longdescs.isprivate',
          removed: String(1 - isPrivate),
          added: String(isPrivate),
          commentId,
        })),
      ]
      const commentId = commentIds.get(id)
      const isTouched = lines.length > 0 || commentId !== undefined || Object.keys(changes).length > 0
      return [id, { edit, changes, lines, commentId, flags: flags.get(id)?.facts ?? [], isTouched }]
    }),
  )
}

function asChanges(lines: readonly BugChange[]): Changes {
  return Object.fromEntries(lines.map(({ field, removed, added }) => [field, { removed, added }]))
}

function workLines({ remark }: Batch, bugId: number): BugChange[] {
  const hundredths = remark?.workHundredths ?? 0
  return hundredths === 0 ? [] : [{ bugId, field: 'work_time', removed: '', added: keptHours(hundredths) }]
}

function eventsOf({ editor, at }: Batch, results: ReadonlyMap<number, Result>): BugEvent[] {
  return [...results]
    .filter(([, result]) => result.isTouched)
    .map(([bugId, { changes, commentId, flags }]) => ({
      kind: 'bug.update',
      bugId,
      who: editor.id,
      at,
      facts: {
        changes,
        ...(commentId !== undefined && { comment_id: commentId }),
        ...(flags.length > 0 && { flags }),
      },
    }))
}

/** Bugs that were changed along are told of too. */
function eventsElsewhere({ editor, at, mirrored }: Batch, others: readonly BugChange[], effect?: DuplicateEffect) {
  const lines = Map.groupBy([...others, ...mirrored], ({ bugId }) => bugId)
  const ids = new Set([...lines.keys(), ...(effect ? [effect.bugId] : [])])
  return [...ids].map(
    (bugId): BugEvent => ({
      kind: 'bug.update',
      bugId,
      who: editor.id,
      at,
      facts: {
        changes: asChanges(lines.get(bugId) ?? []),
        ...(effect?.bugId === bugId && { comment_id: effect.commentId }),
      },
    }),
  )
}

async function outcomesOf(tx: Db, batch: Batch, results: ReadonlyMap<number, Result>): Promise<Outcome[]> {
  const bugFields = customFieldsOf(batch.fields).filter(({ type }) => type === FIELD_TYPE.bugId)
  const left = [...results.values()].flatMap(({ changes }) =>
    ['dupe_of', ...bugFields.map(({ name }) => name)].flatMap((field) => Number(changes[field]?.removed) || []),
  )
  const seen = await visibleAmong(tx, batch.settings, viewerOf(batch.editor), left)
  const hides = (field: string, id: string) =>
    (field === 'dupe_of' || bugFields.some(({ name }) => name === field)) && id !== '' && !seen.has(Number(id))
  return [...results.values()].map(({ edit, changes, isTouched }) => ({
    id: edit.before.id,
    aliases: edit.after.aliases,
    changedAt: isTouched ? batch.at : edit.before.changed_at,
    changes: shownChanges(edit, changes, hides),
  }))
}

const TIME_FIELDS = ['estimated_time', 'remaining_time']

/** Hours follow from a status too, but only those who track time are told; and nobody is told of a bug that they cannot see. */
function shownChanges({ standing }: BugEdit, changes: Changes, hides: (field: string, id: string) => boolean): Changes {
  const shown: Changes = {}
  for (const [field, { removed, added }] of Object.entries(changes)) {
    const isSecret = TIME_FIELDS.includes(field) && !standing.isTimeTracker
    const isHidden = hides(field, removed)
    if (!isSecret && !(isHidden && added === '')) shown[field] = { removed: isHidden ? '' : removed, added }
  }
  return shown
}
