import { errors } from '../../platform/errors.ts'
import { idIn } from '../../platform/wire/reference.ts'
import type { FieldDefinition, FieldDefinitions } from './field.ts'
import { kindOfField, presentField } from './field-json.ts'
import type { FieldReader } from './field-reader.ts'
import { keptFields } from './field-store.ts'
import { type ControllingNames, readControllingNames } from './values/controlling-names.ts'
import { readValues } from './values/read-values.ts'

/** The named fields, or all, of which `withObsolete` says whether obsolete ones belong to them, with the selected properties. */
export async function readFields(reader: FieldReader, refs: readonly string[], withObsolete = false) {
  const { select } = reader
  const definitions = await reader.catalogue(keptFields)
  const listed = () => (withObsolete ? definitions.all : definitions.all.filter((it) => it.is_obsolete === 0))
  const fields = refs.length === 0 ? listed() : named(definitions, refs)
  const namesOf = await namesFor(reader, definitions, fields)
  const nameOf = (id: number | null) => (id === null ? null : (definitions.withId(id)?.name ?? null))
  const answer = []
  for (const field of fields) {
    const context = {
      visibilityField: nameOf(field.visibility_field_id),
      visibilityValues: visibilityValues(field, namesOf),
      valueField: nameOf(field.value_field_id),
      values: select.wants('values') ? await readValues(reader, field, namesOf) : [],
    }
    answer.push(select.pick(presentField(field, context), kindOfField))
  }
  return answer
}

function named(definitions: FieldDefinitions, refs: readonly string[]): FieldDefinition[] {
  return [...new Set(refs.map((ref) => getField(definitions, ref)))]
}

/** Finds the field by id if the reference is a number, otherwise by name. */
export function getField(definitions: FieldDefinitions, ref: string): FieldDefinition {
  const id = idIn(ref)
  const found = id === undefined ? definitions.named(ref) : definitions.withId(id)
  if (!found) throw errors.no_such_object({ what: 'field', ref })
  return found
}

function namesFor(reader: FieldReader, definitions: FieldDefinitions, fields: readonly FieldDefinition[]) {
  const { select } = reader
  return readControllingNames(reader, definitions, [
    ...(select.wants('visibility_values')
      ? fields.map((it) => ({ controllerId: it.visibility_field_id, valueIds: it.visibilityValueIds }))
      : []),
    ...(select.wants('values')
      ? fields.map((it) => ({
          controllerId: it.value_field_id,
          valueIds: it.values.map((value) => value.visibility_value_id),
        }))
      : []),
  ])
}

/** Each name once: several components may have the same name. */
function visibilityValues(
  { visibility_field_id, visibilityValueIds }: FieldDefinition,
  namesOf: ControllingNames,
): string[] {
  const shownWith = new Set(visibilityValueIds)
  const names = [...namesOf(visibility_field_id)].flatMap(([id, name]) => (shownWith.has(id) ? [name] : []))
  return [...new Set(names)]
}
