import { BoundedCache } from '../bounded-cache.ts'
import { errors } from '../errors.ts'
import { splitWords } from '../text/split-words.ts'
import type { RequestParams } from './params.ts'

export type FieldKind = 'default' | 'extra' | 'custom'

/**
 * The fields that include_fields and exclude_fields select. Used while reading, so that unwanted fields are not read,
 * and applied to the result.
 */
export interface FieldSelection {
  /** Whether the field is wanted; extra fields only if they are named or by `_extra`. */
  wants(field: string, kind?: FieldKind): boolean
  /** The selection among the parts of a field, from names such as `components.name`. */
  within(field: string): FieldSelection
  pick<Whole extends object>(whole: Whole, kindOf?: (field: string) => FieldKind): Partial<Whole>
}

export const everyField: FieldSelection = {
  wants: (_, kind) => kind !== 'extra',
  within: () => everyField,
  pick: (whole, kindOf) => (kindOf ? picked(whole, (field) => kindOf(field) !== 'extra') : whole),
}

export function selectionOf(rawParams: RequestParams): FieldSelection {
  const { include_fields, exclude_fields } = rawParams
  if (include_fields === undefined && exclude_fields === undefined) return everyField
  const key =
    isShort(include_fields) && isShort(exclude_fields) ? JSON.stringify([include_fields, exclude_fields]) : undefined
  const known = key === undefined ? undefined : selections.get(key)
  if (known !== undefined) return known
  const made = selection(namesIn('include_fields', include_fields), namesIn('exclude_fields', exclude_fields))
  return key === undefined ? made : selections.set(key, made)
}

/** Clients ask for the same fields again and again, and what depends on a selection is computed once for each. */
const selections = new BoundedCache<FieldSelection>(500)

function isShort(names: unknown) {
  return names === undefined || (typeof names === 'string' && names.length < 500)
}

function selection(include: ReadonlySet<string>, exclude: ReadonlySet<string>): FieldSelection {
  const partsIncluded = parentsIn(include)
  // `wants` is called for every field of a bug, so what depends only on the kind of a field is decided once.
  const isExcluded = forKinds((kind) => exclude.has('_all') || namesKind(exclude, kind))
  const isIncluded = forKinds((kind) =>
    include.size === 0 ? kind !== 'extra' : include.has('_all') || namesKind(include, kind),
  )
  const wants = (field: string, kind: FieldKind = 'default') =>
    !isExcluded[kind] && !exclude.has(field) && (isIncluded[kind] || include.has(field) || partsIncluded.has(field))
  return {
    wants,
    within: (field) => selection(wholeIsNamed(field) ? new Set() : partsOf(field, include), partsOf(field, exclude)),
    pick: (whole, kindOf) => picked(whole, (field) => wants(field, kindOf?.(field))),
  }

  function wholeIsNamed(field: string) {
    return include.has(field) || include.has('_all') || include.has('_default')
  }
}

function forKinds(test: (kind: FieldKind) => boolean): Readonly<Record<FieldKind, boolean>> {
  return { default: test('default'), extra: test('extra'), custom: test('custom') }
}

/** Custom fields are among the default ones. */
function namesKind(names: ReadonlySet<string>, kind: FieldKind) {
  return names.has(`_${kind}`) || (kind === 'custom' && names.has('_default'))
}

function picked<Whole extends object>(whole: Whole, isWanted: (field: string) => boolean): Partial<Whole> {
  return Object.fromEntries(Object.entries(whole).filter(([field]) => isWanted(field))) as Partial<Whole>
}

/** A URL cannot contain more. */
const MOST_NAMES = 16_000

/** compat: names are separated by commas, spaces or plus signs, and the parameter may be repeated. */
function namesIn(name: string, input: unknown): ReadonlySet<string> {
  const texts = (Array.isArray(input) ? input : [input]).filter((it) => typeof it === 'string')
  const names = new Set<string>()
  let count = 0
  for (const text of texts) {
    const some = splitWords(text, MOST_NAMES - count, /[\s,+]+/)
    count += some.length
    if (count > MOST_NAMES) throw errors.list_too_long({ name, most: MOST_NAMES })
    for (const field of some) names.add(field)
  }
  return names
}

function parentsIn(names: ReadonlySet<string>) {
  return new Set([...names].filter((name) => name.includes('.')).map((name) => name.slice(0, name.indexOf('.'))))
}

function partsOf(field: string, names: ReadonlySet<string>) {
  return new Set([...names].filter((name) => name.startsWith(`${field}.`)).map((name) => name.slice(field.length + 1)))
}
