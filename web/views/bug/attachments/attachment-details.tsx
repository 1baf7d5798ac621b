import { me } from '../../../core/account/session.ts'
import { personBy } from '../../../core/bugs/people.ts'
import type { Attachment } from '../../../core/server/types.ts'
import { exactTime } from '../../../core/times.ts'
import { late } from '../../../parts/late.tsx'
import { nameOf } from '../../../parts/person.tsx'
import { AskForFlag, FlagActions } from '../status/flag-actions.tsx'
import { useBugStore } from '../use-bug.ts'

const DetailsForm = late(async () => (await import('./details-form.tsx')).DetailsForm)

/** What is stored of a file. Those who attached it, and editors, may change it. */
export function AttachmentDetails({ attachment }: { attachment: Attachment }) {
  const store = useBugStore()
  const isOwn = me.value?.name === attachment.creator
  const mayEdit = isOwn ? store.may('flags') : store.may('attachments')
  return (
    <div class="attachment-details">
      <p class="faint small">
        Attachment {attachment.id} by {nameOf(personBy(attachment.creator))}, {exactTime(attachment.creation_time)}.
        File <bdi>{attachment.file_name}</bdi>, {attachment.content_type}.
      </p>
      {attachment.flags.length > 0 && (
        <ul class="flags">
          {attachment.flags.map((flag) => (
            <FlagActions
              key={flag.id}
              flag={flag}
              target="attachment"
              holder={{ attachment: attachment.id }}
              mayChange={mayEdit}
            />
          ))}
        </ul>
      )}
      {mayEdit && <AskForFlag target="attachment" holder={{ attachment: attachment.id }} />}
      {mayEdit && <DetailsForm attachment={attachment} />}
    </div>
  )
}
