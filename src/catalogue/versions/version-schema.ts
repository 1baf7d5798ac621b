import { Type } from '@sinclair/typebox'

export const Version = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    sort_key: Type.Integer(),
    is_active: Type.Boolean(),
  },
  { title: 'Version', additionalProperties: false },
)
