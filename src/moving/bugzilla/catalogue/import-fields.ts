import { FIELD_TYPE, isProductSpecific } from '../../../catalogue/fields/field.ts'
import { STANDARD_FIELDS } from '../../../catalogue/fields/standard-fields.ts'
import type { ConfigurationTransaction } from '../../../platform/database/db.ts'
import { insertRows, type NewRow } from '../../../platform/database/insert-rows.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import type { Flag } from '../../../platform/database/tables.ts'
import { flagOf, type ImportContext, isId, numberOf, stagedText } from '../import-context.ts'
import type { StagedRow } from '../staging/staging.ts'
import { importValues, type ValueIds } from './import-values.ts'
import type { ImportedField } from './imported-field.ts'

const control = statement<{ id: number; visibility: number | null; value: number | null }>()((q, p) =>
  q.updateTable('fields').set({ visibility_field_id: p.visibility, value_field_id: p.value }).where('id', '=', p.id),
)

/** Fields with their numbers, their values, and which values of other fields they depend on; then the workflow. */
export async function importFields(context: ImportContext, tx: ConfigurationTransaction): Promise<'done'> {
  const { staging, journal } = context
  const source = staging.all('select * from fielddefs order by id')
  const fields = fieldsIn(context, source)
  await insertRows(
    tx,
    'fields',
    fields.map(({ row }) => row),
  )
  const byId = new Map(fields.map(({ field }) => [field.id, field]))
  const values = await importValues(context, tx, [...byId.values()])
  await importControls(context, tx, source, byId)
  await importVisibility(context, tx, source, byId, values)
  await importWorkflow(context, tx, values)
  journal.made(
    'fielddefs',
    source.filter((row) => byId.get(numberOf(row.id) ?? 0)?.name === stagedText(row.name)).length,
  )
  return 'done'
}

interface NewField {
  field: ImportedField
  row: NewRow<'fields'>
}

function fieldsIn(context: ImportContext, source: readonly StagedRow[]): NewField[] {
  const { journal } = context
  const standard = new Map(STANDARD_FIELDS.map((field) => [field.name, field]))
  const columns = new Set(context.staging.dumpTables().get('bugs'))
  const made: NewField[] = []
  const names = new Set<string>()
  const add = (
    row: StagedRow,
    {
      id,
      name,
      type,
      isCustom,
      isMandatory,
    }: Omit<ImportedField, 'isInSource' | 'controllerId'> & { isMandatory: Flag },
  ) => {
    const isInSource = names.has(name)
    made.push({
      field: { id, name, type, isCustom, isInSource, controllerId: numberOf(row.value_field_id) ?? null },
      row: {
        id,
        name,
        display_name: stagedText(row.description) || name,
        description: stagedText(row.long_desc),
        type,
        is_custom: isCustom ? 1 : 0,
        is_mandatory: isMandatory,
        is_on_bug_entry: flagOf(row.enter_bug),
        is_obsolete: flagOf(row.obsolete),
        is_in_new_mail: flagOf(row.mailhead),
        sort_key: numberOf(row.sortkey) ?? 0,
        reverse_name: stagedText(row.reverse_desc),
      },
    })
  }
  for (const row of source) {
    const [id, name] = [numberOf(row.id), stagedText(row.name)]
    const own = standard.get(name)
    if (!isId(id) || names.has(name) || made.some(({ field }) => field.id === id))
      journal.refuse('fielddefs', stagedText(row.id), 'its number or its name cannot be used', row)
    else if (own !== undefined) {
      names.add(name)
      add(row, { id, name, type: own.type, isCustom: false, isMandatory: own.is_mandatory ? 1 : 0 })
    } else if (flagOf(row.custom) === 0) journal.refuse('fielddefs', name, 'there is no such field here', row)
    else {
      const type = customType(context, name, numberOf(row.type) ?? 0, columns)
      if (type === undefined) journal.refuse('fielddefs', name, 'its values are not in the dump', row)
      else {
        names.add(name)
        add(row, { id, name, type, isCustom: true, isMandatory: flagOf(row.is_mandatory) })
      }
    }
  }
  let next = Math.max(0, ...made.map(({ field }) => field.id))
  for (const field of STANDARD_FIELDS)
    if (!names.has(field.name)) {
      const row = { description: field.display_name, mailhead: field.is_in_new_mail ? 1 : 0, sortkey: 5000 + next }
      const { name, type, is_mandatory } = field
      add(row, { id: ++next, name, type, isCustom: false, isMandatory: is_mandatory ? 1 : 0 })
      journal.note('fielddefs', next, `created: the field ${field.name} was missing`)
    }
  return made
}

