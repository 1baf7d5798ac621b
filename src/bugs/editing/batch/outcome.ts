import { viewerOf } from '../../../access/visibility/visible-bugs.ts'
import { TIME_FIELDS } from '../../../bug-fields/recorded-fields.ts'
import type { Changes } from '../../../changes/audit.ts'
import type { BugChange } from '../../../changes/record-bug-changes.ts'
import type { Db } from '../../../platform/database/db.ts'
import type { FlagFact } from '../../flags/flag-changes.ts'
import { visibleAmong } from '../../values/bug-refs.ts'
import type { Batch, BugEdit } from './batch.ts'

/** All changes of one bug, and the lines of its history. */
export interface Result {
  edit: BugEdit
  changes: Changes
  lines: BugChange[]
  commentId: number | undefined
  flags: FlagFact[]
  isTouched: boolean
}

/** The response about one bug. */
export interface BugUpdateResult {
  id: number
  aliases: readonly string[]
  changedAt: string
  /** Only changes that the caller may see. */
  changes: Changes
  /** All lines of its history, also those that the caller may not see. */
  lines: readonly BugChange[]
}

/** The response about each bug, with the changes that the caller may see. */
export async function outcomesOf(
  tx: Db,
  batch: Batch,
  results: ReadonlyMap<number, Result>,
): Promise<BugUpdateResult[]> {
  const left = [...results.values()].flatMap(({ changes }) => Number(changes.dupe_of?.removed) || [])
  const seen = await visibleAmong(tx, batch.settings, viewerOf(batch.editor), left)
  const hides = (field: string, id: string) => field === 'dupe_of' && id !== '' && !seen.has(Number(id))
  return [...results.values()].map(({ edit, changes, lines, isTouched }) => ({
    id: edit.before.id,
    aliases: edit.after.aliases,
    changedAt: isTouched ? batch.at : edit.before.changed_at,
    changes: shownChanges(edit, changes, hides),
    lines,
  }))
}

/** Removes hours, which also change with the status, unless the caller tracks time; and numbers of bugs that they cannot see. */
function shownChanges({ rights }: BugEdit, changes: Changes, hides: (field: string, id: string) => boolean): Changes {
  const shown: Changes = {}
  for (const [field, { removed, added }] of Object.entries(changes)) {
    const isSecret = TIME_FIELDS.has(field) && !rights.isTimeTracker
    const isHidden = hides(field, removed)
    if (!isSecret && !(isHidden && added === '')) shown[field] = { removed: isHidden ? '' : removed, added }
  }
  return shown
}
