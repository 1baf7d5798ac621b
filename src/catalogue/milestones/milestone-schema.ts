import { Type } from '@sinclair/typebox'

export const Milestone = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    sort_key: Type.Integer(),
    is_active: Type.Boolean(),
  },
  { title: 'Milestone', additionalProperties: false },
)
