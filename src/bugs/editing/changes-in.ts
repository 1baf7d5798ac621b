import type { FieldDefinitions } from '../../catalogue/fields/field.ts'
import type { Changes } from '../../changes/audit.ts'
import { dictionary } from '../../platform/text/dictionary.ts'
import { customChanges, customFieldsOf } from '../custom-values/custom-value.ts'
import type { BugState } from './bug-state.ts'

/**
 * The changes of a bug, with field names and values of the REST API. A list shows only the items that differ. Dependencies, flags
 * and work are recorded elsewhere.
 */
export function changesIn(before: BugState, after: BugState, fields: FieldDefinitions): Changes {
  const changes: Changes = {}
  for (const [field, [column, words]] of single) {
    if (before[column] === after[column]) continue
    const [removed, added] = [words(before, fields), words(after, fields)]
    if (removed !== added) changes[field] = { removed, added }
  }
  // compat: a component is another one in another product, even under the same name (observed 1.4).
  if (before.component_id !== after.component_id)
    changes.component = { removed: before.component, added: after.component }
  for (const [field, column] of Object.entries(HOURS))
    if (before[column] !== after[column])
      changes[field] = { removed: fixedHours(before[column]), added: shortHours(after[column]) }
  for (const [field, [list, items]] of lists) {
    // A list that no step has changed is the same array.
    if (before[list] === after[list]) continue
    const [old, now] = [items(before), items(after)]
    const removed = old.filter((item) => !now.includes(item)).join(', ')
    const added = now.filter((item) => !old.includes(item)).join(', ')
    if (removed !== added) changes[field] = { removed, added }
  }
  return { ...changes, ...customChanges(customFieldsOf(fields), before.custom, after.custom) }
}

type Words = (bug: BugState, fields: FieldDefinitions) => string

/** The column to compare, and the text of its value. Two versions in different products may have the same name. */
const SINGLE: Readonly<Record<string, readonly [column: keyof BugState, words: Words]>> = dictionary({
  product: ['product_id', (bug) => bug.product],
  version: ['version_id', (bug) => bug.version],
  target_milestone: ['milestone_id', (bug) => bug.milestone],
  status: ['status_id', (bug, fields) => nameOf(fields, bug.status_id)],
  resolution: ['resolution_id', (bug, fields) => nameOf(fields, bug.resolution_id)],
  is_confirmed: ['is_confirmed', (bug) => String(bug.is_confirmed)],
  dupe_of: ['dupe_of_id', (bug) => (bug.dupe_of_id === null ? '' : String(bug.dupe_of_id))],
  priority: ['priority_id', (bug, fields) => nameOf(fields, bug.priority_id)],
  severity: ['severity_id', (bug, fields) => nameOf(fields, bug.severity_id)],
  op_sys: ['op_sys_id', (bug, fields) => nameOf(fields, bug.op_sys_id)],
  platform: ['platform_id', (bug, fields) => nameOf(fields, bug.platform_id)],
  assigned_to: ['assigned_to_id', (bug) => bug.assigned_to],
  qa_contact: ['qa_contact_id', (bug) => bug.qa_contact ?? ''],
  summary: ['summary', (bug) => bug.summary],
  url: ['url', (bug) => bug.url],
  whiteboard: ['whiteboard', (bug) => bug.whiteboard],
  is_cc_accessible: ['is_cc_accessible', (bug) => String(bug.is_cc_accessible)],
  is_creator_accessible: ['is_creator_accessible', (bug) => String(bug.is_creator_accessible)],
  deadline: ['deadline', (bug) => bug.deadline ?? ''],
})

const HOURS = { estimated_time: 'estimated_hundredths', remaining_time: 'remaining_hundredths' } as const

const single = Object.entries(SINGLE)

const LISTS: Readonly<Record<string, readonly [keyof BugState, (bug: BugState) => readonly string[]]>> = dictionary({
  alias: ['aliases', (bug) => bug.aliases],
  keywords: ['keywords', (bug) => bug.keywords.map(({ name }) => name)],
  cc: ['cc', (bug) => bug.cc.map(({ login }) => login)],
  groups: ['groups', (bug) => bug.groups.map(({ name }) => name)],
  see_also: ['see_also', (bug) => bug.see_also.map(({ url }) => url)],
})

const lists = Object.entries(LISTS)

function nameOf(fields: FieldDefinitions, id: number) {
  return fields.valueWithId(id)?.name ?? ''
}

/** compat: old hours have two decimals, new hours as many as they need (semantics I). */
export function fixedHours(hundredths: number) {
  return (hundredths / 100).toFixed(2)
}

function shortHours(hundredths: number) {
  return String(hundredths / 100)
}
