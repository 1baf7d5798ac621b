import { Type } from '@sinclair/typebox'
import { errors } from '../../platform/errors.ts'
import { type Param, readFlag, readInteger, readText, requireAtMost } from '../../platform/wire/params.ts'
import type { WantedFlag } from './flag.ts'

const MOST_FLAGS = 100

const FLAGS = Type.Array(
  Type.Object({
    name: Type.Optional(Type.String({ description: 'Name of the flag type.' })),
    type_id: Type.Optional(
      Type.Integer({ description: 'Id of the flag type. Required if several types have the name.' }),
    ),
    status: Type.String({ description: '?, +, - or X, which clears the flag.' }),
    requestee: Type.Optional(
      Type.String({ description: 'Login name of the user who is asked; empty for a request to no particular user.' }),
    ),
    id: Type.Optional(Type.Integer({ description: 'Id of the flag. Required if there are several of the type.' })),
    new: Type.Optional(Type.Boolean({ description: 'Set a new flag even if there is one of the type.' })),
  }),
  { maxItems: MOST_FLAGS },
)

/** A list of flags to set. Throws 53 if the value is not a list of flags. */
export const flags = (about: string): Param<WantedFlag[] | undefined> => ({
  about,
  schema: FLAGS,
  isRequired: false,
  read: (name, input) => (input === undefined || input === null ? undefined : readFlags(name, input)),
})

export function readFlags(name: string, input: unknown): WantedFlag[] {
  if (!Array.isArray(input)) throw errors.bad_value({ name, value: input, right: 'it must be a list of flags' })
  return requireAtMost(MOST_FLAGS, name, input).map((item) => readWanted(name, item))
}

function readWanted(name: string, input: unknown): WantedFlag {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw errors.bad_value({ name, value: input, right: 'each flag must be an object with a name and a status' })
  const parts = input as Record<string, unknown>
  const part = <Value>(key: string, read: (name: string, input: unknown) => Value): Value | undefined =>
    parts[key] === undefined || parts[key] === null ? undefined : read(`${name}.${key}`, parts[key])
  return {
    id: part('id', readInteger),
    type_id: part('type_id', readInteger),
    name: part('name', readText),
    status: part('status', readText),
    requestee: part('requestee', readText),
    new: part('new', readFlag),
  }
}
