import { Type } from '@sinclair/typebox'

const FlagType = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    type: Type.Union([Type.Literal('bug'), Type.Literal('attachment')]),
    description: Type.String(),
    values: Type.Array(Type.Union([Type.Literal('X'), Type.Literal('?'), Type.Literal('+'), Type.Literal('-')]), {
      description: 'The values that the caller can set; X clears the flag.',
    }),
    is_active: Type.Boolean(),
    is_requesteeble: Type.Boolean(),
    is_multiplicable: Type.Boolean(),
    is_question: Type.Boolean({ description: 'A question is asked with `?`, and cleared when it is answered.' }),
    inclusions: Type.Optional(
      Type.Array(Type.String(), {
        description: 'The type applies only to these components; absent if it applies to all.',
      }),
    ),
    exclusions: Type.Optional(
      Type.Array(Type.String(), {
        description: 'The type does not apply to these components; absent if there are none.',
      }),
    ),
  },
  { title: 'AvailableFlagType', additionalProperties: false },
)

/** The flag types that can be set in a product. */
export const AvailableFlagTypes = Type.Object(
  { bug: Type.Array(FlagType), attachment: Type.Array(FlagType) },
  { additionalProperties: false },
)

const Scopes = Type.Array(Type.Union([Type.String(), Type.Record(Type.String(), Type.Array(Type.String()))]))

const StoredFlagType = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    description: Type.String(),
    target_type: Type.Union([Type.Literal('bug'), Type.Literal('attachment')]),
    sortkey: Type.Integer(),
    is_active: Type.Boolean(),
    is_requestable: Type.Boolean(),
    is_specifically_requestable: Type.Boolean(),
    is_multiplicable: Type.Boolean(),
    is_question: Type.Boolean(),
    cc_list: Type.Array(Type.String()),
    grant_group: Type.Union([Type.String(), Type.Null()]),
    request_group: Type.Union([Type.String(), Type.Null()]),
    inclusions: Type.Optional(Scopes),
    exclusions: Type.Optional(Scopes),
  },
  { title: 'FlagType', additionalProperties: false },
)

/** All stored properties, in the form that an update accepts. */
export const StoredFlagTypes = Type.Object({ flagtypes: Type.Array(StoredFlagType) }, { additionalProperties: false })

export const CreatedFlagType = Type.Object(
  { id: Type.Integer(), flag_id: Type.Integer({ description: 'The same as id.' }) },
  { additionalProperties: false },
)
