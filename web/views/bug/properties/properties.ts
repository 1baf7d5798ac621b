// The fields of the side panel, in the order of the questions that people have.
import type { FieldKind } from '../../../../shared/bug-fields/bug-field.ts'
import type { FieldName } from '../../../../shared/bug-fields/bug-fields.ts'
import { fieldNameOf, findField } from '../../../../shared/bug-fields/field-names.ts'
import { PANEL } from '../../../core/bugs/field-places.ts'
import { displayOf, isNothing } from '../../../core/bugs/fields.ts'
import { isShownField } from '../../../core/bugs/hidden-fields.ts'
import type { Bug, Field } from '../../../core/server/types.ts'
import { isShownOn, labelOf, valueIn } from './field-names.ts'

/** How a field is shown and changed. */
export type PropertyKind =
  | 'choice'
  | 'choices'
  | 'keywords'
  | 'person'
  | 'people'
  | 'text'
  | 'long'
  | 'date'
  | 'time'
  | 'number'
  | 'hours'
  | 'bug'
  | 'bugs'
  | 'addresses'
  | 'names'
  | 'product'
  | 'fixed'

export interface Property {
  /** The name of the field in a bug. */
  name: string
  label: string
  kind: PropertyKind
  /** Where the values to choose from are, by the field's internal name. */
  field?: string
  /** Shown also when it is empty. */
  isAlways?: boolean
}

const CUSTOM_KINDS: Readonly<Record<number, PropertyKind>> = {
  1: 'text',
  2: 'choice',
  3: 'choices',
  4: 'long',
  5: 'time',
  6: 'bug',
  9: 'date',
  10: 'number',
}

function customProperties(bug: Bug, fields: readonly Field[]): Property[] {
  return fields
    .filter((field) => field.is_custom && isShownOn(bug, field) && Object.hasOwn(CUSTOM_KINDS, field.type))
    .map(({ name, display_name, type }) => ({
      name,
      label: display_name,
      kind: CUSTOM_KINDS[type] as PropertyKind,
      field: name,
    }))
}

/** Kinds of standard fields that have an editor. A duplicate is chosen with the status. */
const KINDS: ReadonlyMap<FieldKind, PropertyKind> = new Map([
  ['choice', 'choice'],
  ['place', 'choice'],
  ['user', 'person'],
  ['users', 'people'],
  ['line', 'text'],
  ['keywords', 'keywords'],
  ['names', 'names'],
  ['bugs', 'bugs'],
  ['links', 'addresses'],
  ['date', 'date'],
  ['hours', 'hours'],
])

/** A standard field. The reader's own tags are no part of the bug that somebody may change. */
export function propertyOf(name: FieldName, fields: readonly Field[]): Property {
  const { kind, changedBy } = findField(name) ?? {}
  const editor = kind && KINDS.get(kind)
  const usual = editor !== undefined && (changedBy !== undefined || name === 'tags') ? editor : 'fixed'
  return {
    name,
    label: labelOf(name, fields),
    kind: name === 'product' ? 'product' : usual,
    field: fieldNameOf(name),
    ...(displayOf(name).isAlwaysShown && { isAlways: true }),
  }
}

/** The groups of the panel. Requests and the groups of users are drawn by parts of their own. */
export function propertyGroups(
  bug: Bug,
  fields: readonly Field[],
): Record<'people' | 'where' | 'what' | 'links' | 'time', Property[]> {
  const custom = customProperties(bug, fields)
  const isLink = ({ kind }: Property) => kind === 'bug'
  // A bug comes without tags to anonymous readers, and without hours to most.
  const those = (names: readonly FieldName[]) =>
    names
      .filter((name) => isShownField(name) && valueIn(bug, name) !== undefined)
      .map((name) => propertyOf(name, fields))
  return {
    people: those(PANEL.people),
    where: those(PANEL.where),
    what: [...those(PANEL.what), ...custom.filter((property) => !isLink(property))],
    links: [...those(PANEL.links), ...custom.filter(isLink), ...those(PANEL.otherLinks)],
    time: those(PANEL.time),
  }
}

export function isSet(bug: Bug, { name, kind }: Property): boolean {
  const value = valueIn(bug, name)
  if (Array.isArray(value)) return value.length > 0
  if (kind === 'number' || kind === 'hours') return Number(value ?? 0) !== 0
  return !isNothing(name, value)
}
