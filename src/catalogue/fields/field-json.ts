import type { FieldKind } from '../../platform/wire/field-selection.ts'
import type { StatusStep } from '../workflow/workflow.ts'
import type { FieldDefinition, FieldValue } from './field.ts'
import type { ProductValue } from './values/outside-values-store.ts'

/** Names in the response for which the definition has only ids. */
export interface FieldContext {
  visibilityField: string | null
  visibilityValues: readonly string[]
  valueField: string | null
  values: readonly object[]
}

export function presentField(field: FieldDefinition, context: FieldContext) {
  return {
    id: field.id,
    type: field.type,
    is_custom: field.is_custom === 1,
    name: field.name,
    display_name: field.display_name,
    is_mandatory: field.is_mandatory === 1,
    is_on_bug_entry: field.is_on_bug_entry === 1,
    visibility_field: context.visibilityField,
    visibility_values: context.visibilityValues,
    value_field: context.valueField,
    values: context.values,
    description: field.description,
    sort_key: field.sort_key,
    is_obsolete: field.is_obsolete === 1,
    is_in_new_mail: field.is_in_new_mail === 1,
    reverse_name: field.reverse_name,
  }
}

/** Fields that Bugzilla does not return, for administrators. */
const EXTRA_FIELDS = ['description', 'sort_key', 'is_obsolete', 'is_in_new_mail', 'reverse_name']

export function kindOfField(name: string): FieldKind {
  return EXTRA_FIELDS.includes(name) ? 'extra' : 'default'
}

/** The properties of values of all select fields. Bugzilla's documentation has both `sort_key` and `sortkey`, so both are returned. */
export function presentValue({ name, sort_key }: Pick<FieldValue, 'name' | 'sort_key'>, shownWith: readonly string[]) {
  return { name, sort_key, sortkey: sort_key, visibility_values: shownWith }
}

/** Made in one piece, because there can be many thousand. */
export function presentProductValue({ name, sort_key, is_active }: ProductValue, products: readonly string[]) {
  return { name, sort_key, sortkey: sort_key, visibility_values: products, is_active: is_active === 1 }
}

export function presentStatus(status: FieldValue, steps: readonly StatusStep[]) {
  return { ...presentValue(status, []), is_open: status.is_open === 1, can_change_to: steps.map(presentStep) }
}

/** compat: the first status has no name. It stands for a new bug and can change to the statuses that are allowed for new bugs. */
export function presentNewBug(steps: readonly StatusStep[]) {
  return {
    name: null,
    sort_key: 0,
    sortkey: 0,
    visibility_values: [],
    is_open: true,
    can_change_to: steps.map(presentStep),
  }
}

function presentStep({ status, comment_required }: StatusStep) {
  return { name: status.name, comment_required }
}
