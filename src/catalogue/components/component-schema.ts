import { Type } from '@sinclair/typebox'

const GroupId = Type.Union([Type.Integer(), Type.Null()])

const EmbeddedFlagType = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    description: Type.String(),
    cc_list: Type.String(),
    sort_key: Type.Integer(),
    is_active: Type.Boolean(),
    is_requestable: Type.Boolean(),
    is_requesteeble: Type.Boolean(),
    is_multiplicable: Type.Boolean(),
    grant_group: GroupId,
    request_group: GroupId,
  },
  { title: 'ComponentFlagType', additionalProperties: false },
)

export const COMPONENT_FIELDS = {
  id: Type.Integer(),
  name: Type.String(),
  description: Type.String({ description: 'May contain HTML.' }),
  default_assigned_to: Type.String({ description: 'Login name.' }),
  default_qa_contact: Type.String({ description: 'Login name; empty if there is none.' }),
  triage_owner: Type.String({
    description:
      'Login name of who triages its bugs: of a rotation, the user whose turn it is; empty if there is none.',
  }),
  triage_rotation: Type.String({ description: 'Name of the rotation that triages its bugs; empty if there is none.' }),
  sort_key: Type.Integer(),
  is_active: Type.Boolean({ description: 'Whether bugs can be filed in it.' }),
  flag_types: Type.Object(
    {
      bug: Type.Array(EmbeddedFlagType),
      attachment: Type.Array(EmbeddedFlagType),
    },
    { additionalProperties: false },
  ),
}

/** A component inside of its product. */
export const Component = Type.Object(COMPONENT_FIELDS, { title: 'ProductComponent', additionalProperties: false })
