import { Type } from '@sinclair/typebox'

const Change = Type.Object(
  {
    field_name: Type.String(),
    removed: Type.String(),
    added: Type.String(),
    attachment_id: Type.Optional(Type.Integer()),
  },
  { additionalProperties: false },
)

const Event = Type.Object(
  {
    id: Type.Integer({ description: 'Its place in the feed; later events have larger ones.' }),
    type: Type.Union(
      ['bug.create', 'bug.update', 'comment.create', 'attachment.create', 'attachment.update'].map((kind) =>
        Type.Literal(kind),
      ),
    ),
    time: Type.String({ format: 'date-time' }),
    user: Type.String({ description: 'Login of whoever did it.' }),
    bug_id: Type.Integer(),
    changes: Type.Array(Change),
    comment_id: Type.Optional(Type.Integer()),
    attachment_id: Type.Optional(Type.Integer()),
  },
  { additionalProperties: false },
)

export const Events = Type.Object(
  {
    events: Type.Array(Event),
    next_cursor: Type.String({ description: 'To be given as `after` next time.' }),
  },
  { additionalProperties: false },
)
