import { Type } from '@sinclair/typebox'

const Member = Type.Object(
  {
    id: Type.Integer(),
    real_name: Type.String(),
    name: Type.String(),
    email: Type.String(),
    can_login: Type.Boolean(),
    email_enabled: Type.Boolean(),
    login_denied_text: Type.String(),
    disabled_text: Type.String({ description: 'The same as login_denied_text.' }),
  },
  { title: 'GroupMember', additionalProperties: false },
)

const Flag = Type.Union([Type.Literal(0), Type.Literal(1)])

export const Group = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    description: Type.String(),
    is_bug_group: Type.Optional(Flag),
    is_active: Type.Optional(Flag),
    user_regexp: Type.Optional(Type.String()),
    is_system: Type.Optional(
      Type.Boolean({ description: 'Whether it comes with the tracker and gives a right. Only if it is asked for.' }),
    ),
    may_grant: Type.Optional(
      Type.Boolean({ description: 'Whether the caller may add users to it. Only if it is asked for.' }),
    ),
    icon_url: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    member_count: Type.Optional(Type.Integer({ minimum: 0, description: 'Members in whatever way.' })),
    direct_member_count: Type.Optional(Type.Integer({ minimum: 0, description: 'Those who were put into it.' })),
    inherited_member_count: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Those who are in it only through other groups.' }),
    ),
    membership: Type.Optional(Type.Array(Member)),
    users: Type.Optional(Type.Array(Member, { description: 'The same list as membership.' })),
  },
  { title: 'Group', additionalProperties: false },
)

export const Groups = Type.Object({ groups: Type.Array(Group) }, { additionalProperties: false })
