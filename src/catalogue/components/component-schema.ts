import { Type } from '@sinclair/typebox'

const GroupId = Type.Union([Type.Integer(), Type.Null()])

const EmbeddedFlagType = Type.Object(
  {
    id: Type.Optional(Type.Integer()),
    name: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    cc_list: Type.Optional(Type.String()),
    sort_key: Type.Optional(Type.Integer()),
    is_active: Type.Optional(Type.Boolean()),
    is_requestable: Type.Optional(Type.Boolean()),
    is_requesteeble: Type.Optional(Type.Boolean()),
    is_multiplicable: Type.Optional(Type.Boolean()),
    grant_group: Type.Optional(GroupId),
    request_group: Type.Optional(GroupId),
  },
  { additionalProperties: false },
)

export const COMPONENT_FIELDS = {
  id: Type.Optional(Type.Integer()),
  name: Type.Optional(Type.String()),
  description: Type.Optional(Type.String({ description: 'May hold HTML.' })),
  default_assigned_to: Type.Optional(Type.String({ description: 'Login name.' })),
  default_qa_contact: Type.Optional(Type.String({ description: 'Login name; empty when there is none.' })),
  sort_key: Type.Optional(Type.Integer()),
  is_active: Type.Optional(Type.Boolean({ description: 'Whether new bugs can be in it.' })),
  flag_types: Type.Optional(
    Type.Object(
      {
        bug: Type.Optional(Type.Array(EmbeddedFlagType)),
        attachment: Type.Optional(Type.Array(EmbeddedFlagType)),
      },
      { additionalProperties: false },
    ),
  ),
}

/** A component inside of its product. Every field is optional, because include_fields and exclude_fields decide which there are. */
export const Component = Type.Object(COMPONENT_FIELDS, { additionalProperties: false })
