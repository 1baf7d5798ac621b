import { fieldNameOf } from '../../../shared/bug-fields/field-names.ts'
import { FIELD_TYPE, type SelectField, VALUE_COLUMNS } from '../../catalogue/fields/field.ts'
import { fold } from '../../platform/text/fold.ts'
import { listIn } from '../rest-client/rest-server.ts'
import type { FetchStore } from './fetch-store.ts'
import {
  type JsonObject,
  propertyOf,
  restNumber,
  restObjects,
  restText,
  restTexts,
  restYes,
  restYesByDefault,
} from './rest-values.ts'
import type { ProductNumbers } from './stage-products.ts'
import type { StagingWriter } from './staging-writer.ts'

/** What bugs need to know about fields. */
export interface FieldNumbers {
  /** Custom fields with a column in the table of bugs. */
  readonly columns: readonly { name: string; type: number }[]
  readonly choices: readonly string[]
  /** The number of a field by its name in the history. */
  fieldOf(name: string): number
  keywordOf(name: string): number
}

const STANDARD = Object.keys(VALUE_COLUMNS) as SelectField[]

/** Fields, their values, the workflow and keywords. */
export function stageFields(store: FetchStore, writer: StagingWriter, products: ProductNumbers): FieldNumbers {
  const fields = fieldsIn(store)
  for (const table of ['fielddefs', 'field_visibility', 'status_workflow', 'keyworddefs'] as const)
    writer.sourceTable(table)
  for (const name of STANDARD) writer.sourceTable(name)
  const custom = fields.filter((field) => restYes(field.is_custom) === 1 && /^cf_\w+$/.test(restText(field.name)))
  for (const field of custom.filter(isChoice))
    writer.table(restText(field.name), ['id', 'value', 'sortkey', 'isactive', 'visibility_value_id'])
  const numbers = new Map<string, number>()
  for (const field of fields) {
    const id = restNumber(field.id)
    if (id !== undefined && id > 0) numbers.set(restText(field.name), id)
  }
  const valueNumberOf = (field: string, name: string) =>
    products.valueNumberOf(field, name) ?? valueNumbers(fields, field).get(fold(name))
  for (const field of fields) stageField(writer, field, numbers, valueNumberOf)
  for (const field of [...custom.filter(isChoice), ...fields.filter(({ name }) => isStandard(restText(name)))])
    stageValues(writer, field, valueNumberOf)
  stageWorkflow(writer, fields)
  return {
    columns: custom
      .filter((field) => restNumber(field.type) !== FIELD_TYPE.multiSelect)
      .map((field) => ({ name: restText(field.name), type: restNumber(field.type) ?? 0 })),
    choices: custom
      .filter((field) => restNumber(field.type) === FIELD_TYPE.multiSelect)
      .map((field) => restText(field.name)),
    fieldOf: numberingFields(writer, numbers),
    keywordOf: stageKeywords(writer, fields),
  }
}

/** Each name once: they become names of columns. */
function fieldsIn(store: FetchStore): JsonObject[] {
  const fields = new Map<string, JsonObject>()
  for (const field of restObjects(listIn(store.answer('field/bug'), 'fields'))) {
    const key = restText(field.name).toLowerCase()
    if (isName(restText(field.name)) && !fields.has(key)) fields.set(key, field)
  }
  return [...fields.values()]
}

function isName(name: string) {
  return /^[a-z][\w.]{0,63}$/.test(name)
}

function isStandard(name: string): name is SelectField {
  return Object.hasOwn(VALUE_COLUMNS, name)
}

function isChoice(field: JsonObject) {
  return restNumber(field.type) === FIELD_TYPE.singleSelect || restNumber(field.type) === FIELD_TYPE.multiSelect
}

type ValueOf = (field: string, name: string) => number | undefined

/** Values have no numbers in the REST API: they are numbered in their order. */
function valueNumbers(fields: readonly JsonObject[], name: string): Map<string, number> {
  const field = fields.find((it) => restText(it.name) === name)
  return new Map(restObjects(field?.values).map((value, index) => [fold(restText(value.name)), index + 1]))
}

