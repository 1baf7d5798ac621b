import { emptyValueOf } from '../../../../shared/bug-fields/field-names.ts'
import { FIELD_TYPE, VALUE_COLUMNS } from '../../../catalogue/fields/field.ts'
import { SHIPPED_VALUES, SORT_KEY_STEP } from '../../../catalogue/fields/standard-fields.ts'
import type { ConfigurationTransaction } from '../../../platform/database/db.ts'
import { insertRows } from '../../../platform/database/insert-rows.ts'
import type { Flag } from '../../../platform/database/tables.ts'
import { dictionary } from '../../../platform/text/dictionary.ts'
import { fold } from '../../../platform/text/fold.ts'
import { flagOf, type ImportContext, numberOf, stagedText } from '../import-context.ts'
import type { StagedRow } from '../staging/staging.ts'
import type { ImportedField } from './imported-field.ts'

/** The new numbers of values: in Bugzilla each field has its own table, here all are in one. */
export interface ValueIds {
  /** The new number of a value of a field by its old number; also for products, components and classifications. */
  idOf(field: ImportedField, oldId: number): number | undefined
  statusOf(oldId: number): number | undefined
}

/** Fields whose values are objects of their own, which keep their numbers. */
const OBJECTS: Readonly<Record<string, string>> = dictionary({
  product: 'products',
  component: 'components',
  classification: 'classifications',
})

interface NewValue {
  id: number
  oldId: number | undefined
  field: ImportedField
  name: string
  sortKey: number
  isActive: Flag
  isOpen: Flag | null
  control: number | undefined
}

export function isSelect({ name, type, isCustom }: Pick<ImportedField, 'name' | 'type' | 'isCustom'>) {
  return isCustom
    ? type === FIELD_TYPE.singleSelect || type === FIELD_TYPE.multiSelect
    : Object.hasOwn(VALUE_COLUMNS, name)
}

/** The values of all choice fields, also those that only bugs have. */
export async function importValues(
  context: ImportContext,
  tx: ConfigurationTransaction,
  fields: readonly ImportedField[],
): Promise<ValueIds> {
  const values: NewValue[] = []
  for (const field of fields) if (isSelect(field)) addValues(context, values, field)
  const byOldId = new Map(
    values.flatMap((it) => (it.oldId === undefined ? [] : [[`${it.field.name} ${it.oldId}`, it.id] as const])),
  )
  const objects = new Map(
    Object.entries(OBJECTS).map(([name, table]) => [
      name,
      new Set(context.staging.all(`select id from ${table}`).map((row) => numberOf(row.id))),
    ]),
  )
  const idOf = (field: ImportedField, oldId: number) => {
    const own = objects.get(field.name)
    return own === undefined ? byOldId.get(`${field.name} ${oldId}`) : own.has(oldId) ? oldId : undefined
  }
  const byId = new Map(fields.map((field) => [field.id, field]))
  await insertRows(
    tx,
    'field_values',
    values.map((it) => ({
      id: it.id,
      field_id: it.field.id,
      name: it.name,
      name_key: fold(it.name),
      sort_key: it.sortKey,
      is_active: it.isActive,
      is_open: it.isOpen,
      visibility_value_id: controlOf(context, it, byId.get(it.field.controllerId ?? 0), idOf),
    })),
  )
  const status = fields.find(({ name }) => name === 'bug_status') as ImportedField
  return { idOf, statusOf: (oldId) => idOf(status, oldId) }
}

function controlOf(
  { journal }: ImportContext,
  value: NewValue,
  controller: ImportedField | undefined,
  idOf: ValueIds['idOf'],
): number | null {
  if (value.control === undefined) return null
  const id = controller === undefined ? undefined : idOf(controller, value.control)
  if (id === undefined)
    journal.note(
      value.field.name,
      value.oldId ?? '',
      'the value that it depends on does not exist; it is always offered now',
    )
  return id ?? null
}

function addValues(context: ImportContext, values: NewValue[], field: ImportedField) {
  const { staging, journal } = context
  const known = new Set<string>()
  const add = (value: Omit<NewValue, 'id' | 'field'>) => {
    known.add(fold(value.name))
    values.push({ ...value, id: values.length + 1, field })
  }
  const isStatus = field.name === 'bug_status'
  const shipped = (!field.isInSource && !isStatus && SHIPPED_VALUES.get(field.name)) || []
  for (const [index, name] of shipped.entries()) {
    const sortKey = (index + 1) * SORT_KEY_STEP
    add({ oldId: undefined, name, sortKey, isActive: 1, isOpen: null, control: undefined })
  }
  for (const row of valueRows(context, field)) {
    const name = stagedText(row.value)
    if (known.has(fold(name))) {
      journal.refuse(field.name, stagedText(row.id), 'the value is there twice', row)
      continue
    }
    add({
      oldId: numberOf(row.id),
      name,
      sortKey: numberOf(row.sortkey) ?? 0,
      isActive: row.isactive === undefined ? 1 : flagOf(row.isactive),
      isOpen: isStatus ? (row.is_open === undefined ? 1 : flagOf(row.is_open)) : null,
      control: numberOf(row.visibility_value_id),
    })
    journal.made(field.name)
  }
  const addMissing = (used: string, isOpen: Flag | null) => {
    // Custom fields may be empty.
    const name = used === '' && !field.isCustom ? emptyValueOf(field.name) : used
    if (known.has(fold(name)) || (name === '' && field.isCustom)) return
    add({ oldId: undefined, name, sortKey: 32_000, isActive: name === '' ? 1 : 0, isOpen, control: undefined })
    if (name !== '') journal.note(field.name, name, 'created as an inactive value: bugs have it, but the field has not')
  }
  if (field.name === 'resolution') addMissing('', null)
  for (const { name, is_open } of usedValues(staging, field)) addMissing(stagedText(name), isStatus ? is_open : null)
  if (!isStatus && !field.isCustom && known.size === 0) addMissing('', null)
}

function valueRows({ staging }: ImportContext, field: ImportedField): StagedRow[] {
  if (!field.isCustom) return staging.all(`select * from ${field.name} order by sortkey, value, id`)
  return staging.dumpTables().has(field.name)
    ? staging.all(`select * from "dump_${field.name}" order by sortkey, value, id`)
    : []
}

/** The values that bugs have. A bug without a resolution is open. */
function usedValues(staging: ImportContext['staging'], field: ImportedField): { name: string; is_open: Flag }[] {
  if (field.type !== FIELD_TYPE.multiSelect || !field.isCustom)
    return staging.all(
      `select "${field.name}" as name, max(resolution = '') as is_open from bugs group by 1 order by 1`,
    )
  return staging.dumpTables().has(`bug_${field.name}`)
    ? staging.all(`select distinct value as name, 0 as is_open from "dump_bug_${field.name}" order by 1`)
    : []
}
