// What a flag is on: a bug, or one of its attachments.
import type { ParamsOf } from '../../../client/call-types.ts'
import { put } from '../server/rest.ts'

export type FlagHolder = { readonly bug: number } | { readonly attachment: number }

type Change = Pick<ParamsOf<'PUT /bug/attachment/:attachment_id'>, 'flags'> & {
  comment?: unknown
  comment_is_markdown?: boolean
}

export function putOnHolder(holder: FlagHolder, change: Change) {
  return 'bug' in holder
    ? put('/bug/:ref', { ref: holder.bug, ...change })
    : put('/bug/attachment/:attachment_id', { attachment_id: holder.attachment, ...(change as object) })
}