function stageField(
  writer: StagingWriter,
  field: JsonObject,
  numbers: ReadonlyMap<string, number>,
  valueNumberOf: ValueOf,
) {
  const [id, controller] = [numbers.get(restText(field.name)), restText(field.visibility_field)]
  if (id === undefined) return
  writer.row('fielddefs', {
    id,
    name: restText(field.name),
    type: restNumber(field.type) ?? 0,
    custom: restYes(field.is_custom),
    description: restText(field.display_name),
    sortkey: restNumber(field.sort_key) ?? id * 10,
    enter_bug: restYes(field.is_on_bug_entry),
    is_mandatory: restYes(field.is_mandatory),
    visibility_field_id: numbers.get(controller) ?? null,
    value_field_id: numbers.get(restText(field.value_field)) ?? null,
  })
  for (const name of restTexts(field.visibility_values)) {
    const value = valueNumberOf(controller, name)
    if (value === undefined)
      writer.note('fielddefs', id, `it is shown with ${JSON.stringify(name)} of ${controller}, which is not there`)
    else writer.row('field_visibility', { field_id: id, value_id: value })
  }
}

function stageValues(writer: StagingWriter, field: JsonObject, valueNumberOf: ValueOf) {
  const name = restText(field.name)
  const values = restObjects(field.values)
  values.forEach((value, index) => {
    // The first status stands for bugs that do not exist yet.
    if (value.name === null) return
    const [control] = restTexts(value.visibility_values)
    writer.row(name, {
      id: index + 1,
      value: restText(value.name),
      sortkey: restNumber(value.sort_key) ?? restNumber(value.sortkey) ?? 0,
      isactive: restYesByDefault(value.is_active),
      visibility_value_id: control === undefined ? null : (valueNumberOf(restText(field.value_field), control) ?? null),
      ...(name === 'bug_status' ? { is_open: restYesByDefault(value.is_open) } : {}),
    })
  })
}

/** A source that shows no steps between statuses allows all of them. */
function stageWorkflow(writer: StagingWriter, fields: readonly JsonObject[]) {
  const statuses = restObjects(fields.find(({ name }) => name === 'bug_status')?.values)
  const numbers = valueNumbers(fields, 'bug_status')
  const steps = statuses.flatMap((from, index) =>
    restObjects(from.can_change_to).map((to) => ({
      from: from.name === null ? null : index + 1,
      to: numbers.get(fold(restText(to.name))) ?? 0,
      comment: restYes(to.comment_required),
    })),
  )
  const all = steps.length > 0 ? steps : stepsBetween(statuses)
  for (const { from, to, comment } of all)
    writer.row('status_workflow', { old_status: from, new_status: to, require_comment: comment })
}

function stepsBetween(statuses: readonly JsonObject[]) {
  const numbers = statuses.flatMap((status, index) => (status.name === null ? [] : index + 1))
  return [null, ...numbers].flatMap((from) =>
    numbers.filter((to) => to !== from).map((to) => ({ from, to, comment: 0 as const })),
  )
}

/** A field of the history that the source no longer has gets a number of its own. */
function numberingFields(writer: StagingWriter, numbers: Map<string, number>) {
  let last = Math.max(1000, ...numbers.values())
  return (name: string) => {
    const field = fieldNameOf(name)
    const known = numbers.get(field)
    if (known !== undefined) return known
    numbers.set(field, ++last)
    writer.row('fielddefs', { id: last, name: field, custom: 0 })
    return last
  }
}

function stageKeywords(writer: StagingWriter, fields: readonly JsonObject[]) {
  const numbers = new Map<string, number>()
  const add = (name: string, description: string) => {
    const id = numbers.size + 1
    numbers.set(fold(name), id)
    writer.row('keyworddefs', { id, name, description })
    return id
  }
  for (const value of restObjects(fields.find(({ name }) => name === 'keywords')?.values)) {
    const name = restText(value.name)
    if (name !== '' && !numbers.has(fold(name))) add(name, restText(propertyOf(value, 'description')))
  }
  return (name: string) => numbers.get(fold(name)) ?? add(name, '')
}
