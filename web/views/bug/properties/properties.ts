// The fields of the side panel, in the order of the questions that people have.
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

function shown(property: Property): Property[] {
  return isShownField(property.name) ? [property] : []
}

export interface PropertyGroup {
  title: string
  properties: readonly Property[]
}

/** The groups of the panel. Requests and the groups of users are drawn by parts of their own. */
export function propertyGroups(
  bug: Bug,
  fields: readonly Field[],
): Record<'people' | 'where' | 'what' | 'links' | 'time', Property[]> {
  const custom = customProperties(bug, fields)
  const one = (name: string, kind: PropertyKind, more: Partial<Property> = {}): Property => ({
    name,
    label: name === 'tags' ? 'My tags' : labelOf(name, fields),
    kind,
    ...more,
  })
  const isLink = ({ kind }: Property) => kind === 'bug'
  return {
    people: [
      one('assigned_to', 'person', { isAlways: true }),
      ...shown(one('qa_contact', 'person')),
      one('creator', 'fixed', { label: 'Reporter', isAlways: true }),
      one('cc', 'people'),
    ],
    where: [
      one('product', 'product', { isAlways: true }),
      one('component', 'choice', { field: 'component', isAlways: true }),
      one('version', 'choice', { field: 'version', isAlways: true }),
      ...shown(one('target_milestone', 'choice', { field: 'target_milestone' })),
      one('platform', 'choice', { field: 'rep_platform' }),
      one('op_sys', 'choice', { field: 'op_sys' }),
    ],
    what: [
      one('keywords', 'keywords', { field: 'keywords' }),
      ...shown(one('whiteboard', 'text', { label: 'Whiteboard' })),
      ...(bug.tags === undefined ? [] : [one('tags', 'names')]),
      one('url', 'text'),
      ...custom.filter((property) => !isLink(property)),
    ],
    links: [
      one('dupe_of', 'fixed'),
      one('duplicates', 'fixed', { label: 'Duplicates' }),
      one('depends_on', 'bugs'),
      one('blocks', 'bugs'),
      ...custom.filter(isLink),
      ...shown(one('see_also', 'addresses')),
      one('alias', 'names'),
    ],
    time:
      bug.estimated_time === undefined
        ? [one('deadline', 'date')]
        : [one('deadline', 'date'), one('estimated_time', 'hours'), one('remaining_time', 'hours')],
  }
}

export function isSet(bug: Bug, { name, kind }: Property): boolean {
  const value = valueIn(bug, name)
  if (Array.isArray(value)) return value.length > 0
  if (kind === 'number' || kind === 'hours') return Number(value ?? 0) !== 0
  return value !== undefined && value !== null && value !== '' && value !== '---'
}
