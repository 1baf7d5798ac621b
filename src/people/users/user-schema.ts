import { Type } from '@sinclair/typebox'

export const GroupSummary = Type.Object(
  { id: Type.Integer(), name: Type.String(), description: Type.String() },
  { title: 'GroupSummary', additionalProperties: false },
)

const SavedQuery = Type.Object(
  { id: Type.Integer(), name: Type.String(), query: Type.String() },
  { title: 'SavedQuery', additionalProperties: false },
)

export const Nick = Type.String({ description: 'Short name, by which comments mention the user as @nick.' })

/** The caller’s rights decide which of the optional fields are returned. */
export const User = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String({ description: 'Login name.' }),
    real_name: Type.String(),
    nick: Nick,
    email: Type.Optional(Type.String()),
    can_login: Type.Optional(Type.Boolean()),
    email_enabled: Type.Optional(Type.Boolean()),
    login_denied_text: Type.Optional(Type.String()),
    groups: Type.Optional(Type.Array(GroupSummary)),
    requests: Type.Optional(
      Type.Object(
        {
          needinfo: Type.Optional(
            Type.Object({ blocked: Type.Boolean(), pending: Type.Integer() }, { additionalProperties: false }),
          ),
        },
        { additionalProperties: false, description: 'Only if it is named in include_fields.' },
      ),
    ),
    saved_searches: Type.Optional(Type.Array(SavedQuery)),
    saved_reports: Type.Optional(Type.Array(SavedQuery)),
  },
  { title: 'User', additionalProperties: false },
)

export const Users = Type.Object({ users: Type.Array(User) }, { additionalProperties: false })

export const Suggestion = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    real_name: Type.String(),
    nick: Nick,
    away_until: Type.Optional(Type.String({ description: 'Only for users who are away.' })),
  },
  { title: 'UserSuggestion', additionalProperties: false },
)
