import { Type } from '@sinclair/typebox'
import { Changes } from '../../platform/wire/schemas.ts'
import { Flag } from '../bug-schema.ts'

const Time = Type.String({ format: 'date-time' })

/** Every field is optional, because include_fields decides which there are. */
export const Attachment = Type.Object(
  {
    id: Type.Optional(Type.Integer()),
    bug_id: Type.Optional(Type.Integer()),
    data: Type.Optional(Type.String({ contentEncoding: 'base64' })),
    size: Type.Optional(Type.Integer()),
    creation_time: Type.Optional(Time),
    last_change_time: Type.Optional(Time),
    file_name: Type.Optional(Type.String()),
    summary: Type.Optional(Type.String()),
    content_type: Type.Optional(Type.String()),
    is_private: Type.Optional(Type.Boolean()),
    is_obsolete: Type.Optional(Type.Boolean()),
    is_patch: Type.Optional(Type.Boolean()),
    creator: Type.Optional(Type.String()),
    flags: Type.Optional(Type.Array(Flag)),
  },
  { additionalProperties: false },
)

/** By the number of the bug, and by the id of the attachment. */
export const Attachments = Type.Object(
  {
    bugs: Type.Record(Type.String(), Type.Array(Attachment)),
    attachments: Type.Record(Type.String(), Attachment),
  },
  { additionalProperties: false },
)

export const CreatedAttachments = Type.Object({ ids: Type.Array(Type.Integer()) }, { additionalProperties: false })

export const UpdatedAttachments = Type.Object(
  {
    attachments: Type.Array(
      Type.Object({ id: Type.Integer(), last_change_time: Time, changes: Changes }, { additionalProperties: false }),
    ),
  },
  { additionalProperties: false },
)
