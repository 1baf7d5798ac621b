import { Type } from '@sinclair/typebox'
import { optional } from '../../platform/wire/openapi/schemas.ts'

const Text = Type.String()
const TextOrNull = Type.Union([Type.String(), Type.Null()])

const Step = Type.Object(
  { name: Text, comment_required: Type.Boolean() },
  { title: 'NextStatus', additionalProperties: false },
)

const Value = Type.Object(
  {
    name: Type.Union([Type.String(), Type.Null()], {
      description: 'Null for the first status, which stands for a new bug.',
    }),
    sort_key: Type.Optional(Type.Integer()),
    sortkey: Type.Optional(Type.Integer({ description: 'The same as sort_key.' })),
    visibility_values: Type.Optional(
      Type.Array(Text, { description: 'The value of value_field for which this value is shown; empty for always.' }),
    ),
    is_active: Type.Optional(
      Type.Boolean({
        description: 'For versions, milestones and components; for other values only if values.is_active is requested.',
      }),
    ),
    id: Type.Optional(Type.Integer({ description: 'Only if values.id is requested.' })),
    description: Type.Optional(Type.String({ description: 'Only for keywords.' })),
    is_open: Type.Optional(Type.Boolean({ description: 'Only for statuses.' })),
    can_change_to: Type.Optional(Type.Array(Step, { description: 'Only for statuses: the possible next statuses.' })),
  },
  { title: 'FieldValue', additionalProperties: false },
)

const Field = Type.Object(
  {
    id: Type.Integer(),
    type: Type.Integer(),
    is_custom: Type.Boolean(),
    name: Text,
    display_name: Text,
    is_mandatory: Type.Boolean(),
    is_on_bug_entry: Type.Boolean(),
    visibility_field: TextOrNull,
    visibility_values: Type.Array(Text),
    ...optional({
      value_field: TextOrNull,
      values: Type.Array(Value),
      description: Text,
      sort_key: Type.Integer(),
      is_obsolete: Type.Boolean(),
      is_in_new_mail: Type.Boolean(),
      reverse_name: Text,
    }),
  },
  { title: 'Field', additionalProperties: false },
)

export const Fields = Type.Object({ fields: Type.Array(Field) }, { additionalProperties: false })
export const LegalValues = Type.Object({ values: Type.Array(Text) }, { additionalProperties: false })
export const CreatedField = Type.Object({ id: Type.Integer(), name: Text }, { additionalProperties: false })
