import { Type } from '@sinclair/typebox'
import { HistoryChange } from '../../bugs/history/history-schema.ts'
import { EVENT_KINDS } from '../../changes/outbox.ts'

const Event = Type.Object(
  {
    id: Type.Integer({ description: 'Its position in the feed; later events have larger ones.' }),
    type: Type.Union(EVENT_KINDS.map((kind) => Type.Literal(kind))),
    time: Type.String({ format: 'date-time' }),
    user: Type.String({ description: 'Login of the user who made the change.' }),
    bug_id: Type.Integer(),
    changes: Type.Array(HistoryChange),
    comment_id: Type.Optional(Type.Integer()),
    attachment_id: Type.Optional(Type.Integer()),
  },
  { title: 'Event', additionalProperties: false },
)

export const Events = Type.Object(
  {
    events: Type.Array(Event),
    next_cursor: Type.String({ description: 'The `after` of the next request.' }),
  },
  { additionalProperties: false },
)
