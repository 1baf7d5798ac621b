import { Type } from '@sinclair/typebox'
import { Person } from '../reading/person-schema.ts'

const Time = Type.String({ format: 'date-time' })

/** `creator_detail` is present only when it is requested by name or with `_extra`. `is_markdown` is present only on comments in Markdown, where it is true. `tags` is present only if the parameter comment_taggers_group is set. */
export const Comment = Type.Object(
  {
    id: Type.Integer(),
    bug_id: Type.Integer(),
    attachment_id: Type.Union([Type.Integer(), Type.Null()]),
    count: Type.Integer(),
    text: Type.String(),
    creator: Type.String(),
    creator_detail: Type.Optional(Person),
    time: Time,
    creation_time: Time,
    is_private: Type.Boolean(),
    is_markdown: Type.Optional(Type.Boolean()),
    tags: Type.Optional(Type.Array(Type.String())),
  },
  { title: 'Comment', additionalProperties: false },
)

/** `bugs` is keyed by bug number, `comments` by comment id. */
export const Comments = Type.Object(
  {
    bugs: Type.Record(Type.String(), Type.Object({ comments: Type.Array(Comment) }, { additionalProperties: false })),
    comments: Type.Record(Type.String(), Comment),
  },
  { additionalProperties: false },
)

export const Tags = Type.Array(Type.String())

export const Rendered = Type.Object({ html: Type.String() }, { additionalProperties: false })
