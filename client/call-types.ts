// What a call is sent and what it returns, by its name.
import type { Address } from '../shared/rest-address.ts'
import type { Calls } from './calls.ts'

/** Such as `GET /bug/:ref`. */
export type CallName = keyof Calls
type Method = Calls[CallName]['method']
/** The paths that can be called with a method. */
export type PathOf<Verb extends Method> = Extract<Calls[CallName], { method: Verb }>['path']
/** The name of the call with this method and path. */
export type NameOf<Verb extends Method, Path extends string> = Extract<`${Verb} ${Path}`, CallName>

/** What a call returns. */
export type Answer<Name extends CallName> = Calls[Name]['answer']

/** What a call can be sent: the variables of its path, its parameters, and the selection of fields. */
export type ParamsOf<Name extends CallName> = Variables<Calls[Name]['path']> & Calls[Name]['params'] & FieldSelection

type Variables<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Record<Name, string | number> & Variables<Rest>
  : Path extends `${string}:${infer Name}`
    ? Record<Name, string | number>
    : unknown

interface FieldSelection {
  readonly include_fields?: string | readonly string[] | undefined
  readonly exclude_fields?: string | readonly string[] | undefined
}

/** The response at an address, with the fields that it requests. It is unknown at an address of unknown origin. */
export type AnswerAt<At> =
  At extends Address<infer Name, infer Fields>
    ? Name extends CallName
      ? Selected<Answer<Name>, Fields>
      : unknown
    : unknown

/** A response with only some fields of its objects. All are there if none is named, or if a set such as `_default` is. */
export type Selected<Body, Fields extends string> = Fields extends
  | ''
  | `${string}_default${string}`
  | `${string}_all${string}`
  ? Body
  : Picked<Body, string extends Fields ? string : FirstNames<Fields>>

type FirstNames<Fields extends string> = Fields extends `${infer One},${infer Others}`
  ? FirstName<One> | FirstNames<Others>
  : FirstName<Fields>

/** `components` of `components.name`. */
type FirstName<Field extends string> = Field extends `${infer Name}.${string}` ? Name : Field

/** Fields are selected of the objects in the lists of a response. */
type Picked<Body, Names extends string> = Body extends readonly (infer Item)[]
  ? PickedItem<Item, Names>[]
  : { [Name in keyof Body]: Name extends 'faults' ? Body[Name] : PickedLists<Body[Name], Names> }

type PickedLists<Value, Names extends string> = Value extends readonly (infer Item)[]
  ? PickedItem<Item, Names>[]
  : Value extends Readonly<Record<string, infer Inner>>
    ? string extends keyof Value
      ? Record<string, PickedLists<Inner, Names>>
      : { [Name in keyof Value]: Value[Name] extends readonly (infer Item)[] ? PickedItem<Item, Names>[] : Value[Name] }
    : Value

type PickedItem<Item, Names extends string> = Item extends object
  ? string extends Names
    ? Partial<Item>
    : Pick<Item, Names & keyof Item>
  : Item
