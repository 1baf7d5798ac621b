import { Type } from '@sinclair/typebox'

const FlagType = Type.Object(
  {
    id: Type.Optional(Type.Integer()),
    name: Type.Optional(Type.String()),
    type: Type.Optional(Type.Union([Type.Literal('bug'), Type.Literal('attachment')])),
    description: Type.Optional(Type.String()),
    values: Type.Optional(
      Type.Array(Type.Union([Type.Literal('X'), Type.Literal('?'), Type.Literal('+'), Type.Literal('-')]), {
        description: 'What the caller can set; X clears.',
      }),
    ),
    is_active: Type.Optional(Type.Boolean()),
    is_requesteeble: Type.Optional(Type.Boolean()),
    is_multiplicable: Type.Optional(Type.Boolean()),
    inclusions: Type.Optional(
      Type.Array(Type.String(), { description: 'Only in these components; absent when in all.' }),
    ),
    exclusions: Type.Optional(
      Type.Array(Type.String(), { description: 'Not in these components; absent when in all.' }),
    ),
  },
  { additionalProperties: false },
)

/** What can be set in a product. */
export const AvailableFlagTypes = Type.Object(
  { bug: Type.Array(FlagType), attachment: Type.Array(FlagType) },
  { additionalProperties: false },
)

const Places = Type.Array(Type.Union([Type.String(), Type.Record(Type.String(), Type.Array(Type.String()))]))

const StoredFlagType = Type.Object(
  {
    id: Type.Optional(Type.Integer()),
    name: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    target_type: Type.Optional(Type.Union([Type.Literal('bug'), Type.Literal('attachment')])),
    sortkey: Type.Optional(Type.Integer()),
    is_active: Type.Optional(Type.Boolean()),
    is_requestable: Type.Optional(Type.Boolean()),
    is_specifically_requestable: Type.Optional(Type.Boolean()),
    is_multiplicable: Type.Optional(Type.Boolean()),
    cc_list: Type.Optional(Type.Array(Type.String())),
    grant_group: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    request_group: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    inclusions: Type.Optional(Places),
    exclusions: Type.Optional(Places),
  },
  { additionalProperties: false },
)

/** All that is stored, as an update takes it. */
export const StoredFlagTypes = Type.Object({ flagtypes: Type.Array(StoredFlagType) }, { additionalProperties: false })

export const CreatedFlagType = Type.Object(
  { id: Type.Integer(), flag_id: Type.Integer({ description: 'The same as id.' }) },
  { additionalProperties: false },
)
