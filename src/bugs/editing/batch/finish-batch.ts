import type { Changes } from '../../../changes/audit.ts'
import { type BugEvent, recordEvents } from '../../../changes/outbox.ts'
import {
  type BugChange,
  recordBugChanges,
  setBugsChangedAt,
  type WrittenLines,
} from '../../../changes/record-bug-changes.ts'
import { confirmByVotes } from '../../../changes/votes/confirm-by-votes.ts'
import { cutVotesOfMoved } from '../../../changes/votes/cut-votes.ts'
import type { BugTransaction } from '../../../platform/database/db.ts'
import { mapInSlices } from '../../../platform/monitoring/event-loop.ts'
import { addComment, addCommentToBugs } from '../../comments/add-comment.ts'
import { COMMENT_KIND } from '../../comments/comment.ts'
import { setPrivacyOfComments } from '../../comments/comment-store.ts'
import { factsOfMentions, type MentionedByBug, saveMentions } from '../../comments/mentions/save-mentions.ts'
import { changesIn, fixedHours } from '../changes-in.ts'
import { type Batch, type BugEdit, isMoving } from './batch.ts'
import { commentOnDuplicated, type DuplicateEffect } from './duplicate-effects.ts'
import { saveEdits } from './edit-store.ts'
import { type BugUpdateResult, outcomesOf, type Result } from './outcome.ts'
import { type FlagResult, saveFlags } from './save-flags.ts'

/** Saves the result of the steps: bugs, comments, flags, history and events. */
export async function finishBatch(tx: BugTransaction, batch: Batch): Promise<BugUpdateResult[]> {
  const { edits, editor, at } = batch
  const saved = await saveEdits(tx, edits, at)
  const duplicate = edits.find(isMarkedDuplicate)
  const commentIds = await saveRemark(tx, batch, duplicate)
  await savePrivacy(tx, batch)
  const flags = await saveFlags(tx, batch)
  const mentioned = await mentionsOf(tx, batch, commentIds)
  const effect = await effectOf(tx, batch, duplicate)
  const results = await resultsOf(batch, commentIds, flags)
  const others = [
    ...batch.lines.filter(({ bugId }) => !results.has(bugId)),
    ...(effect?.lines ?? []),
    ...batch.mirrored,
  ]
  const lines = [...[...results.values()].flatMap((result) => result.lines), ...others]
  const history = await recordBugChanges(tx, editor.id, lines, at, saved)
  const touched = [...results].filter(([, result]) => result.isTouched).map(([id]) => id)
  const recorded = new Set(lines.map(({ bugId }) => bugId))
  const unrecorded = [...touched, ...(effect ? [effect.bugId] : [])].filter((id) => !recorded.has(id) && !saved.has(id))
  await setBugsChangedAt(tx, unrecorded, at)
  const elsewhere = others.filter(({ bugId }) => !results.get(bugId)?.isTouched)
  await applyVotes(tx, batch)
  await recordEvents(tx, [
    ...eventsOf(batch, results, history, mentioned),
    ...eventsElsewhere(batch, elsewhere, history, effect),
  ])
  return outcomesOf(tx, batch, results)
}

/** A product may allow fewer votes than that from which a bug is moved, and may need fewer to confirm it. */
async function applyVotes(tx: BugTransaction, { edits, editor, at }: Batch) {
  const moved = edits.filter((edit) => isMoving(edit) && edit.before.votes > 0)
  const by = { who: editor.id, at }
  for (const [productId, own] of Map.groupBy(moved, ({ after }) => after.product_id)) {
    const ids = own.map(({ before }) => before.id)
    await cutVotesOfMoved(tx, by, ids, productId)
    await confirmByVotes(tx, by, ids)
  }
}

function isMarkedDuplicate({ before, after }: BugEdit) {
  return after.dupe_of_id !== null && after.dupe_of_id !== before.dupe_of_id
}

