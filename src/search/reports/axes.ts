import { type RawBuilder, sql } from 'kysely'
import type { NamedTable } from '../../../shared/bug-fields/bug-field.ts'
import { bugFields } from '../../../shared/bug-fields/bug-fields.ts'
import { fieldNameOf, restNameOf } from '../../../shared/bug-fields/field-names.ts'
import { FIELD_TYPE, type FieldDefinition, type FieldDefinitions, VALUE_COLUMNS } from '../../catalogue/fields/field.ts'
import type { BugColumn } from '../../platform/database/tables.ts'
import { errors } from '../../platform/errors.ts'
import { dictionary } from '../../platform/text/dictionary.ts'

/** One axis of a report: the field by which bugs are divided. */
export interface Axis {
  /** Bugzilla's name of the field. */
  readonly field: string
  /** The id by which a bug is counted. */
  readonly id: RawBuilder<number | string | null>
  /** Where a bug has several ids, and is counted under each: the rows to join, one for each id. */
  readonly rows?: RawBuilder<unknown>
  readonly names: NameSource
}

/** Where the names of the ids are: in the values of a field, or in a table. A number is its own name. */
export type NameSource = { values: FieldDefinition } | { table: NamedTable } | { areNumbers: true }

/** The fields with one value that has a row in a table. */
const COLUMNS: ReadonlyMap<string, { column: BugColumn; table: NamedTable }> = new Map(
  bugFields.flatMap(({ name, searchName, kind, column, table, of }) =>
    column !== undefined && table !== undefined && of === undefined && (kind === 'place' || kind === 'user')
      ? [[searchName ?? name, { column, table }]]
      : [],
  ),
)

/** The fields that are numbers of the bug. */
const NUMBERS: ReadonlyMap<string, BugColumn> = new Map(
  bugFields.flatMap(({ name, searchName, kind, column }) =>
    column !== undefined && kind === 'number' ? [[searchName ?? name, column]] : [],
  ),
)

const CHOICES: Readonly<Record<string, string>> = dictionary(VALUE_COLUMNS)

/** The axis of a field, by its name in the REST API or in Bugzilla. Each axis joins rows of its own. */
export function axisNamed(fields: FieldDefinitions, name: string, axisName: AxisName): Axis {
  const field = fieldNameOf(name.trim())
  const axis = standardAxis(fields, field, axisName) ?? customAxis(fields.named(field), axisName)
  if (axis === undefined)
    throw errors.bad_value({
      name: `${axisName}_axis_field`,
      value: name,
      right: `it must be one of ${axisNames(fields)}`,
    })
  return axis
}

export type AxisName = 'x' | 'y' | 'z'

function standardAxis(fields: FieldDefinitions, field: string, axisName: AxisName): Axis | undefined {
  const own = COLUMNS.get(field)
  if (own !== undefined) return { field, id: sql.ref(`bugs.${own.column}`), names: { table: own.table } }
  const number = NUMBERS.get(field)
  if (number !== undefined) return { field, id: sql.ref(`bugs.${number}`), names: { areNumbers: true } }
  if (Object.hasOwn(CHOICES, field)) {
    const values = fields.named(field)
    return values && { field, id: sql.ref(`bugs.${CHOICES[field]}`), names: { values } }
  }
  if (field === 'classification') {
    const id = sql<number>`(select products.classification_id from products where products.id = bugs.product_id)`
    return { field, id, names: { table: 'classifications' } }
  }
  if (field === 'keywords') {
    const rows = sql`bug_keywords as ${sql.ref(axisName)} on ${sql.ref(`${axisName}.bug_id`)} = bugs.id`
    return { field, id: sql.ref(`${axisName}.keyword_id`), rows, names: { table: 'keywords' } }
  }
  return undefined
}

/** Custom select fields. Other custom fields have nearly as many values as there are bugs. */
function customAxis(field: FieldDefinition | undefined, axisName: AxisName): Axis | undefined {
  if (field === undefined || !isCustomChoice(field)) return undefined
  const rows = sql`bug_custom_values as ${sql.ref(axisName)} on ${sql.ref(`${axisName}.bug_id`)} = bugs.id
    and ${sql.ref(`${axisName}.field_id`)} = ${field.id}`
  return { field: field.name, id: sql.ref(`${axisName}.number_value`), rows, names: { values: field } }
}

function isCustomChoice({ is_custom, is_obsolete, type }: FieldDefinition) {
  return is_custom === 1 && is_obsolete === 0 && (type === FIELD_TYPE.singleSelect || type === FIELD_TYPE.multiSelect)
}

function axisNames(fields: FieldDefinitions): string {
  const custom = fields.all.filter(isCustomChoice).map(({ name }) => name)
  const standard = [...COLUMNS.keys(), ...NUMBERS.keys(), 'classification', ...Object.keys(CHOICES), 'keywords'].map(
    restNameOf,
  )
  return [...standard, ...custom].sort().join(', ')
}

/**
 * The same axis by the values that bugs had at a time: what the first change afterwards removed, which is a text that begins with `=`, and
 * otherwise the id that they still have, after `#`.
 */
export function axisAt(axis: Axis, axisName: AxisName, at: string): Axis {
  const field = restNameOf(axis.field)
  if (canCountBugTwice(axis) || axis.field === 'classification' || 'areNumbers' in axis.names)
    throw errors.bad_value({
      name: `${axisName}_axis_field`,
      value: field,
      right: 'its values in the past are not known, so that it cannot be combined with as_of',
    })
  // With anything but the bare column, SQLite begins with the changes of the bug, and not with all later changes of the field.
  const ofField = field === 'status' ? sql`bug_changes.field = 'status'` : sql`bug_changes.field || '' = ${field}`
  const removed = sql`(select bug_changes.removed from bug_changes where bug_changes.bug_id = bugs.id
    and ${ofField} and bug_changes.at > ${at} order by bug_changes.id limit 1)`
  return { ...axis, id: sql<string>`coalesce('=' || ${removed}, '#' || cast(${axis.id} as text))` }
}

/** Whether a bug can be counted several times along the axis. */
export function canCountBugTwice({ names, rows }: Axis) {
  return rows !== undefined && !('values' in names && names.values.type === FIELD_TYPE.singleSelect)
}
