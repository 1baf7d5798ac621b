import { type TSchema, Type } from '@sinclair/typebox'

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
export function updated(resource: string, more: Record<string, TSchema> = {}) {
  const target = Type.Object({ id: Type.Integer(), changes: Changes, ...more }, { additionalProperties: false })
  return Type.Object({ [resource]: Type.Array(target) }, { additionalProperties: false })
}
