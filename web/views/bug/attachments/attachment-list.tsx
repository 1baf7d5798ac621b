import { currentAddress, hrefOf } from '../../../core/router.ts'
import { Icon } from '../../../parts/icon.tsx'
import { useBugStore } from '../use-bug.ts'
import { AttachmentCard } from './attachment-card.tsx'

/** All files of the bug; the obsolete ones last. */
export function AttachmentList() {
  const store = useBugStore()
  const files = store.attachments.value.toSorted((one, other) => Number(one.is_obsolete) - Number(other.is_obsolete))
  return (
    <div class="attachment-list">
      {files.map((attachment) => (
        <AttachmentCard key={attachment.id} attachment={attachment} withAuthor />
      ))}
      {store.may('comment') && (
        <a class="button" href={`${hrefOf(currentAddress.value.path)}#attach`}>
          <Icon name="clip" />
          Attach a file
        </a>
      )}
    </div>
  )
}
