import { Type } from '@sinclair/typebox'

/** A user, as bugs and comments name them in detail. */
export const Person = Type.Object(
  {
    id: Type.Integer(),
    real_name: Type.String(),
    nick: Type.String({ description: 'Short name, by which comments mention the user as @nick.' }),
    name: Type.String(),
    email: Type.Optional(Type.String({ description: 'Only for users who are logged in.' })),
  },
  { title: 'BugPerson', additionalProperties: false },
)
