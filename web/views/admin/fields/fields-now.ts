import type { Field, FieldValue } from '../../../core/server/types.ts'
import type { Change, ChangeDraft } from '../changes/change-draft.ts'
import {
  fieldKey,
  hasOwnValues,
  type NamedValue,
  ORDER_KEY,
  ownValues,
  valueKey,
  valueOrderKey,
} from './field-state.ts'

/** The fields with the changes of the draft, as the form would show them once they are saved. */
export function fieldsNow(saved: readonly Field[], draft: ChangeDraft): Field[] {
  const order = sortKeysIn(draft.get(ORDER_KEY))
  const byName = new Map(saved.map((field) => [field.name, field]))
  /** What a value of a controlling field will be called. */
  const renamed = (controller: string | null, name: string) => {
    const field = controller === null ? undefined : byName.get(controller)
    return field === undefined ? name : draft.valueOf(valueKey(field, name, 'name'), name)
  }
  return saved
    .map((field): Field => {
      const isOn = (name: 'is_mandatory' | 'is_on_bug_entry' | 'is_obsolete') =>
        (draft.get(fieldKey(field, name))?.after ?? (field[name] ? 'yes' : 'no')) === 'yes'
      const rule = ruleNow(field, draft)
      const value_field = valueFieldNow(field, draft)
      return {
        ...field,
        display_name: draft.valueOf(fieldKey(field, 'display_name'), field.display_name),
        description: draft.valueOf(fieldKey(field, 'description'), field.description ?? ''),
        is_mandatory: isOn('is_mandatory'),
        is_on_bug_entry: isOn('is_on_bug_entry'),
        is_obsolete: isOn('is_obsolete'),
        sort_key: order.get(pathOf(field)) ?? field.sort_key ?? 0,
        visibility_field: rule.visibility_field,
        visibility_values: rule.visibility_values.map((name) => renamed(rule.visibility_field, name)),
        value_field,
        ...(hasOwnValues(field) && {
          values: valuesNow(field, draft).map((value) => ({
            ...value,
            visibility_values: (value.visibility_values ?? []).map((name) => renamed(value_field, name)),
          })),
        }),
      }
    })
    .sort((a, b) => (a.sort_key ?? 0) - (b.sort_key ?? 0))
}

export function pathOf({ name }: Pick<Field, 'name'>) {
  return `/rest/field/bug/${encodeURIComponent(name)}`
}

export function valuePathOf(field: Pick<Field, 'name'>, value: string) {
  return `${pathOf(field)}/values/${encodeURIComponent(value)}`
}

export function ruleNow(field: Field, draft: ChangeDraft): Pick<Field, 'visibility_field' | 'visibility_values'> {
  const params = draft.get(fieldKey(field, 'rule'))?.call.params as
    | { visibility_field: string | null; visibility_values: string[] }
    | undefined
  return params ?? { visibility_field: field.visibility_field, visibility_values: field.visibility_values }
}

export function valueFieldNow(field: Field, draft: ChangeDraft): string | null {
  return draft.valueOf(fieldKey(field, 'value_field'), field.value_field ?? '') || null
}

/** The conditions of values end when another field controls them. */
export function shownWithNow(field: Field, value: NamedValue, draft: ChangeDraft): readonly string[] {
  const change = draft.get(valueKey(field, value.name, 'shown_with'))
  if (change !== undefined) return change.after === '' ? [] : [change.after]
  return draft.get(fieldKey(field, 'value_field')) === undefined ? (value.visibility_values ?? []) : []
}

export function newValuesIn(field: Field, draft: ChangeDraft): readonly Change[] {
  return draft.changes.value.filter(({ key }) => key.startsWith(`value ${field.name} new\n`))
}

export function orderedValues(field: Field, draft: ChangeDraft): NamedValue[] {
  const order = sortKeysIn(draft.get(valueOrderKey(field)))
  const keyOf = (value: NamedValue) => order.get(valuePathOf(field, value.name)) ?? value.sort_key
  return ownValues(field).sort((a, b) => keyOf(a) - keyOf(b))
}

function valuesNow(field: Field, draft: ChangeDraft): FieldValue[] {
  const kept = orderedValues(field, draft).filter(({ name }) => draft.get(valueKey(field, name)) === undefined)
  return [
    ...kept.map((value) => ({
      ...value,
      name: draft.valueOf(valueKey(field, value.name, 'name'), value.name),
      is_active: draft.valueOf(valueKey(field, value.name, 'is_active'), value.is_active ? 'yes' : 'no') === 'yes',
      visibility_values: [...shownWithNow(field, value, draft)],
    })),
    ...newValuesIn(field, draft).map(({ after }) => ({ name: after, is_active: true, visibility_values: [] })),
  ]
}

/** The new sort keys of a change of order, by the paths of its calls. */
function sortKeysIn(change: Change | undefined): ReadonlyMap<string, number> {
  const calls = change === undefined ? [] : [change.call, ...(change.more ?? [])]
  return new Map(calls.map(({ path, params }) => [path, Number(params?.sort_key)]))
}
