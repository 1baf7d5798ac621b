import { fieldOfColumn, restNameOf } from '../../../shared/bug-fields/field-names.ts'
import type { RequestParams } from '../../platform/wire/params.ts'
import { kindOfField } from '../reading/bug-fields.ts'
import { type BugReadContext, FIELD_NAMES } from '../reading/bug-json.ts'

/** The default columns. */
const SHIPPED = [
  'id',
  'product',
  'component',
  'assigned_to',
  'status',
  'resolution',
  'summary',
  'last_change_time',
] as const

/**
 * The requested columns, in the requested order: from include_fields and exclude_fields, or from the search form's columnlist, to
 * which the number of the bug is always added as the first column. Names that are not fields are ignored.
 */
export function columnsFor(
  rawParams: RequestParams,
  { select, fields }: Pick<BugReadContext, 'select' | 'fields'>,
): readonly string[] {
  const custom = fields.all.filter(({ is_custom, is_obsolete }) => is_custom === 1 && is_obsolete === 0)
  const known = [...FIELD_NAMES, ...custom.map(({ name }) => name)]
  if (rawParams.include_fields === undefined && rawParams.exclude_fields === undefined)
    return listed(namesIn(rawParams.columnlist), known)
  const named = namesIn(rawParams.include_fields)
  const wanted = known.filter((name) => select.wants(name, kindOfField(name)))
  return [...named.filter((name) => wanted.includes(name)), ...wanted.filter((name) => !named.includes(name))]
}

function listed(columns: readonly string[], known: readonly string[]): readonly string[] {
  if (columns.length === 0) return SHIPPED
  if (columns.includes('all')) return known.filter((name) => kindOfField(name) !== 'extra')
  const names = columns.map(fieldOf)
  return [...new Set(['id', ...names.filter((name) => known.includes(name))])]
}

function fieldOf(column: string): string {
  // A column has the sum of hours, which the history calls otherwise.
  return column === 'work_time' ? 'actual_time' : restNameOf(fieldOfColumn(column))
}

function namesIn(input: unknown): string[] {
  const texts = (Array.isArray(input) ? input : [input]).filter((it) => typeof it === 'string')
  return [...new Set(texts.flatMap((it: string) => it.split(/[\s,+]+/)).filter((name) => name !== ''))]
}
