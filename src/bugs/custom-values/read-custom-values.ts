import type { CallContext } from '../../access/call.ts'
import { viewerOf } from '../../access/visibility/visible-bugs.ts'
import {
  FIELD_TYPE,
  type FieldDefinition,
  type FieldDefinitions,
  type FieldValue,
} from '../../catalogue/fields/field.ts'
import type { VisibleCatalogue } from '../../catalogue/fields/field-reader.ts'
import { visibleValues } from '../../catalogue/fields/values/visible-values.ts'
import { aboutField } from '../../platform/about-field.ts'
import type { Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { isLongerThan } from '../../platform/text/characters.ts'
import { fold, sameAs } from '../../platform/text/fold.ts'
import { readTime } from '../../platform/time/read-time.ts'
import { requireVisibleBugs } from '../values/bug-refs.ts'
import { textIn } from '../values/bug-values.ts'
import { type CustomItem, type CustomValues, customFieldNamed, NO_CHOICE } from './custom-value.ts'
import { refersToBug } from './custom-value-store.ts'

/** The caller, the part of the catalogue that they may see, and the bug if it already exists. */
export interface CustomValueContext extends Pick<CallContext, 'caller' | 'settings'> {
  fields: FieldDefinitions
  catalogue: VisibleCatalogue
  bug?: { id: number; values: CustomValues }
}

/** The values of the parameters that name custom fields, by field id. Other parameters are ignored. */
export async function readCustomValues(
  tx: Db,
  context: CustomValueContext,
  rawParams: Readonly<Record<string, unknown>>,
): Promise<CustomValues> {
  const values = new Map<number, readonly CustomItem[]>()
  for (const [name, value] of Object.entries(rawParams)) {
    const field = customFieldNamed(context.fields, name)
    if (field === undefined) continue
    values.set(field.id, await aboutField(field.name, () => itemsIn(tx, context, field, value)))
  }
  return values
}

async function itemsIn(
  tx: Db,
  context: CustomValueContext,
  field: FieldDefinition,
  input: unknown,
): Promise<CustomItem[]> {
  const kept = context.bug?.values.get(field.id) ?? []
  switch (field.type) {
    case FIELD_TYPE.singleSelect:
      return oneIn(await choicesFor(context, field, kept), input)
    case FIELD_TYPE.multiSelect:
      return manyIn(await choicesFor(context, field, kept), input)
    case FIELD_TYPE.bugId:
      return bugIn(tx, context, field, input)
    case FIELD_TYPE.dateTime:
      return momentIn(field, input)
    case FIELD_TYPE.date:
      return momentIn(field, input).map((item) => text(`${item.text_value?.slice(0, 10)}T00:00:00Z`))
    case FIELD_TYPE.integer:
      return integerIn(field, input)
    case FIELD_TYPE.largeText:
      return largeTextIn(field, input)
    default:
      return freeTextIn(field, input)
  }
}

/** The same limit as for a comment. */
const LONGEST_LARGE_TEXT = 65_535

function largeTextIn({ name }: FieldDefinition, input: unknown): CustomItem[] {
  const words = textIn(name, input).replace(/\r\n?/g, '\n')
  if (isLongerThan(words, LONGEST_LARGE_TEXT)) throw errors.text_too_long({ name, most: LONGEST_LARGE_TEXT })
  return textItems(words)
}

const LONGEST_FREE_TEXT = 255

function freeTextIn({ name }: FieldDefinition, input: unknown): CustomItem[] {
  const words = textIn(name, input)
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
  if (isLongerThan(words, LONGEST_FREE_TEXT)) throw errors.text_too_long({ name, most: LONGEST_FREE_TEXT })
  return textItems(words)
}

/** The values that can be chosen in a field. */
interface Choices {
  field: FieldDefinition
  values: readonly FieldValue[]
  kept: readonly CustomItem[]
}

/** The values that the caller may see, and those that the bug already has, which all readers of the bug see. */
async function choicesFor(
  context: CustomValueContext,
  field: FieldDefinition,
  kept: readonly CustomItem[],
): Promise<Choices> {
  const visible = new Set(await visibleValues(context.catalogue, context.fields, field))
  const keptIds = new Set(kept.map((item) => item.number_value))
  const values = field.values.filter((value) => visible.has(value) || keptIds.has(value.id))
  return { field, values, kept }
}

function isAmong(items: readonly CustomItem[], value: FieldValue) {
  return items.some((item) => item.number_value === value.id)
}

function oneIn(choices: Choices, input: unknown): CustomItem[] {
  const { name: field } = choices.field
  const name = textIn(field, input).trim()
  if (name === '') throw errors.parameter_required({ name: field, hint: `${NO_CHOICE} stands for no choice` })
  return fold(name) === NO_CHOICE ? [] : [chosen(choices, name)]
}

function manyIn(choices: Choices, input: unknown): CustomItem[] {
  const names = (Array.isArray(input) ? input : [input]).map((item) => textIn(choices.field.name, item).trim())
  const values = new Map(choices.values.map((value) => [fold(value.name), value]))
  const valuesNamed = (name: string) => [values.get(fold(name))].filter((value) => value !== undefined)
  const items = names
    .filter((name) => name !== '' && name !== NO_CHOICE)
    .map((name) => chosen({ ...choices, values: valuesNamed(name) }, name))
  return [...new Map(items.map((item) => [item.number_value, item])).values()]
}

/** A disabled value stays on bugs that have it, but cannot be chosen anew. */
function chosen({ field, values, kept }: Choices, name: string): CustomItem {
  const isNamed = sameAs(name)
  const value = values.find((it) => isNamed(it.name))
  if (value === undefined) throw errors.no_such_value({ of: field.name, ref: name, field: field.name })
  if (value.is_active === 0 && !isAmong(kept, value))
    throw errors.custom_value_not_in_use({ field: field.name, value: value.name })
  return number(value.id)
}

async function bugIn(
  tx: Db,
  context: CustomValueContext,
  field: FieldDefinition,
  input: unknown,
): Promise<CustomItem[]> {
  const ref = textIn(field.name, input).trim()
  if (ref === '') return []
  const viewer = viewerOf(context.caller)
  const [id] = await requireVisibleBugs(tx, context.settings, viewer, [ref])
  const own = context.bug?.id
  const path = { fieldId: field.id, from: id as number, to: own ?? 0 }
  if (own !== undefined && (id === own || (await refersToBug(tx, context.settings, viewer, path))))
    throw errors.custom_field_refers_to_itself({ bug: own, field: field.name })
  return [number(id as number)]
}

function momentIn({ name }: FieldDefinition, input: unknown): CustomItem[] {
  const words = textIn(name, input)
  // compat: a date of only zeros and punctuation is empty (semantics J.4).
  if (/^[0\s:/.-]*$/.test(words)) return []
  const moment = readTime(words)
  if (moment === undefined) throw errors.bad_date({ name, value: input })
  return [text(moment)]
}

const LARGEST = 2_147_483_647
const SMALLEST = -2_147_483_648

function integerIn({ name }: FieldDefinition, input: unknown): CustomItem[] {
  const words = textIn(name, input).trim()
  if (words === '') return []
  if (!/^[+-]?\d+$/.test(words)) throw errors.custom_field_not_a_number({ field: name })
  const value = Number(words)
  if (value > LARGEST) throw errors.number_too_large({ name, value: input, most: String(LARGEST) })
  if (value < SMALLEST) throw errors.number_too_small({ name, value: input, least: String(SMALLEST) })
  return value === 0 ? [] : [number(value)]
}

function textItems(words: string): CustomItem[] {
  return words === '' ? [] : [text(words)]
}

function text(text_value: string): CustomItem {
  return { text_value, number_value: null }
}

function number(number_value: number): CustomItem {
  return { text_value: null, number_value }
}
