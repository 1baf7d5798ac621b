import type { Json } from '../rest-client/rest-server.ts'
import type { FetchStore } from './fetch-store.ts'
import { type JsonObject, restNumber, restObjects, restText, restTime, restYes } from './rest-values.ts'
import type { PeopleNumbers } from './stage-people.ts'
import type { StagingWriter } from './staging-writer.ts'

export function stageAttachments(
  store: FetchStore,
  writer: StagingWriter,
  people: PeopleNumbers,
  bug: number,
  attachments: Json,
) {
  for (const attachment of restObjects(attachments)) {
    const id = restNumber(attachment.id)
    writer.row('attachments', attachmentRow(people, bug, id, attachment))
    stageFlags(writer, people, bug, id ?? null, attachment.flags)
    const content = id === undefined ? undefined : store.content(id)
    if (id === undefined || content === undefined) continue
    if (content.bytes === null) writer.note('attachments', id, `its content is missing: ${content.note}`)
    else if (content.bytes.length > 0) writer.row('attach_data', { id, thedata: content.bytes })
  }
}

function attachmentRow(people: PeopleNumbers, bug: number, id: number | undefined, attachment: JsonObject) {
  return {
    attach_id: id ?? null,
    bug_id: bug,
    creation_ts: restTime(attachment.creation_time),
    modification_time: restTime(attachment.last_change_time),
    description: restText(attachment.summary),
    mimetype: restText(attachment.content_type) || 'application/octet-stream',
    ispatch: restYes(attachment.is_patch),
    filename: restText(attachment.file_name),
    submitter_id: people.userOf(attachment.creator),
    isobsolete: restYes(attachment.is_obsolete),
    isprivate: restYes(attachment.is_private),
  }
}

/** The flags of a bug, or of an attachment. */
export function stageFlags(
  writer: StagingWriter,
  people: PeopleNumbers,
  bug: number,
  attachment: number | null,
  flags: Json | undefined,
) {
  for (const flag of restObjects(flags))
    writer.row('flags', {
      id: restNumber(flag.id) ?? null,
      type_id: restNumber(flag.type_id) ?? null,
      status: restText(flag.status),
      bug_id: bug,
      attach_id: attachment,
      creation_date: restTime(flag.creation_date),
      modification_date: restTime(flag.modification_date),
      setter_id: people.userOf(flag.setter),
      requestee_id: people.userOrNone(flag.requestee),
    })
}
