import { IMPORTED } from '../../../changes/current-change.ts'
import type { NewRow } from '../../../platform/database/insert-rows.ts'
import { type ConversionContext, isId, numberOf, stagedText } from '../import-context.ts'
import type { StagedRow } from '../staging/staging.ts'
import { type BugLookup, userIn } from './bug-lookup.ts'
import { type BugPart, rowsOfBugs } from './bug-part.ts'

interface Change {
  row: StagedRow
  field: string
  removed: string
  added: string
  lastRemoved: string
  lastAdded: string
}

/** The history. Long values that Bugzilla has split over several rows are one again. */
export function changesOf(
  context: ConversionContext,
  part: BugPart,
  lookup: BugLookup,
  rewrite: (url: string) => string,
): NewRow<'bug_changes'>[] {
  const { journal, zone } = context
  const changes: Change[] = []
  for (const row of rowsOfBugs(context, part, 'bugs_activity', 'bug_id, id')) {
    const field = lookup.historyNames.get(numberOf(row.fieldid) ?? -1)
    if (field === undefined)
      journal.refuse('bugs_activity', stagedText(row.id), `its field ${stagedText(row.fieldid)} does not exist`, row)
    else if (userIn(lookup, row.who) === undefined || !isId(numberOf(row.id)))
      journal.refuse('bugs_activity', stagedText(row.id), 'its author or its number cannot be used', row)
    else addChange(journal, changes, row, field)
  }
  return changes.map(({ row, field, removed, added }) => {
    const at = zone.toUtc(stagedText(row.bug_when))
    if (at === undefined)
      journal.note('bugs_activity', stagedText(row.id), 'its time is impossible; the time of the import stands for it')
    const shown = field === 'see_also' ? rewrite : (text: string) => text
    return {
      id: numberOf(row.id) as number,
      bug_id: numberOf(row.bug_id) as number,
      user_id: userIn(lookup, row.who) as number,
      at: at ?? journal.begunAt,
      field,
      removed: shown(removed),
      added: shown(added),
      attachment_id: numberOf(row.attach_id) ?? null,
      comment_id: numberOf(row.comment_id) ?? null,
      change_id: IMPORTED,
    }
  })
}

function addChange(journal: ConversionContext['journal'], changes: Change[], row: StagedRow, field: string) {
  const [removed, added] = [stagedText(row.removed), stagedText(row.added)]
  const last = changes.at(-1)
  if (last === undefined || !isSameChange(last.row, row)) {
    changes.push({ row, field, removed, added, lastRemoved: removed, lastAdded: added })
    journal.made('bugs_activity')
    return
  }
  last.removed = joined(field, last.removed, last.lastRemoved, removed)
  last.added = joined(field, last.added, last.lastAdded, added)
  last.lastRemoved = removed
  last.lastAdded = added
  journal.joined('bugs_activity')
}

const KEY = ['bug_id', 'who', 'bug_when', 'fieldid', 'attach_id', 'comment_id']

function isSameChange(one: StagedRow, other: StagedRow) {
  return other.is_whole !== 1 && KEY.every((column) => one[column] === other[column])
}

const LONGEST_PIECE = 254

/**
 * Puts two pieces together. Newer releases keep the separator at the beginning of the next piece; older ones have
 * dropped it.
 */
export function joined(field: string, whole: string, piece: string, next: string): string {
  if (next === '') return whole
  if (whole === '') return next
  const isContinued = /^[,\s]/.test(next) || piece.length >= LONGEST_PIECE || piece.endsWith('-')
  return isContinued ? whole + next : whole + separatorOf(field) + next
}

function separatorOf(field: string) {
  if (['depends_on', 'blocks', 'see_also'].includes(field)) return ', '
  return field === 'url' ? '' : ' '
}
