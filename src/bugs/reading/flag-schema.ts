import { Type } from '@sinclair/typebox'

const Time = Type.String({ format: 'date-time' })

export const Flag = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    type_id: Type.Integer(),
    creation_date: Time,
    modification_date: Time,
    status: Type.String(),
    setter: Type.String(),
    requestee: Type.Optional(Type.String()),
  },
  { title: 'Flag', additionalProperties: false },
)
