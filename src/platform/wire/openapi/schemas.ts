import { type TArray, type TProperties, type TSchema, Type } from '@sinclair/typebox'

/** The same properties, none of them required. */
export function optional<Properties extends Record<string, TSchema>>(properties: Properties) {
  return Type.Partial(Type.Object(properties)).properties
}

/** The response of calls that create something. */
export const Created = Type.Object({ id: Type.Integer() }, { title: 'Created', additionalProperties: false })

/** The same for calls that ignore what the caller may not choose: they name it. */
export const CreatedInPart = Type.Object(
  { id: Type.Integer(), ignored: Type.Optional(Type.Array(Type.String())) },
  { title: 'CreatedInPart', additionalProperties: false },
)

/** The response of calls that delete something. */
export const Deleted = Type.Object(
  { id: Type.Integer(), name: Type.String() },
  { title: 'Deleted', additionalProperties: false },
)

const Change = Type.Object(
  { removed: Type.Union([Type.String(), Type.Null()]), added: Type.Union([Type.String(), Type.Null()]) },
  { title: 'Change', additionalProperties: false },
)

/** By the name of each changed field. */
export const Changes = Type.Record(Type.String(), Change)

/** The response of calls that update something: each object under the resource's name. */
export function updated<const Resource extends string, More extends TProperties = Record<never, never>>(
  resource: Resource,
  more?: More,
) {
  const properties = { id: Type.Integer(), changes: Changes, ...(more as More) }
  const target = Type.Object(properties, { additionalProperties: false })
  const lists = { [resource]: Type.Array(target) } as Record<Resource, TArray<typeof target>>
  return Type.Object(lists, { additionalProperties: false })
}
