import { Type } from '@sinclair/typebox'

const FlagType = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    type: Type.Union([Type.Literal('bug'), Type.Literal('attachment')]),
    description: Type.String(),
    values: Type.Array(Type.Union([Type.Literal('X'), Type.Literal('?'), Type.Literal('+'), Type.Literal('-')]), {
      description: 'What the caller can set; X clears.',
    }),
    is_active: Type.Boolean(),
    is_requesteeble: Type.Boolean(),
    is_multiplicable: Type.Boolean(),
    inclusions: Type.Optional(
      Type.Array(Type.String(), { description: 'Only in these components; absent when in all.' }),
    ),
    exclusions: Type.Optional(
      Type.Array(Type.String(), { description: 'Not in these components; absent when in all.' }),
    ),
  },
  { title: 'AvailableFlagType', additionalProperties: false },
)

/** What can be set in a product. */
export const AvailableFlagTypes = Type.Object(
  { bug: Type.Array(FlagType), attachment: Type.Array(FlagType) },
  { additionalProperties: false },
)

const Places = Type.Array(Type.Union([Type.String(), Type.Record(Type.String(), Type.Array(Type.String()))]))

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
    cc_list: Type.Array(Type.String()),
    grant_group: Type.Union([Type.String(), Type.Null()]),
    request_group: Type.Union([Type.String(), Type.Null()]),
    inclusions: Type.Optional(Places),
    exclusions: Type.Optional(Places),
  },
  { title: 'FlagType', additionalProperties: false },
)

/** All that is stored, as an update takes it. */
export const StoredFlagTypes = Type.Object({ flagtypes: Type.Array(StoredFlagType) }, { additionalProperties: false })

export const CreatedFlagType = Type.Object(
  { id: Type.Integer(), flag_id: Type.Integer({ description: 'The same as id.' }) },
  { additionalProperties: false },
)
