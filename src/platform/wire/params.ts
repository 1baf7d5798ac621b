import { type TSchema, Type } from '@sinclair/typebox'
import { errors } from '../errors.ts'
import { readTime } from '../time/read-time.ts'
import { clampedId } from './reference.ts'

/** One parameter of a call: how it is parsed, and how it is documented. */
export interface Param<Value> {
  readonly about: string
  readonly schema: TSchema
  readonly isRequired: boolean
  read(name: string, value: unknown): Value
}

export type Shape = Readonly<Record<string, Param<unknown>>>

export type ParamValues<Params extends Shape> = {
  -readonly [Name in keyof Params]: Params[Name] extends Param<infer Value> ? Value : never
}

/** The parameters of the query string and the body, by name. */
export type RequestParams = Readonly<Record<string, unknown>>

/** The maximum length of a list, unless its parameter has another one. Every list has a maximum. */
export const MOST_ITEMS = 1000
/** The maximum for ids that are only read: no URL has room for more. */
export const MOST_TO_READ = 5000

export const text = (about: string) => param(about, Type.String(), readText)
/** Text that no error repeats. */
export const secret = (about: string) => param(about, Type.String({ format: 'password' }), readSecret)
export const integer = (about: string) => param(about, Type.Integer(), readInteger)
export const time = (about: string) => param(about, Type.String(), readMoment)
export const texts = (about: string, most = MOST_ITEMS) =>
  param(about, listOf(Type.String(), most), eachOf(readText, most))
/** Ids. One that no row could have becomes 0, which no row has. */
export const integers = (about: string, most = MOST_ITEMS) =>
  param(about, listOf(Type.Integer(), most), eachOf(readId, most))
/** The same, where Bugzilla refuses negative numbers. */
export const naturals = (about: string, most = MOST_ITEMS) =>
  param(about, listOf(Type.Integer({ minimum: 0 }), most), eachOf(readNatural, most))
/** A name or an id, kept as text. */
export const ref = (about: string) => param(about, Type.Union([Type.String(), Type.Integer()]), readText)
/** Names and ids mixed, kept as text; all digits means an id. */
export const refs = (about: string, most = MOST_ITEMS) =>
  param(about, listOf(Type.Union([Type.String(), Type.Integer()]), most), eachOf(readText, most))
/** A value that the call itself parses; `schema` describes it. A list has the usual maximum. */
export const anything = (about: string, schema: TSchema) =>
  param(about, schema, (name, value) => (Array.isArray(value) ? requireAtMost(MOST_ITEMS, name, value) : value))
/** Hours, which old clients also send as text. */
export const hours = (about: string) => anything(about, Type.Union([Type.Number(), Type.String()]))
/** The same for a list whose items the call itself parses. */
export const anyItems = (about: string, item: TSchema, most: number) =>
  param(about, Type.Array(item, { maxItems: most }), (name, value) =>
    Array.isArray(value) ? requireAtMost(most, name, value) : value,
  )

/** A boolean. An explicit null is false, so that it differs from a missing parameter. */
export const flag = (about: string): Param<boolean | undefined> => ({
  ...param(about, Type.Boolean(), readFlag),
  read: (name, value) => (value === undefined ? undefined : readFlag(name, value)),
})

/** A change of a list: `{add, remove, set}`, each a list of names or ids. */
export const listChange = (about: string, most = MOST_ITEMS) =>
  param(about, listChangeOf(most), (name, value) => readListChange(name, value, most))

export interface ListChange {
  add: string[]
  remove: string[]
  set: string[] | undefined
}

/** Whether the change can add to the list. */
export function isGiving(change: ListChange | undefined) {
  return change !== undefined && (change.set ?? change.add).length > 0
}

/** The same parameter, refused with 50 if it is missing or empty. */
export function required<Value>(it: Param<Value>): Param<Exclude<Value, undefined>> {
  return {
    ...it,
    isRequired: true,
    read(name, value) {
      if (value === undefined || value === null || value === '') throw errors.parameter_required({ name })
      return it.read(name, value) as Exclude<Value, undefined>
    },
  }
}

/** The same parameter, documented as required; a rule of the resource refuses it with a number of its own. */
export function documentedAsRequired<Value>(it: Param<Value>): Param<Value> {
  return { ...it, isRequired: true }
}

/** The same list, or change of a list, without empty or null items, which forms and scripts send. */
export function skippingBlanks<Value>(it: Param<Value>): Param<Value> {
  return { ...it, read: (name, value) => it.read(name, withoutBlanks(value)) }
}

