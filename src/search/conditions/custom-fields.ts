import { sql } from 'kysely'
import { FIELD_TYPE, type FieldDefinition } from '../../catalogue/fields/field.ts'
import type { FieldBuilder, Reference, SearchableField } from '../searchable-field.ts'
import { withSubquery } from './condition.ts'
import { customValues, isOfNoHiddenBug } from './search-items.ts'

/** How a custom field is searched, by its type. A bug without a value in the field has no row for it. */
export function customField(it: FieldBuilder, field: FieldDefinition): SearchableField {
  const kept = (column: string) =>
    sql`(select ${sql.ref(column)} from bug_custom_values
      where bug_custom_values.bug_id = bugs.id and bug_custom_values.field_id = ${field.id})`
  switch (field.type) {
    case FIELD_TYPE.singleSelect:
      return { value: singleChoice(it, field) }
    case FIELD_TYPE.multiSelect:
      return { items: customValues(field.id), value: it.chosen(sql`bug_custom_values.number_value`, field.id) }
    case FIELD_TYPE.integer:
      return { value: it.number(sql`coalesce(${kept('number_value')}, 0)`) }
    case FIELD_TYPE.bugId:
      return {
        items: {
          ...customValues(field.id),
          readable: sql`(bug_custom_values.field_id = ${field.id}
          and ${isOfNoHiddenBug(it.context, sql`bug_custom_values.number_value`)})`,
        },
        value: it.number(sql`bug_custom_values.number_value`),
      }
    case FIELD_TYPE.dateTime:
      return { value: { ...it.time(kept('text_value')), isOptional: true } }
    case FIELD_TYPE.date:
      return { value: { ...it.date(sql`substr(${kept('text_value')}, 1, 10)`), isOptional: true } }
    default:
      return { value: it.text(sql`coalesce(${kept('text_value')}, '')`) }
  }
}

/** A bug without a row has the value `---`. */
function singleChoice(it: FieldBuilder, field: FieldDefinition): Reference {
  const none = field.values.find(({ name }) => name === '---')?.id ?? 0
  const rows = sql`bug_custom_values where bug_custom_values.field_id = ${field.id}`
  const id = sql`coalesce((select number_value from ${rows} and bug_custom_values.bug_id = bugs.id), ${none})`
  return {
    ...it.chosen(id, field.id),
    isIn: (list, has) =>
      withSubquery(
        has(none) ? sql`${id} in ${list}` : sql`bugs.id in (select bug_id from ${rows} and number_value in ${list})`,
      ),
  }
}