/** The comment of a change that marks a duplicate names the duplicated bug. Without a text, such a comment is added anyway. */
async function saveRemark(tx: BugTransaction, { remark, editor, at, edits }: Batch, duplicate: BugEdit | undefined) {
  const said = { userId: editor.id, at, text: '', isPrivate: false, ...remark }
  if (duplicate !== undefined) {
    const about = { kind: COMMENT_KIND.duplicateOf, aboutId: duplicate.after.dupe_of_id }
    const id = await addComment(tx, { ...said, ...about, bugId: duplicate.before.id })
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
  const id = await addComment(tx, { ...said, bugId: only.before.id })
  return new Map([[only.before.id, id]])
}

function mentionsOf(
  tx: BugTransaction,
  { remark, editor, settings, groups, at }: Batch,
  commentIds: ReadonlyMap<number, number>,
): Promise<MentionedByBug> {
  const said = { text: remark?.text ?? '', isPrivate: remark?.isPrivate ?? false, isMarkdown: remark?.isMarkdown }
  return saveMentions(tx, { caller: editor, settings, groups }, { ...said, at, commentIds })
}

async function savePrivacy(tx: BugTransaction, { privacy }: Batch) {
  if (privacy.length === 0) return
  for (const isPrivate of [0, 1] as const) {
    const ids = privacy.filter((it) => it.isPrivate === isPrivate).map(({ commentId }) => commentId)
    await setPrivacyOfComments(tx, ids, isPrivate)
  }
}

async function effectOf(tx: BugTransaction, batch: Batch, duplicate: BugEdit | undefined) {
  const target = duplicate?.after.dupe_of_id ?? null
  return duplicate === undefined || target === null
    ? undefined
    : commentOnDuplicated(tx, batch, duplicate.before, target)
}

async function resultsOf(
  batch: Batch,
  commentIds: ReadonlyMap<number, number>,
  flags: ReadonlyMap<number, FlagResult>,
): Promise<Map<number, Result>> {
  const stepLines = Map.groupBy(batch.lines, ({ bugId }) => bugId)
  const privacy = Map.groupBy(batch.privacy, ({ bugId }) => bugId)
  return new Map(
    await mapInSlices(batch.edits, (edit): [number, Result] => {
      const { id } = edit.before
      const flagLines = flags.get(id)?.lines ?? []
      const stepChanges = [
        ...(stepLines.get(id) ?? []),
        ...flagLines.filter(({ attachmentId }) => attachmentId === null),
      ]
      const changes = { ...changesIn(edit.before, edit.after, batch.fields), ...asChanges(stepChanges) }
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
  return hundredths === 0 ? [] : [{ bugId, field: 'work_time', removed: '', added: fixedHours(hundredths) }]
}

function eventsOf(
  { editor, at }: Batch,
  results: ReadonlyMap<number, Result>,
  history: WrittenLines,
  mentioned: MentionedByBug,
): BugEvent[] {
  return [...results]
    .filter(([, result]) => result.isTouched)
    .map(([bugId, { changes, commentId, flags }]) => ({
      kind: 'bug.update',
      bugId,
      who: editor.id,
      at,
      facts: {
        changes,
        history: history.get(bugId) ?? [],
        ...(commentId !== undefined && { comment_id: commentId }),
        ...factsOfMentions(mentioned, bugId),
        ...(flags.length > 0 && { flags }),
      },
    }))
}

/** Events of the other bugs that changed as a consequence. */
function eventsElsewhere(
  { editor, at }: Batch,
  others: readonly BugChange[],
  history: WrittenLines,
  effect?: DuplicateEffect,
): BugEvent[] {
  const lines = Map.groupBy(others, ({ bugId }) => bugId)
  const ids = new Set([...lines.keys(), ...(effect ? [effect.bugId] : [])])
  return [...ids].map((bugId) => ({
    kind: 'bug.update',
    bugId,
    who: editor.id,
    at,
    facts: {
      changes: asChanges(lines.get(bugId) ?? []),
      history: history.get(bugId) ?? [],
      ...(effect?.bugId === bugId && { comment_id: effect.commentId }),
    },
  }))
}
