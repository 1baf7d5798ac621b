import { Type } from '@sinclair/typebox'
import { Source } from '../../changes/change-json.ts'
import { Person } from '../reading/person-schema.ts'

const Mention = Type.Object(
  {
    nick: Type.String({ description: 'As the text has it after the @, in lower case.' }),
    id: Type.Integer(),
    name: Type.String(),
    real_name: Type.String(),
  },
  { title: 'Mention', additionalProperties: false },
)

const Time = Type.String({ format: 'date-time' })

/** `creator_detail`, `author`, `raw_text`, `source`, `change_id` and `undoes` are present only when they are requested by name or with `_extra`. `reactions` is present only on comments with reactions, `own_reactions` only if the caller is among them, `is_answer` only on answers, where it is true, and `edit_count` and `last_change_time` only on comments that were edited. `is_markdown` is present only on comments in Markdown, where it is true. `mentions` is present only on comments that mention users whom the caller may know. `tags` is present only if the parameter comment_taggers_group is set. */
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
    mentions: Type.Optional(Type.Array(Mention)),
    tags: Type.Optional(Type.Array(Type.String())),
    reactions: Type.Optional(Type.Record(Type.String(), Type.Integer())),
    own_reactions: Type.Optional(Type.Array(Type.String())),
    is_answer: Type.Optional(Type.Boolean()),
    edit_count: Type.Optional(Type.Integer()),
    last_change_time: Type.Optional(Time),
    author: Type.Optional(Type.String()),
    raw_text: Type.Optional(Type.String()),
    change_id: Type.Optional(Type.Integer()),
    source: Type.Optional(Source),
    undoes: Type.Optional(Type.Integer()),
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

export const Answer = Type.Object({ is_answer: Type.Boolean() }, { additionalProperties: false })

export const Tags = Type.Array(Type.String())

export const Rendered = Type.Object({ html: Type.String() }, { additionalProperties: false })
