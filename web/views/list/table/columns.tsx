// The columns that a list can show.
import type { ComponentChildren } from 'preact'
import type { FieldList } from '../../../core/bugs/fields.ts'
import { isShownField } from '../../../core/bugs/hidden-fields.ts'
import type { Bug } from '../../../core/server/types.ts'
import { shortDate } from '../../../core/times.ts'
import { displayValue, Priority, Severity, Status } from '../../../parts/glyphs.tsx'
import { Person } from '../../../parts/person.tsx'
import { Time } from '../../../parts/time.tsx'
import { Summary } from '../criteria/summary.tsx'

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

export const USUAL_COLUMNS = [
  'priority',
  'id',
  'status',
  'summary',
  'severity',
  'component',
  'assigned_to',
  'last_change_time',
]

const STANDARD: readonly Column[] = [
  {
    name: 'priority',
    title: 'Priority',
    cell: 'c-pr',
    width: '24px',
    order: 'priority',
    isTitleHidden: true,
    show: ({ priority }) => <Priority value={priority} short />,
  },
  { name: 'id', title: 'ID', cell: 'c-id', width: '46px', order: 'bug_id', show: ({ id }) => id },
  {
    name: 'status',
    title: 'Status',
    cell: 'c-st',
    width: '24px',
    order: 'bug_status',
    isTitleHidden: true,
    show: ({ status, is_open: isOpen }) => <Status value={status} isOpen={isOpen} short />,
  },
  {
    name: 'summary',
    title: 'Summary',
    cell: 'c-sum',
    width: 'minmax(180px, 1fr)',
    order: 'short_desc',
    show: (bug) => <Summary bug={bug} />,
  },
  {
    name: 'severity',
    title: 'Severity',
    cell: 'c-sv',
    width: '112px',
    narrow: '24px',
    order: 'bug_severity',
    show: ({ severity }) => <Severity value={severity} short={severity === 'normal'} />,
  },
  text('component', 'Component', '96px', 'component', '84px'),
  {
    name: 'assigned_to',
    title: 'Assignee',
    cell: 'c-who',
    width: '104px',
    narrow: '88px',
    order: 'assigned_to',
    show: (bug) =>
      bug.assigned_to_detail === undefined ? (
        <span class="faint">–</span>
      ) : (
        <Person person={bug.assigned_to_detail} short />
      ),
  },
  time('last_change_time', 'Changed', 'changeddate'),
  time('creation_time', 'Filed', 'opendate'),
  text('product', 'Product', '112px', 'product'),
  text('version', 'Version', '72px', 'version'),
  text('target_milestone', 'Milestone', '80px', 'target_milestone'),
  text('resolution', 'Resolution', '84px', 'resolution'),
  text('creator', 'Reporter', '112px', 'reporter'),
  text('qa_contact', 'QA contact', '112px', 'qa_contact'),
  text('op_sys', 'System', '80px', 'op_sys'),
  text('platform', 'Platform', '80px', 'rep_platform'),
  text('keywords', 'Keywords', '112px', 'keywords'),
  text('whiteboard', 'Whiteboard', '112px', 'status_whiteboard'),
  text('alias', 'Alias', '96px', 'alias'),
  text('url', 'Address', '112px', 'bug_file_loc'),
  {
    name: 'deadline',
    title: 'Due',
    cell: 'c-ch faint',
    width: '72px',
    order: 'deadline',
    show: ({ deadline }) => (typeof deadline === 'string' && deadline !== '' ? shortDate(deadline) : '–'),
  },
]

function text(name: string, title: string, width: string, order?: string, narrow?: string): Column {
  const show = (bug: Bug) => plain((bug as unknown as Record<string, unknown>)[name])
  return {
    name,
    title,
    cell: 'c-comp cut muted',
    width,
    ...(narrow !== undefined && { narrow }),
    ...(order !== undefined && { order }),
    show,
  }
}

function time(name: 'last_change_time' | 'creation_time', title: string, order: string): Column {
  return { name, title, cell: 'c-ch faint', width: '72px', order, show: (bug) => <Time at={bug[name]} /> }
}

function plain(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ')
  return value === null || value === undefined || value === '' ? '–' : displayValue(String(value))
}

/** All columns, with the custom fields that are not long texts. */
export function allColumns(fields: FieldList): readonly Column[] {
  const custom = fields.all.filter(({ is_custom: isCustom, type }) => isCustom && type !== LARGE_TEXT)
  const standard = STANDARD.filter(({ name }) => isShownField(name))
  return [...standard, ...custom.map(({ name, display_name: title }) => text(name, title, '112px', name))]
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
