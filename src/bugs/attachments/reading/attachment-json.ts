import type { CallContext } from '../../../access/call.ts'
import { loginFor } from '../../../access/visibility/reader-rights.ts'
import type { FieldSelection } from '../../../platform/wire/field-selection.ts'
import { presentFlag } from '../../reading/bug-json.ts'
import type { FlagRow } from '../../reading/bug-view.ts'
import type { AttachmentPart, AttachmentRow } from './attachment-view-store.ts'

export type AttachmentContext = Pick<CallContext, 'caller' | 'settings' | 'select'>

/** The parts to read for the requested fields. Computed once per selection, because most requests share one. */
export function attachmentParts({ select }: AttachmentContext): ReadonlySet<AttachmentPart> {
  const found = parts.get(select) ?? new Set((['creator', 'flags'] as const).filter((part) => select.wants(part)))
  parts.set(select, found)
  return found
}

const parts = new WeakMap<FieldSelection, ReadonlySet<AttachmentPart>>()

/** An attachment as the REST API returns it, with its content in base64 if that was read. */
export function presentAttachment(it: AttachmentRow, readContext: AttachmentContext, data?: string) {
  return readContext.select.pick({
    id: it.id,
    bug_id: it.bug_id,
    ...(data !== undefined && { data }),
    size: it.size,
    creation_time: it.created_at,
    last_change_time: it.changed_at,
    file_name: it.file_name,
    summary: it.summary,
    content_type: it.content_type,
    is_private: it.is_private === 1,
    is_obsolete: it.is_obsolete === 1,
    is_patch: it.is_patch === 1,
    creator: loginFor(it.creator, readContext),
    flags: (JSON.parse(it.flags ?? '[]') as FlagRow[]).map((flag) => presentFlag(flag, readContext)),
  })
}