const CUSTOM_TYPES: ReadonlySet<number> = new Set([
  FIELD_TYPE.freeText,
  FIELD_TYPE.singleSelect,
  FIELD_TYPE.multiSelect,
  FIELD_TYPE.largeText,
  FIELD_TYPE.dateTime,
  FIELD_TYPE.bugId,
  FIELD_TYPE.date,
  FIELD_TYPE.integer,
])

/** A custom field of a type that an extension has added becomes free text, if bugs have a column for it. */
function customType(
  { staging, journal }: ImportContext,
  name: string,
  type: number,
  columns: ReadonlySet<string>,
): number | undefined {
  const tables = staging.dumpTables()
  if (type === FIELD_TYPE.multiSelect) return tables.has(`bug_${name}`) || tables.has(name) ? type : undefined
  if (!columns.has(name)) return undefined
  if (CUSTOM_TYPES.has(type)) return type
  journal.note('fielddefs', name, `its type ${type} is unknown; it became free text`)
  return FIELD_TYPE.freeText
}

/** Which field decides whether a field is shown, and which of its values. */
async function importControls(
  { journal }: ImportContext,
  tx: ConfigurationTransaction,
  source: readonly StagedRow[],
  fields: ReadonlyMap<number, ImportedField>,
) {
  const productId = [...fields.values()].find(({ name }) => name === 'product')?.id ?? null
  for (const field of fields.values()) {
    const row = source.find((it) => numberOf(it.id) === field.id && stagedText(it.name) === field.name)
    const existing = (value: unknown) => {
      const id = numberOf(value as number | null)
      if (id === undefined) return null
      if (fields.has(id)) return id
      journal.note('fielddefs', field.id, `the field ${id} that it depends on does not exist; it depends on none now`)
      return null
    }
    const visibility = row === undefined ? null : existing(row.visibility_field_id)
    const value = isProductSpecific(field.name) ? productId : row === undefined ? null : existing(row.value_field_id)
    if (visibility !== null || value !== null) await tx.all(control, { id: field.id, visibility, value })
  }
}

async function importVisibility(
  { staging, journal }: ImportContext,
  tx: ConfigurationTransaction,
  source: readonly StagedRow[],
  fields: ReadonlyMap<number, ImportedField>,
  values: ValueIds,
) {
  const rows = new Map<string, NewRow<'field_visibility_values'>>()
  for (const row of staging.all('select * from field_visibility')) {
    const fieldId = numberOf(row.field_id) ?? 0
    const controllerId = numberOf(source.find((it) => numberOf(it.id) === fieldId)?.visibility_field_id) ?? 0
    const controller = fields.get(controllerId)
    const id = controller === undefined ? undefined : values.idOf(controller, numberOf(row.value_id) ?? 0)
    if (!fields.has(fieldId) || id === undefined) {
      journal.refuse(
        'field_visibility',
        `${fieldId} ${stagedText(row.value_id)}`,
        'the field or the value does not exist',
        row,
      )
      continue
    }
    rows.set(`${fieldId} ${id}`, { field_id: fieldId, value_id: id })
    journal.made('field_visibility')
  }
  await insertRows(tx, 'field_visibility_values', [...rows.values()])
}

async function importWorkflow({ staging, journal }: ImportContext, tx: ConfigurationTransaction, values: ValueIds) {
  const rows = new Map<string, NewRow<'workflow_transitions'>>()
  for (const row of staging.all('select * from status_workflow')) {
    const from = row.old_status === null ? null : values.statusOf(numberOf(row.old_status) ?? 0)
    const to = values.statusOf(numberOf(row.new_status) ?? 0)
    const key = `${stagedText(row.old_status)} → ${stagedText(row.new_status)}`
    if (from === undefined || to === undefined) journal.refuse('status_workflow', key, 'a status does not exist', row)
    else if (from === to || rows.has(`${from} ${to}`)) journal.joined('status_workflow')
    else {
      const comment_required = flagOf(row.require_comment)
      rows.set(`${from} ${to}`, { from_status_id: from, to_status_id: to, comment_required })
      journal.made('status_workflow')
    }
  }
  await insertRows(tx, 'workflow_transitions', [...rows.values()])
}
