import type { Changes } from '../../changes/audit.ts'
import { changesBetween } from '../../changes/changes-between.ts'
import type { BugChange } from '../../changes/record-bug-changes.ts'
import type { FlagChanges } from '../flags/flag-changes.ts'
import {
  type AttachmentDescription,
  type AttachmentEdit,
  EMPTY_DESCRIPTION,
  FLAGS_FIELD,
  HISTORY_NAMES,
} from './attachment.ts'

/** The changes of an attachment, in the form that the REST API returns. */
export function changesOf({ before, after }: AttachmentEdit, flags: FlagChanges): Changes {
  return { ...changesBetween({ ...(before ?? EMPTY_DESCRIPTION) }, { ...after }), ...changesOfFlags(flags) }
}

export function changesOfFlags({ removed, added }: FlagChanges): Changes {
  if (removed.length === 0 && added.length === 0) return {}
  return { [FLAGS_FIELD]: { removed: removed.join(', '), added: added.join(', ') } }
}

/** The changes as lines of the bug's history, where the fields of an attachment have other names. */
export function historyOf(bugId: number, attachmentId: number, changes: Changes): BugChange[] {
  return Object.entries(changes).map(([field, change]) => ({
    bugId,
    attachmentId,
    field: Object.hasOwn(HISTORY_NAMES, field) ? HISTORY_NAMES[field as keyof AttachmentDescription] : field,
    ...change,
  }))
}

/** The users who were added to the CC list, as a line of the bug's history. */
export function historyOfNewCc(bugId: number, logins: readonly string[]): BugChange[] {
  return logins.length === 0 ? [] : [{ bugId, field: 'cc', removed: '', added: logins.join(', ') }]
}

/** Joins two sets of changes. A flag that one call both sets and cancels appears in neither list. */
export function mergeFlagChanges(first: FlagChanges, then: FlagChanges): FlagChanges {
  return {
    removed: [...first.removed, ...then.removed.filter((words) => !first.added.includes(words))],
    added: first.added.filter((words) => !then.removed.includes(words)),
    cc: first.cc,
    facts: [...first.facts, ...then.facts],
  }
}
