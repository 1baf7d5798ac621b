import { Type } from '@sinclair/typebox'

const Time = Type.String({ format: 'date-time' })

/** Every field is optional, because include_fields decides which there are; tags only where comments can be tagged. */
export const Comment = Type.Object(
  {
    id: Type.Optional(Type.Integer()),
    bug_id: Type.Optional(Type.Integer()),
    attachment_id: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
    count: Type.Optional(Type.Integer()),
    text: Type.Optional(Type.String()),
    creator: Type.Optional(Type.String()),
    time: Type.Optional(Time),
    creation_time: Type.Optional(Time),
    is_private: Type.Optional(Type.Boolean()),
    tags: Type.Optional(Type.Array(Type.String())),
  },
  { additionalProperties: false },
)

/** By the number of the bug, and by the id of the comment. */
export const Comments = Type.Object(
  {
    bugs: Type.Record(Type.String(), Type.Object({ comments: Type.Array(Comment) }, { additionalProperties: false })),
    comments: Type.Record(Type.String(), Comment),
  },
  { additionalProperties: false },
)

export const Tags = Type.Array(Type.String())

export const Rendered = Type.Object({ html: Type.String() }, { additionalProperties: false })
