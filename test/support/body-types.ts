// What a test reads at an address: the documented response of the call that is there. When a response changes, its readers no longer compile.
import type { Calls, ErrorName, ErrorValues } from '../../client/calls.ts'
import type { SureList } from './sure-list.ts'

/** The answer of whichever call, for code that treats all alike. */
// biome-ignore lint/suspicious/noExplicitAny: it can be any of them
export type AnyBody = any

/** The OpenAPI document and the JSON schemas in it: their shape is a standard, not an answer that a call describes. */
// biome-ignore lint/suspicious/noExplicitAny: tests walk through it by names that they find there
export type JsonSchema = any

/** The fields of an error. */
export interface Refusal {
  error: true
  code: number
  message: string
  reason: ErrorName
  documentation: string
  field: string
  parameter: string
  values: ErrorValues
}

/** What can be read of an answer whose call is not known. Some answers have other values of their own. */
export type AnyRefusal = Omit<Refusal, 'values'>

/** A query that may be empty. As a parameter of this type, it is no part of the path. */
export type Query = '' | `?${string}`

/**
 * The body at an address such as `/rest/bug/${number}?include_fields=id`. Of an address that no call has, or that is known only when the test
 * runs, only an error can be read.
 */
export type BodyAt<Verb extends string, Address extends string> =
  PathIn<Address> extends `/rest/${infer Path}` ? BodyOf<ShapeOf<`${Verb} `, Path>, Path> : Refusal

type PathIn<Address extends string> = Address extends `${infer Path}?${string}` ? Path : Address

/** The body is inferred, not indexed: TypeScript would read all bodies for each path that it does not know. */
type BodyOf<Shape extends string, Path extends string> =
  BodiesByShape extends Record<Shape, infer Body> ? Body : Path extends 'openapi.json' ? JsonSchema : Refusal

/** A response with the fields of an error, because a test can expect either. */
type Body<Answer> = Sure<Answer> & Omit<Refusal, keyof Sure<Answer>>

/** By the path of the call with `*` for each variable, such as `GET /bug/*`. */
type BodiesByShape = { [Name in keyof Calls as Shape<Name>]: Body<Calls[Name]['answer']> }

type Shape<Path extends string> = Path extends `${infer Start}/:${string}/${infer Rest}`
  ? `${Start}/*${Shape<`/${Rest}`>}`
  : Path extends `${infer Start}/:${string}`
    ? `${Start}/*`
    : Path

/** Every beginning of such a path. */
type Starts = StartsOf<keyof BodiesByShape>
type StartsOf<Path extends string, Before extends string = ''> = Path extends `${infer One}/${infer Rest}`
  ? `${Before}${One}` | StartsOf<Rest, `${Before}${One}/`>
  : `${Before}${Path}`

/**
 * Goes through the segments from the left; a segment that is no part of a call's path is a variable. It is not recursive, because TypeScript
 * goes down to its limit with a path that it does not know.
 */
type ShapeOf<Verb extends string, Path> = Path extends `${infer A}/${infer B}/${infer C}/${infer D}/${infer E}`
  ? Next<Next<Next<Next<Next<Verb, A>, B>, C>, D>, E>
  : Path extends `${infer A}/${infer B}/${infer C}/${infer D}`
    ? Next<Next<Next<Next<Verb, A>, B>, C>, D>
    : Path extends `${infer A}/${infer B}/${infer C}`
      ? Next<Next<Next<Verb, A>, B>, C>
      : Path extends `${infer A}/${infer B}`
        ? Next<Next<Verb, A>, B>
        : Path extends string
          ? Next<Verb, Path>
          : never

type Next<Before extends string, One extends string> = `${Before}/${One}` extends Starts
  ? `${Before}/${One}`
  : `${Before}/*`

type Primitive = string | number | boolean | bigint | symbol | null | undefined

/**
 * A value as tests read it. They assert that something is there by reading it: so nothing is optional or null, items of lists exist, and of
 * alternatives all fields can be read.
 */
type Sure<Value> = unknown extends Value
  ? AnyBody
  : [Value] extends [Primitive]
    ? NonNullable<Value>
    : SureObject<Extract<Value, object>> | NonNullable<Extract<Value, Primitive>>

type SureObject<Value extends object> = Value extends readonly (infer Item)[]
  ? SureList<Sure<Item>>
  : { [Name in KeysOf<Value>]: Sure<ValueOf<Value, Name>> }

type KeysOf<Value> = Value extends unknown ? keyof Value : never
type ValueOf<Value, Name> = Value extends unknown ? (Name extends keyof Value ? Value[Name] : never) : never
