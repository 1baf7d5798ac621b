import { LIST_FIELDS } from '../../bug-fields/recorded-fields.ts'
import { FIELD_TYPE, type FieldDefinition, type FieldDefinitions } from '../../catalogue/fields/field.ts'
import { ANSWER_MARK, DELETED_TEXT } from '../../changes/readable-history.ts'
import type { RequestParams } from '../../platform/wire/params.ts'
import { choicesIn, customFieldNamed } from '../custom-values/custom-value.ts'
import type { BugState } from '../editing/bug-state.ts'
import { updateParams } from '../editing/update-params.ts'
import { valuesIn } from '../history/history.ts'
import type { ReadLine } from '../history/read-history.ts'
import { aftermathOf, itemsToUndo, linesAfter, singleOf, valuesAmong } from './later-lines.ts'
import { planFlags } from './plan-flags-undo.ts'
import type { ChangeOfBug, Kept, UndoPlan } from './undo.ts'

/** Fields that depend on each other: if one has a conflict, all stay. */
const TOGETHER: readonly (readonly string[])[] = [
  ['status', 'resolution', 'is_confirmed'],
  ['product', 'component', 'version', 'target_milestone', 'groups'],
]

const KEPT: ReadonlyMap<string, Kept['kind']> = new Map([
  ['work_time', 'hours'],
  [DELETED_TEXT, 'comment_text'],
  [ANSWER_MARK, 'answer'],
])

/** How the change is undone on the bug: what was changed again since stays. */
export function planUndo(change: ChangeOfBug, fields: FieldDefinitions): UndoPlan {
  const plan: UndoPlan = { params: {}, conflicts: [], kept: [], impossible: [] }
  const byField = Map.groupBy(change.own, keyOf)
  const isMoved = byField.has('product')
  for (const own of byField.values()) {
    const [{ field, attachment_id, comment_id }] = own as [ReadLine]
    const kept = keptKind(field, attachment_id)
    if (kept !== undefined) plan.kept.push({ kind: kept, ...idOf(attachment_id ?? comment_id) })
    else planField(plan, change, fields, field, own)
  }
  for (const names of TOGETHER) {
    const isTogether = names.includes('product') ? isMoved : true
    if (isTogether) keepTogether(plan, change.own, names)
  }
  return plan
}

/** What of these lines an undo leaves as it is. */
export function planKept(own: readonly ReadLine[]): Kept[] {
  return [...Map.groupBy(own, keyOf).values()].flatMap(([line]) => {
    const { field, attachment_id, comment_id } = line as ReadLine
    const kind = keptKind(field, attachment_id)
    return kind === undefined ? [] : [{ kind, ...idOf(attachment_id ?? comment_id) }]
  })
}

function keptKind(field: string, attachmentId: number | null): Kept['kind'] | undefined {
  return attachmentId === null ? KEPT.get(field) : 'attachment'
}

/** Every comment and attachment has a history of its own. */
function keyOf({ field, attachment_id, comment_id }: ReadLine) {
  return `${field} ${attachment_id ?? ''} ${comment_id ?? ''}`
}

function idOf(id: number | null) {
  return id === null ? {} : { id }
}

function planField(
  plan: UndoPlan,
  change: ChangeOfBug,
  fields: FieldDefinitions,
  field: string,
  own: readonly ReadLine[],
) {
  const after = linesAfter(change, own)
  const custom = customFieldNamed(fields, field)
  if (field === 'flagtypes.name') return planFlags(plan, own, change.flags, after)
  if (LIST_FIELDS.has(field) || custom?.type === FIELD_TYPE.multiSelect)
    return planList(plan, { field, own, after, custom, state: change.state })
  const { removed, added } = singleOf(own)
  const { last, isUndone } = aftermathOf(own, after)
  if (isUndone || last?.added === removed) return
  if (last !== undefined) {
    plan.conflicts.push({ field, removed, added, now: last.added, later: last })
    return
  }
  if (field === 'longdescs.isprivate') {
    const known = plan.params.comment_is_private as Record<string, boolean> | undefined
    plan.params = { ...plan.params, comment_is_private: { ...known, [`${own[0]?.comment_id}`]: removed === '1' } }
  } else if (!Object.hasOwn(updateParams, field) && custom === undefined)
    plan.impossible.push({ field, why: 'there is no such field any more' })
  else plan.params = { ...plan.params, ...paramsFor(plan, change, field, removed) }
}

interface ListOfChange {
  field: string
  own: readonly ReadLine[]
  after: readonly ReadLine[]
  custom: FieldDefinition | undefined
  state: BugState
}

/** Of a list only the items that the change has added or removed are taken back. */
function planList(plan: UndoPlan, { field, own, after, custom, state }: ListOfChange) {
  const valuesOf = custom === undefined ? undefined : valuesAmong(custom.values.map(({ name }) => name))
  const { add, remove, conflicts } = itemsToUndo(own, after, valuesOf)
  plan.conflicts.push(...conflicts)
  if (add.length === 0 && remove.length === 0) return
  if (custom === undefined) {
    plan.params = { ...plan.params, [field]: { add, remove } }
    return
  }
  const current = choicesIn(custom, state.custom.get(custom.id) ?? [])
  plan.params = { ...plan.params, [field]: [...new Set([...current.filter((it) => !remove.includes(it)), ...add])] }
}

const FLAG_FIELDS = ['is_cc_accessible', 'is_creator_accessible', 'is_confirmed', 'restrict_comments']

function paramsFor(plan: UndoPlan, { own, duplicated }: ChangeOfBug, field: string, removed: string): RequestParams {
  if (FLAG_FIELDS.includes(field)) {
    // It follows from the status.
    if (field === 'is_confirmed' && own.some((line) => line.field === 'status')) return {}
    return { [field]: removed === '1' }
  }
  // An open bug has none.
  if (field === 'resolution' && removed === '') return {}
  if (field === 'resolution' && removed === 'DUPLICATE') {
    if (duplicated !== undefined) return { dupe_of: String(duplicated) }
    plan.impossible.push({ field, why: 'the bug of which it was a duplicate is not known' })
    return {}
  }
  const [first = ''] = field.startsWith('cf_') ? valuesOfLinks(removed) : [removed]
  return { [field]: first }
}

/** A link to a bug may stand beside others, of which the first counts. Any other text is one value. */
function valuesOfLinks(removed: string): string[] {
  return /^\d+(, \d+)+$/.test(removed) ? valuesIn(removed) : [removed]
}

/** What depends on a part that stays, stays too. */
function keepTogether(plan: UndoPlan, own: readonly ReadLine[], names: readonly string[]) {
  const conflict = plan.conflicts.find(({ field }) => names.includes(field))
  if (conflict === undefined) return
  const inPlan = new Set(plan.conflicts.map(({ field }) => field))
  for (const name of names) {
    const lines = own.filter(({ field, attachment_id }) => field === name && attachment_id === null)
    if (lines.length === 0 || inPlan.has(name)) continue
    const { removed, added } = singleOf(lines)
    plan.conflicts.push({ field: name, removed, added, now: added, later: conflict.later, staysWith: conflict.field })
  }
  plan.params = Object.fromEntries(
    Object.entries(plan.params).filter(
      ([name]) => !names.includes(name) && !(name === 'dupe_of' && names.includes('status')),
    ),
  )
  plan.impossible = plan.impossible.filter(({ field }) => !names.includes(field))
}
