import { useState } from 'preact/hooks'
import { personBy } from '../../../core/bugs/people.ts'
import { readableSize } from '../../../core/drafts/readable-size.ts'
import type { Attachment } from '../../../core/server/types.ts'
import { Button, IconButton } from '../../../parts/button.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { nameOf } from '../../../parts/person.tsx'
import { Time } from '../../../parts/time.tsx'
import { FlagChip } from '../status/flags.tsx'
import { AttachmentDetails } from './attachment-details.tsx'
import { iconFor } from './attachment-kind.ts'
import { AttachmentPreview } from './attachment-preview.tsx'
import { DownloadLink } from './download-link.tsx'

/** A file with a preview, its flags and its details. An obsolete one is folded. */
export function AttachmentCard({ attachment, withAuthor }: { attachment: Attachment; withAuthor?: boolean }) {
  const { id, summary, file_name: fileName, size, is_obsolete: isObsolete, is_private: isPrivate, flags } = attachment
  const [isOpen, setOpen] = useState(!isObsolete)
  const [hasDetails, setDetails] = useState(false)
  return (
    <figure
      class={`attachment${isObsolete ? ' is-obsolete' : ''}`}
      id={`a${id}`}
      tabIndex={-1}
      aria-label={`Attachment ${id}: ${summary}`}
    >
      <div class="attachment-head">
        <Icon name={iconFor(attachment)} />
        <span class="attachment-name truncated" dir="auto" title={fileName}>
          {summary}
        </span>
        <span class="faint small nowrap">{size === 0 ? 'deleted' : readableSize(size)}</span>
        {isPrivate && (
          <span class="badge badge-secret">
            <Icon name="lock" />
            Private
          </span>
        )}
        {isObsolete && <span class="badge">Obsolete</span>}
        {withAuthor && (
          <span class="faint small nowrap only-wide">
            {nameOf(personBy(attachment.creator))}, <Time at={attachment.creation_time} />
          </span>
        )}
        <span class="align-end row">
          {isObsolete && (
            <Button kind="quiet" size="small" onClick={() => setOpen(!isOpen)}>
              {isOpen ? 'Hide' : 'Show'}
            </Button>
          )}
          {size > 0 && <DownloadLink id={id} fileName={fileName} />}
          <IconButton
            name="Details"
            icon="more"
            size="small"
            isPressed={hasDetails}
            onClick={() => setDetails(!hasDetails)}
          />
        </span>
      </div>
      {hasDetails && <AttachmentDetails attachment={attachment} />}
      {isOpen && size > 0 && <AttachmentPreview attachment={attachment} />}
      {flags.length > 0 && (
        <div class="attachment-foot">
          {flags.map((flag) => (
            <FlagChip key={flag.id} flag={flag} />
          ))}
        </div>
      )}
    </figure>
  )
}
