import { Type } from '@sinclair/typebox'

/** Every field is optional, because include_fields and exclude_fields decide which there are. */
export const Milestone = Type.Object(
  {
    id: Type.Optional(Type.Integer()),
    name: Type.Optional(Type.String()),
    sort_key: Type.Optional(Type.Integer()),
    is_active: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)
