import { useState } from 'preact/hooks'
import { attachmentHref, attachmentLink, downloadAttachment } from '../../../core/server/files.ts'
import { Icon } from '../../../parts/icon.tsx'

/** The address is fetched before it is needed, so that it can also be opened or copied with the menu of the browser. */
export function DownloadLink({ id, fileName }: { id: number; fileName: string }) {
  const [href, setHref] = useState(attachmentHref(id))
  const prepare = () => void attachmentLink(id).then(setHref, () => undefined)
  return (
    <a
      class="icon-button icon-button-small"
      href={href}
      download={fileName}
      aria-label={`Download ${fileName}`}
      onPointerEnter={prepare}
      onFocus={prepare}
      onClick={(event) => {
        event.preventDefault()
        void downloadAttachment(id, fileName)
      }}
    >
      <Icon name="download" />
    </a>
  )
}
