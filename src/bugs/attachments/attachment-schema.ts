import { Type } from '@sinclair/typebox'
import { Changes } from '../../platform/wire/openapi/schemas.ts'
import { Flag } from '../reading/flag-schema.ts'

const Time = Type.String({ format: 'date-time' })

export const Attachment = Type.Object(
  {
    id: Type.Integer(),
    bug_id: Type.Integer(),
    data: Type.String({ contentEncoding: 'base64' }),
    size: Type.Integer(),
    creation_time: Time,
    last_change_time: Time,
    file_name: Type.String(),
    summary: Type.String(),
    content_type: Type.String(),
    is_private: Type.Boolean(),
    is_obsolete: Type.Boolean(),
    is_patch: Type.Boolean(),
    creator: Type.String(),
    flags: Type.Array(Flag),
  },
  { title: 'Attachment', additionalProperties: false },
)

/** `bugs` is keyed by bug number, `attachments` by attachment id. */
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
