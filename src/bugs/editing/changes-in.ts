import { bugFields } from '../../../shared/bug-fields/bug-fields.ts'
import type { FieldDefinitions } from '../../catalogue/fields/field.ts'
import type { Changes } from '../../changes/audit.ts'
import { dictionary } from '../../platform/text/dictionary.ts'
import { customChanges, customFieldsOf, customText } from '../custom-values/custom-value.ts'
import type { BugState } from './bug-state.ts'
import { comparerOf } from './column-comparer.ts'

/**
 * The changes of a bug, with field names and values of the REST API. A list shows only the items that differ. Dependencies, flags
 * and work are recorded elsewhere.
 */
export function changesIn(before: BugState, after: BugState, fields: FieldDefinitions): Changes {
  const changes: Changes = {}
  for (const { name, words } of differingSingle(before, after)) {
    const [removed, added] = [words(before, fields), words(after, fields)]
    if (removed !== added) changes[name] = { removed, added }
  }
  // compat: a component is another one in another product, even under the same name.
  if (before.component_id !== after.component_id)
    changes.component = { removed: before.component, added: after.component }
  for (const { name, column } of differingHours(before, after))
    changes[name] = { removed: fixedHours(before[column]), added: shortHours(after[column]) }
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

/** What a bug has in each field that can change: one text, or the items of a list. */
export function valuesOfBug(bug: BugState, fields: FieldDefinitions): Map<string, string | readonly string[]> {
  return new Map<string, string | readonly string[]>([
    ...SINGLE.map(({ name, words }) => [name, words(bug, fields)] as const),
    ['component', bug.component],
    ...HOURS.map(({ name, column }) => [name, fixedHours(bug[column])] as const),
    ...lists.map(([name, [, items]]) => [name, items(bug)] as const),
    ['depends_on', bug.depends_on.map(String)],
    ['blocks', bug.blocks.map(String)],
    ...customFieldsOf(fields).map((field) => [field.name, customText(field, bug.custom.get(field.id) ?? [])] as const),
  ])
}

type Words = (bug: BugState, fields: FieldDefinitions) => string

/** What the name of a place, user or bug is. Two versions in different products may have the same name. */
const NAMES: Readonly<Record<string, Words>> = dictionary({
  product: (bug) => bug.product,
  version: (bug) => bug.version,
  target_milestone: (bug) => bug.milestone,
  assigned_to: (bug) => bug.assigned_to,
  qa_contact: (bug) => bug.qa_contact ?? '',
})

const inOrderOfHistory = bugFields.toSorted((a, b) => (a.recordedAt ?? 15) - (b.recordedAt ?? 15))

/** The fields with one value that can change: the column to compare, and the text of its value. Hours and components are special. */
const SINGLE = inOrderOfHistory.flatMap(({ name, kind, column, changedBy }) => {
  if (column === undefined || changedBy === undefined || kind === 'hours' || name === 'component') return []
  const value = (bug: BugState) => bug[column]
  const words: Words | undefined = Object.hasOwn(NAMES, name)
    ? NAMES[name]
    : kind === 'choice'
      ? (bug, fields) => nameOf(fields, Number(value(bug)))
      : (bug) => String(value(bug) ?? '')
  return [{ name, column, words: words as Words }]
})

const differingSingle = comparerOf<BugState, (typeof SINGLE)[number]>(SINGLE)

const HOURS = bugFields.flatMap(({ name, kind, column, changedBy }) =>
  kind === 'hours' && changedBy !== undefined && column !== undefined && column !== 'actual_hundredths'
    ? [{ name, column: column as 'estimated_hundredths' | 'remaining_hundredths' }]
    : [],
)

const differingHours = comparerOf<BugState, (typeof HOURS)[number]>(HOURS)

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
