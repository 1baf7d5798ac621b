import { Type } from '@sinclair/typebox'

const PROPERTIES = {
  id: Type.Integer(),
  name: Type.String(),
  sort_key: Type.Integer(),
  is_active: Type.Boolean(),
}

export const Version = Type.Object(PROPERTIES, { title: 'Version', additionalProperties: false })
export const Milestone = Type.Object(PROPERTIES, { title: 'Milestone', additionalProperties: false })
