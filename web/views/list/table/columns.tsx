// The columns that a list can show.
import type { ComponentChildren } from 'preact'
import type { FieldName } from '../../../../shared/bug-fields/bug-fields.ts'
import { fieldNameOf, findField } from '../../../../shared/bug-fields/field-names.ts'
import { COLUMNS, USUAL_COLUMNS } from '../../../core/bugs/field-places.ts'
import { displayOf, type FieldList, standardLabel } from '../../../core/bugs/fields.ts'
import { isShownField } from '../../../core/bugs/hidden-fields.ts'
import type { Bug, Field } from '../../../core/server/types.ts'
import { shortDate } from '../../../core/times.ts'
import { displayValue, Priority, Severity, Status } from '../../../parts/glyphs.tsx'
import { Person } from '../../../parts/person.tsx'
import { Time } from '../../../parts/time.tsx'
import { Summary } from '../criteria/summary.tsx'

const CUSTOM_WIDTH = '112px'

export interface Column {
  /** The name of the field in a bug. */
  name: string
  title: string
  /** Of the cell, which decides its look. */
  cell: string
  width: string
  /** Where the list is narrow. */
  narrow?: string
  /** Its name in `order`; absent where the list cannot be sorted by it. */
  order?: string
  /** The title is only for screen readers: what is in the column explains itself. */
  isTitleHidden?: boolean
  show(bug: Bug): ComponentChildren
}

/** Cells of fields that are shown in their own way. */
const SPECIAL: Readonly<Partial<Record<FieldName, Pick<Column, 'cell' | 'show'>>>> = {
  priority: { cell: 'cell-priority', show: ({ priority }) => <Priority value={priority} short /> },
  id: { cell: 'cell-id', show: ({ id }) => id },
  status: {
    cell: 'cell-status',
    show: ({ status, is_open: isOpen }) => <Status value={status} isOpen={isOpen} short />,
  },
  summary: { cell: 'cell-summary', show: (bug) => <Summary bug={bug} /> },
  severity: {
    cell: 'cell-severity',
    show: ({ severity }) => <Severity value={severity} short={severity === 'normal'} />,
  },
  assigned_to: {
    cell: 'cell-person',
    show: (bug) =>
      bug.assigned_to_detail === undefined ? (
        <span class="faint">–</span>
      ) : (
        <Person person={bug.assigned_to_detail} short />
      ),
  },
}

/** A cell by the kind of its field. */
function cellOf(name: string): Pick<Column, 'cell' | 'show'> {
  const valueIn = (bug: Bug) => (bug as unknown as Record<string, unknown>)[name]
  const text = (bug: Bug) => String(valueIn(bug) ?? '')
  switch (findField(name)?.kind) {
    case 'time':
      return { cell: 'cell-time faint', show: (bug) => <Time at={text(bug)} /> }
    case 'date':
      return { cell: 'cell-time faint', show: (bug) => (text(bug) === '' ? '–' : shortDate(text(bug))) }
    default:
      return { cell: 'cell-text truncated muted', show: (bug) => plain(valueIn(bug)) }
  }
}

const STANDARD: readonly Column[] = COLUMNS.map((name) => ({
  name,
  title: standardLabel(name),
  width: CUSTOM_WIDTH,
  order: fieldNameOf(name),
  ...displayOf(name).column,
  ...(SPECIAL[name] ?? cellOf(name)),
}))

function plain(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ')
  return value === null || value === undefined || value === '' ? '–' : displayValue(String(value))
}

/** All columns, with the custom fields that are not long texts. */
export function allColumns(fields: FieldList): readonly Column[] {
  const custom = fields.all.filter(({ is_custom: isCustom, type }) => isCustom && type !== LARGE_TEXT)
  const standard = STANDARD.filter(({ name }) => isShownField(name))
  return [...standard, ...custom.map(customColumn)]
}

function customColumn({ name, display_name: title }: Field): Column {
  return { name, title, width: CUSTOM_WIDTH, order: name, ...cellOf(name) }
}

const LARGE_TEXT = 4

/** Those that the address names; the number and the summary are always there. */
export function chosenColumns(query: URLSearchParams, fields: FieldList): readonly Column[] {
  const all = allColumns(fields)
  const named = (query.get('columns') ?? '').split(',').filter((name) => all.some((column) => column.name === name))
  const names = named.length === 0 ? USUAL_COLUMNS : withNeeded(named)
  return names.flatMap((name) => all.find((column) => column.name === name) ?? [])
}

function withNeeded(names: readonly string[]) {
  return [...['id', 'summary'].filter((name) => !names.includes(name)), ...names]
}
