import type { Selectable } from 'kysely'
import { FIELD_TYPE, type FieldDefinition, type FieldDefinitions, VALUE_COLUMNS } from '../../catalogue/fields/field.ts'
import type { Change, Changes } from '../../changes/audit.ts'
import type { Database } from '../../platform/database/tables.ts'
import { dictionary } from '../../platform/text/dictionary.ts'
import { fold } from '../../platform/text/fold.ts'

/** One value of a bug in a custom field. A field without values is empty: '---', no choice, 0, no date, no bug. */
export interface CustomItem {
  text_value: string | null
  number_value: number | null
}

/** The values of a bug in its custom fields, by field id. Empty fields may be missing. */
export type CustomValues = ReadonlyMap<number, readonly CustomItem[]>

/** The value of a select field that means "no choice". */
export const NO_CHOICE = '---'

export function customFieldsOf({ all }: FieldDefinitions): FieldDefinition[] {
  return all.filter((field) => field.is_custom === 1 && field.is_obsolete === 0)
}

/** The custom field with exactly this name, if it is not obsolete. */
export function customFieldNamed(fields: FieldDefinitions, name: string): FieldDefinition | undefined {
  const field = fields.named(name)
  return field?.name === name && field.is_custom === 1 && field.is_obsolete === 0 ? field : undefined
}

/** The standard fields of a bug that can control which custom fields are shown. */
export interface ControllingFields
  extends Pick<
    Selectable<Database['bugs']>,
    'product_id' | 'component_id' | (typeof VALUE_COLUMNS)[keyof typeof VALUE_COLUMNS]
  > {
  classification_id: number
}

const COLUMNS: Readonly<Record<string, keyof ControllingFields>> = dictionary({
  product: 'product_id',
  classification: 'classification_id',
  component: 'component_id',
  ...VALUE_COLUMNS,
})

/** Whether the field is shown on the bug: always, or only for some values of another field. */
export function isShown(
  field: FieldDefinition,
  fields: FieldDefinitions,
  bug: ControllingFields,
  values: CustomValues,
) {
  const controller = field.visibility_field_id === null ? undefined : fields.withId(field.visibility_field_id)
  if (controller === undefined) return true
  return valuesOf(controller, bug, values).some((id) => field.visibilityValueIds.includes(id))
}

function valuesOf(controller: FieldDefinition, bug: ControllingFields, values: CustomValues): number[] {
  const column = COLUMNS[controller.name]
  if (column !== undefined) return [bug[column]]
  const chosen = (values.get(controller.id) ?? []).flatMap((item) => item.number_value ?? [])
  const none = controller.values.find((value) => value.name === NO_CHOICE)
  return chosen.length === 0 && none !== undefined ? [none.id] : chosen
}

/** The mandatory fields that are shown on the bug and are empty. */
export function emptyMandatoryFields(
  requestedFields: readonly FieldDefinition[],
  fields: FieldDefinitions,
  bug: ControllingFields,
  values: CustomValues,
): FieldDefinition[] {
  return requestedFields.filter(
    (field) => field.is_mandatory === 1 && isEmpty(values.get(field.id)) && isShown(field, fields, bug, values),
  )
}

export function isEmpty(items: readonly CustomItem[] | undefined) {
  return items === undefined || items.length === 0
}

/** The changes of the custom fields as text, for the response of an update and for history. */
export function customChanges(fields: readonly FieldDefinition[], before: CustomValues, after: CustomValues): Changes {
  const changes: Changes = {}
  for (const field of fields) {
    const change = changeOf(field, before.get(field.id) ?? [], after.get(field.id) ?? [])
    if (change !== undefined) changes[field.name] = change
  }
  return changes
}

function changeOf(
  field: FieldDefinition,
  before: readonly CustomItem[],
  after: readonly CustomItem[],
): Change | undefined {
  const [old, now] = [before, after].map((items) => wordsOf(field, items)) as [string[], string[]]
  if (LISTS.has(field.type)) {
    const [kept, known] = [new Set(now), new Set(old)]
    const removed = old.filter((word) => !kept.has(word)).join(', ')
    const added = now.filter((word) => !known.has(word)).join(', ')
    return removed === '' && added === '' ? undefined : { removed, added }
  }
  const [removed = '', added = ''] = [old[0], now[0]]
  return removed === added ? undefined : { removed, added }
}

/** What a bug has in the field: one text, or several in a field that has several values. */
export function customText(field: FieldDefinition, items: readonly CustomItem[]): string | readonly string[] {
  const words = wordsOf(field, items)
  return LISTS.has(field.type) ? words : (words[0] ?? '')
}

/** Field types with several values. Links to bugs that an editor cannot see stay beside the link that they set. */
const LISTS: ReadonlySet<number> = new Set([FIELD_TYPE.multiSelect, FIELD_TYPE.bugId])

/** The names of the chosen values, in alphabetical order. */
export function choicesIn(field: FieldDefinition, items: readonly CustomItem[]): string[] {
  if (items.length === 0) return []
  const ids = new Set(items.map((item) => item.number_value))
  const chosen = field.values.filter((value) => ids.has(value.id)).map(({ name }) => ({ name, key: fold(name) }))
  return chosen.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ name }) => name)
}

/** The values as text. A single-select field and a number always have one. */
function wordsOf(field: FieldDefinition, items: readonly CustomItem[]): string[] {
  const [first] = items
  const nameOf = (id: number | null | undefined) => field.values.find((value) => value.id === id)?.name
  switch (field.type) {
    case FIELD_TYPE.singleSelect:
      return [nameOf(first?.number_value) ?? NO_CHOICE]
    case FIELD_TYPE.multiSelect:
      return choicesIn(field, items)
    case FIELD_TYPE.integer:
      return [String(first?.number_value ?? 0)]
    case FIELD_TYPE.bugId:
      return items.map((item) => String(item.number_value))
    case FIELD_TYPE.dateTime:
      return items.map((item) => (item.text_value ?? '').replace('T', ' ').replace('Z', ''))
    case FIELD_TYPE.date:
      return items.map((item) => (item.text_value ?? '').slice(0, 10))
    default:
      return items.map((item) => item.text_value ?? '')
  }
}
