import type { Changes } from '../../changes/audit.ts'
import { changesBetween } from '../../changes/changes-between.ts'
import type { BugChange } from '../../changes/record-bug-changes.ts'
import type { FlagChanges } from '../flags/flag-changes.ts'
import {
  type AttachmentDescription,
  type AttachmentEdit,
  FLAGS_FIELD,
  HISTORY_NAMES,
  NOTHING_SAID,
} from './attachment.ts'

/** What changed, in the interface's form. */
export function changesOf({ before, after }: AttachmentEdit, flags: FlagChanges): Changes {
  return { ...changesBetween({ ...(before ?? NOTHING_SAID) }, { ...after }), ...changesOfFlags(flags) }
}

export function changesOfFlags({ removed, added }: FlagChanges): Changes {
  if (removed.length === 0 && added.length === 0) return {}
  return { [FLAGS_FIELD]: { removed: removed.join(', '), added: added.join(', ') } }
}

/** The same as lines of the bug's history, where an attachment's fields have other names. */
export function historyOf(bugId: number, attachmentId: number, changes: Changes): BugChange[] {
  return Object.entries(changes).map(([field, change]) => ({
    bugId,
    attachmentId,
    field: Object.hasOwn(HISTORY_NAMES, field) ? HISTORY_NAMES[field as keyof AttachmentDescription] : field,
    ...change,
  }))
}

/** People who joined the CC list, as a line of the bug's history. */
export function historyOfCopied(bugId: number, logins: readonly string[]): BugChange[] {
  return logins.length === 0 ? [] : [{ bugId, field: 'cc', removed: '', added: logins.join(', ') }]
}

/** Both together. A flag that was set only to be cancelled with the same call was never there. */
export function mergeFlagChanges(first: FlagChanges, then: FlagChanges): FlagChanges {
  return {
    removed: [...first.removed, ...then.removed.filter((words) => !first.added.includes(words))],
    added: first.added.filter((words) => !then.removed.includes(words)),
    cc: first.cc,
    facts: [...first.facts, ...then.facts],
  }
}
