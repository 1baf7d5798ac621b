import type { CallContext } from '../../../access/call.ts'
import { errors } from '../../../platform/errors.ts'
import { FileAnswer } from '../../../platform/wire/http/answer.ts'
import { etagOfBytes } from '../../../platform/wire/json/json-text.ts'
import { downloadHeaders } from './attachment-headers.ts'
import { attachmentsByIds } from './read-attachments.ts'

/** The content of an attachment. Its ETag differs per user, so that a cache never gives it to a user who may not see it. */
export async function downloadAttachment(context: CallContext, id: number): Promise<FileAnswer> {
  const { settings, contents, caller } = context
  const [attachment] = await attachmentsByIds(context, [id])
  if (attachment === undefined) throw errors.no_such_object({ what: 'attachment', ref: String(id) })
  const { size, content_digest: digest } = attachment
  const headers = downloadHeaders(attachment, settings)
  const etag = etagOfBytes(JSON.stringify([caller.id, digest, headers]))
  return new FileAnswer({ size, headers, etag, open: () => contents.open(settings, digest, size) })
}
