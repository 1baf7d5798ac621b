// All calls as types, derived from the definitions that the server runs: when a call changes there, its readers no longer compile.
import type { Static } from '@sinclair/typebox'
import type { ListChange, Param } from '../src/platform/wire/params.ts'
import type { CallTypes } from '../src/routes.ts'

export type { CustomValue } from '../src/bugs/reading/bug-schema.ts'
export type { ErrorName, ErrorValue, ErrorValues } from '../src/platform/errors.ts'

/** By name, such as `GET /bug/:ref`. */
export type Calls = {
  [Type in CallTypes as `${Type['method']} ${Type['path']}`]: {
    method: Type['method']
    path: Type['path']
    params: Sent<Type['params']> & Others<Type['unknownParams']>
    answer: Static<Type['answers']>
  }
}

type Sent<Params> = {
  [Name in keyof Params as IsRequired<Params[Name]> extends true ? Name : never]: SentValue<Params[Name]>
} & {
  [Name in keyof Params as IsRequired<Params[Name]> extends true ? never : Name]?: SentValue<Params[Name]> | undefined
}

type IsRequired<One> =
  One extends Param<infer Value> ? (unknown extends Value ? false : undefined extends Value ? false : true) : false

type SentValue<One> = One extends Param<infer Value> ? Input<Exclude<Value, undefined>> : never

/** What is sent for a value that the server reads as this. */
type Input<Value> = unknown extends Value
  ? unknown
  : Value extends ListChange
    ? { readonly [Part in keyof ListChange]?: readonly (string | number)[] | undefined }
    : Value extends readonly string[]
      ? string | number | readonly (string | number)[]
      : Value extends readonly number[]
        ? number | readonly number[]
        : Value extends boolean
          ? boolean
          : Value extends string
            ? string | number | null
            : Value extends number
              ? number | string
              : unknown

/** Calls that keep unknown parameters have names that only the installation knows, such as those of custom fields. */
type Others<Unknown> = Unknown extends 'kept' ? Readonly<Record<string, unknown>> : unknown
