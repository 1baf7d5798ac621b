import { bugFields } from '../../../shared/bug-fields/bug-fields.ts'
import { fieldsWith } from '../../bug-fields/fields-with.ts'
import type { BugColumn } from '../../platform/database/tables.ts'
import { dictionary } from '../../platform/text/dictionary.ts'
import type { FieldKind, FieldSelection } from '../../platform/wire/field-selection.ts'

/** The fields of a bug that are returned only on request, with those of the discussion. */
const EXTRA_FIELDS: ReadonlySet<string> = new Set([
  ...fieldsWith(({ returned }) => returned === 'on request'),
  'description',
  'comments',
  'history',
  'attachments',
  'comment_count',
])

export function kindOfField(field: string): FieldKind {
  if (field.startsWith('cf_')) return 'custom'
  return EXTRA_FIELDS.has(field) ? 'extra' : 'default'
}

/** The parts of a bug, each with the fields that need it. A part that no requested field needs is not read. */
const PARTS = {
  classification: ['classification'],
  product: ['product', 'classification'],
  component: ['component'],
  version: ['version'],
  milestone: ['target_milestone'],
  creator: ['creator', 'creator_detail'],
  assignee: ['assigned_to', 'assigned_to_detail'],
  qaContact: ['qa_contact', 'qa_contact_detail'],
  cc: ['cc', 'cc_detail'],
  aliases: ['alias'],
  keywords: ['keywords'],
  groups: ['groups'],
  dependsOn: ['depends_on'],
  blocks: ['blocks'],
  seeAlso: ['see_also'],
  dupeOf: ['dupe_of'],
  duplicates: ['duplicates'],
  flags: ['flags'],
  tags: ['tags'],
  codeStates: ['code_state'],
} as const satisfies Record<string, readonly string[]>

export type ViewPart = keyof typeof PARTS | 'custom'

const NAMES = Object.keys(PARTS) as (keyof typeof PARTS)[]

const parts = {
  with: new WeakMap<FieldSelection, ReadonlySet<ViewPart>>(),
  without: new WeakMap<FieldSelection, ReadonlySet<ViewPart>>(),
}

/** The parts that a selection of fields needs. Computed once per selection, because most requests share one. */
export function partsFor(select: FieldSelection, hasCustomFields: boolean): ReadonlySet<ViewPart> {
  const known = hasCustomFields ? parts.with : parts.without
  const found = known.get(select) ?? neededParts(select, hasCustomFields)
  known.set(select, found)
  return found
}

function neededParts(select: FieldSelection, hasCustomFields: boolean): ReadonlySet<ViewPart> {
  const wanted: ViewPart[] = NAMES.filter((part) =>
    PARTS[part].some((field) => select.wants(field, kindOfField(field))),
  )
  if (hasCustomFields) wanted.push('custom')
  return new Set(wanted)
}

/** The columns that the requested fields need, with those by which a bug is recognised. Computed once per selection. */
export function columnsFor(select: FieldSelection): readonly BugColumn[] {
  const known = columns.get(select)
  if (known !== undefined) return known
  const wanted = bugFields.filter(
    ({ name, returned }) => returned !== undefined && select.wants(name, kindOfField(name)),
  )
  const needed = wanted.flatMap(({ name, column }) => (column as BugColumn | undefined) ?? COLUMN_OF[name] ?? [])
  const found = [...new Set<BugColumn>(['id', 'revision', ...needed])].filter((column) => column !== 'dupe_of_id')
  columns.set(select, found)
  return found
}

const columns = new WeakMap<FieldSelection, readonly BugColumn[]>()

/** Of fields that have no column of their own. */
const COLUMN_OF: Readonly<Record<string, BugColumn>> = dictionary({
  is_open: 'status_id',
  classification: 'product_id',
  creator_detail: 'creator_id',
  assigned_to_detail: 'assigned_to_id',
  qa_contact_detail: 'qa_contact_id',
  triage_owner: 'component_id',
  triage_owner_detail: 'component_id',
})
