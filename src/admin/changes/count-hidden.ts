import { type RawBuilder, sql } from 'kysely'
import { type FieldDefinition, type FieldDefinitions, VALUE_COLUMNS } from '../../catalogue/fields/field.ts'
import { readFieldDefinitions } from '../../catalogue/fields/field-store.ts'
import { NOTHING_CHOSEN } from '../../catalogue/fields/values/value-rules.ts'
import type { Db } from '../../platform/database/db.ts'
import { dictionary } from '../../platform/text/dictionary.ts'
import { type CountSteps, countBugsByValue } from './count-custom-values.ts'

/** Something that bugs have and that is not shown on them. */
interface Hidden {
  field: string
  display_name: string
  value?: string
  bugs: number
}

interface AuditEntry {
  class: string
  object_id: number
  field: string
}

/** What decides whether a field is shown, as the audit log calls it. */
const OF_FIELDS: ReadonlySet<string> = new Set(['visibility_field', 'visibility_values', 'is_obsolete'])

/** Of the fields and values whose visibility these entries of the audit log change: how many bugs have them where they are hidden. */
export async function countHidden(tx: Db, audit: readonly AuditEntry[], steps?: CountSteps): Promise<Hidden[]> {
  const fieldIds = idsIn(audit, (it) => it.class === 'Field' && OF_FIELDS.has(it.field))
  const valueIds = idsIn(audit, (it) => it.class === 'FieldValue' && it.field === 'visibility_values')
  if (fieldIds.size + valueIds.size === 0) return []
  const definitions = await readFieldDefinitions(tx)
  const found: Hidden[] = []
  for (const id of fieldIds) {
    const field = definitions.withId(id)
    if (field) found.push({ ...namesOf(field), bugs: await countWithHiddenField(tx, definitions, field, steps) })
  }
  for (const id of valueIds) {
    const value = definitions.valueWithId(id)
    const field = value && definitions.withId(value.field_id)
    const controller = field?.value_field_id && definitions.withId(field.value_field_id)
    if (!field || !controller || value.visibility_value_id === null) continue
    const isShown = hasOneOf(controller, [value.visibility_value_id])
    const isMeant = sql`item.number_value = ${id}`
    const bugs = await countBugsByValue(tx, { fieldId: field.id, isMeant, isOn: sql`not (${isShown})` }, steps)
    found.push({ ...namesOf(field), value: value.name, bugs })
  }
  return found.filter(({ bugs }) => bugs > 0)
}

function namesOf({ name, display_name }: FieldDefinition) {
  return { field: name, display_name }
}

function idsIn(audit: readonly AuditEntry[], isMeant: (entry: AuditEntry) => boolean) {
  return new Set(audit.filter(isMeant).map((it) => it.object_id))
}

async function countWithHiddenField(
  tx: Db,
  definitions: FieldDefinitions,
  field: FieldDefinition,
  steps: CountSteps | undefined,
): Promise<number> {
  const controller = field.visibility_field_id === null ? undefined : definitions.withId(field.visibility_field_id)
  if (field.is_obsolete === 0 && controller === undefined) return 0
  const isShown = field.is_obsolete === 1 || !controller ? NEVER : hasOneOf(controller, field.visibilityValueIds)
  const nothing = field.values.find(({ name }) => name === NOTHING_CHOSEN)?.id ?? 0
  // 0 and empty text count as empty.
  const isMeant = sql`(item.text_value <> '' or item.number_value not in (0, ${nothing}))`
  return countBugsByValue(tx, { fieldId: field.id, isMeant, isOn: sql`not (${isShown})` }, steps)
}

const NEVER = sql`1 = 0`

/** The columns of the standard fields that can control others, in the query of `countBugsByValue`. */
const COLUMNS: Readonly<Record<string, string>> = dictionary({
  product: 'bugs.product_id',
  component: 'bugs.component_id',
  classification: 'products.classification_id',
  ...Object.fromEntries(Object.entries(VALUE_COLUMNS).map(([name, column]) => [name, `bugs.${column}`])),
})

/** The same as `isShown` of custom values, in SQL: whether the bug has one of these values in the controlling field. */
function hasOneOf(controller: FieldDefinition, ids: readonly number[]): RawBuilder<unknown> {
  if (ids.length === 0) return NEVER
  const values = sql.join(ids.map((id) => sql.lit(id)))
  const column = COLUMNS[controller.name]
  if (column !== undefined) return sql`${sql.ref(column)} in (${values})`
  const rows = sql`select 1 from bug_custom_values as other where other.bug_id = bugs.id and other.field_id = ${sql.lit(controller.id)}`
  const nothing = controller.values.find(({ name }) => name === NOTHING_CHOSEN)?.id
  const isChosen = sql`exists (${rows} and other.number_value in (${values}))`
  return nothing !== undefined && ids.includes(nothing) ? sql`(${isChosen} or not exists (${rows}))` : isChosen
}
