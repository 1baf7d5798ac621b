// The fields of bugs, standard and custom, and what people call them.
import type { FieldName } from '../../../shared/bug-fields/bug-fields.ts'
import { hasBugs, hasSeveral, hasUsers } from '../../../shared/bug-fields/field-kinds.ts'
import { emptyValueOf, fieldNameOf, findField } from '../../../shared/bug-fields/field-names.ts'
import { FIELDS_CALL } from '../../../shared/first-calls.ts'
import type { Field, FieldValue } from '../server/types.ts'
import { useData } from '../server/use-data.ts'
import { FIELD_DISPLAY, type FieldDisplay } from './field-display.ts'

const SELECT_TYPES = new Set([2, 3, 8])

/** What people call parameters of a search that are no fields. */
const PARAMETER_LABELS: ReadonlyMap<string, string> = new Map([
  ['quicksearch', 'Search'],
  ['savedsearch', 'Saved search'],
])

export type InputKind = 'choice' | 'person' | 'time' | 'text'

/** All fields, with what pages need to know of each. */
export class FieldList {
  private readonly byName: ReadonlyMap<string, Field>

  constructor(fields: readonly Field[]) {
    this.byName = new Map(fields.map((field) => [field.name, field]))
  }

  get all(): readonly Field[] {
    return [...this.byName.values()]
  }

  find(name: string): Field | undefined {
    return this.byName.get(fieldNameOf(name))
  }

  label(name: string): string {
    return displayOf(name).label ?? this.find(name)?.display_name ?? PARAMETER_LABELS.get(name) ?? name
  }

  kind(name: string): InputKind {
    if (isOfUsers(name)) return 'person'
    if (isTime(name)) return 'time'
    return this.values(name).length > 0 ? 'choice' : 'text'
  }

  /** The values that can be chosen; of a product's values, those of the products given, each once. */
  values(name: string, products: readonly string[] = []): readonly FieldValue[] {
    const field = this.find(name)
    if (field === undefined || (!SELECT_TYPES.has(field.type) && (field.values?.length ?? 0) === 0)) return []
    const seen = new Set<string>()
    return (field.values ?? []).filter(({ name: value, visibility_values: shownWith = [] }) => {
      if (value === null || seen.has(value)) return false
      if (products.length > 0 && field.value_field === 'product' && !shownWith.some((it) => products.includes(it)))
        return false
      seen.add(value)
      return true
    })
  }

  /** Fields of which a bug has exactly one of several values. */
  get choices(): readonly Field[] {
    return this.all.filter(({ type, values }) => type === 2 && (values?.length ?? 0) > 0)
  }
}

/** What the pages know about a field, by either of its names. */
export function displayOf(name: string): FieldDisplay {
  const field = findField(name)
  return (field && FIELD_DISPLAY[field.name]) ?? {}
}

/** The label of a standard field, also before the fields are read. */
export function standardLabel(name: FieldName): string {
  return displayOf(name).label ?? findField(name)?.label ?? name
}

/** Whether the value of a field means that there is none. */
export function isNothing(name: string, value: unknown) {
  return [undefined, null, '', '---', emptyValueOf(name)].includes(value as string)
}

/** Whether a bug can have several values in a standard field. */
export function isList(name: string) {
  return hasSeveral(findField(name)?.kind)
}

export function isOfUsers(name: string) {
  return hasUsers(findField(name)?.kind)
}

export function isOfBugs(name: string) {
  return hasBugs(findField(name)?.kind)
}

function isTime(name: string) {
  const kind = findField(name)?.kind
  return kind === 'time' || kind === 'date'
}

/** Loads the fields as soon as `isWanted` is true. */
export function useFields(isWanted = true): FieldList {
  const { body } = useData(isWanted ? FIELDS_CALL : undefined)
  if (body === undefined) return NONE
  let known = lists.get(body)
  if (known === undefined) {
    known = new FieldList(body.fields)
    lists.set(body, known)
  }
  return known
}

const NONE = new FieldList([])
const lists = new WeakMap<object, FieldList>()