function withoutBlanks(value: unknown): unknown {
  if (Array.isArray(value))
    return value.filter((item) => item !== null && (typeof item !== 'string' || /\S/.test(item)))
  if (typeof value !== 'object' || value === null) return value
  const lists = Object.entries(value).map(([part, list]) => [part, Array.isArray(list) ? withoutBlanks(list) : list])
  return Object.fromEntries(lists)
}

function param<Value>(
  about: string,
  schema: TSchema,
  read: (name: string, value: unknown) => Value,
): Param<Value | undefined> {
  return {
    about,
    schema,
    isRequired: false,
    read: (name, value) => (value === undefined || value === null ? undefined : read(name, value)),
  }
}

/** The same parameter, documented as one that null empties; the call itself checks for null. */
export function nullable<Value>(it: Param<Value>): Param<Value> {
  return { ...it, schema: Type.Union([it.schema, Type.Null()]) }
}

/** Unlike in a list, a repeated parameter is refused: otherwise one value could be checked and another one used. */
export function readText(name: string, value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw errors.bad_value({ name, value: value, right: 'it must be a single text' })
}

function readSecret(name: string, value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  throw errors.bad_value({ name, value: '…', right: 'it must be a single text' })
}

export function readInteger(name: string, value: unknown): number {
  const number = typeof value === 'string' && /^\s*[+-]?\d{1,16}\s*$/.test(value) ? Number(value) : value
  if (typeof number !== 'number' || !Number.isSafeInteger(number)) throw errors.not_a_number({ name, value: value })
  return number
}

function readId(name: string, value: unknown): number {
  return clampedId(readInteger(name, value))
}

function readNatural(name: string, value: unknown): number {
  const id = readId(name, value)
  if (id < 0) throw errors.not_an_id({ name, value: value })
  return id
}

const TRUE = new Set<unknown>([true, 1, '1', 'true', 'True'])
const FALSE = new Set<unknown>([false, 0, '0', 'false', 'False', '', null])

// compat: python-bugzilla sends Python's True and False.
export function readFlag(name: string, value: unknown): boolean {
  if (TRUE.has(value)) return true
  if (FALSE.has(value)) return false
  throw errors.bad_value({ name, value: value, right: 'it must be true or false' })
}

function readMoment(name: string, value: unknown): string {
  const moment = typeof value === 'string' ? readTime(value) : undefined
  if (moment === undefined) throw errors.bad_date({ name, value: value })
  return moment
}

function eachOf<Value>(read: (name: string, value: unknown) => Value, most: number) {
  return (name: string, value: unknown): Value[] => {
    const items = Array.isArray(value) ? requireAtMost(most, name, value) : [value]
    if (items.some((item) => item === null || typeof item === 'object')) throw errors.not_a_list({ name })
    return items.map((item) => read(name, item))
  }
}

/** Refuses a list that is longer than its maximum, before its items are read. */
export function requireAtMost<Item>(most: number, name: string, items: Item[]): Item[] {
  if (items.length > most) throw errors.list_too_long({ name, most })
  return items
}

function readListChange(name: string, value: unknown, most: number): ListChange {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw errors.bad_value({ name, value: value, right: 'it must be an object with add, remove or set' })
  }
  const parts = value as Record<string, unknown>
  const unknown = Object.keys(parts).find((part) => !['add', 'remove', 'set'].includes(part))
  if (unknown !== undefined)
    throw errors.bad_value({ name, value: unknown, right: 'only add, remove and set are allowed' })
  const readTexts = eachOf(readText, most)
  const list = (part: string) =>
    Array.isArray(parts[part]) ? readTexts(`${name}.${part}`, parts[part]) : notAList(`${name}.${part}`, parts[part])
  return { add: list('add') ?? [], remove: list('remove') ?? [], set: list('set') }
}

function notAList(name: string, value: unknown): undefined {
  if (value !== undefined && value !== null) throw errors.bad_value({ name, value: value, right: 'it must be a list' })
}

function listOf(item: TSchema, maxItems: number) {
  return Type.Union([Type.Array(item, { maxItems }), item])
}

function listChangeOf(maxItems: number) {
  const list = Type.Optional(Type.Array(Type.Union([Type.String(), Type.Integer()]), { maxItems }))
  return Type.Object({ add: list, remove: list, set: list })
}
