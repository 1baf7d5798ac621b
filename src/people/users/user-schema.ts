import { Type } from '@sinclair/typebox'

export const GroupSummary = Type.Object(
  { id: Type.Integer(), name: Type.String(), description: Type.String() },
  { additionalProperties: false },
)

const SavedQuery = Type.Object(
  { id: Type.Integer(), name: Type.String(), query: Type.String() },
  { additionalProperties: false },
)

/** Every field is optional, because the caller’s rights and include_fields decide which there are. */
export const User = Type.Object(
  {
    id: Type.Optional(Type.Integer()),
    name: Type.Optional(Type.String({ description: 'Login name.' })),
    real_name: Type.Optional(Type.String()),
    email: Type.Optional(Type.String()),
    can_login: Type.Optional(Type.Boolean()),
    email_enabled: Type.Optional(Type.Boolean()),
    login_denied_text: Type.Optional(Type.String()),
    groups: Type.Optional(Type.Array(Type.Partial(GroupSummary))),
    saved_searches: Type.Optional(Type.Array(Type.Partial(SavedQuery))),
    saved_reports: Type.Optional(Type.Array(Type.Partial(SavedQuery))),
  },
  { additionalProperties: false },
)

export const Users = Type.Object({ users: Type.Array(User) }, { additionalProperties: false })

export const Suggestion = Type.Object(
  { id: Type.Integer(), name: Type.String(), real_name: Type.String() },
  { additionalProperties: false },
)
