import { NOT_KEPT } from '../../../core/drafts/use-draft-files.ts'
import { Icon } from '../../../parts/icon.tsx'
import { late, withStyleApart } from '../../../parts/late.tsx'

const Thumbnail = late(async () => (await withStyleApart(import('../../../parts/text/thumbnail.tsx'))).Thumbnail)

interface FilesProps {
  files: readonly File[]
  /** Names of files that were chosen before the page was loaded again, and that the browser did not keep. */
  lost: readonly string[]
  areKept: boolean
  onRemove(file: File): void
}

/** The files that go with the comment. */
export function Files({ files, lost, areKept, onRemove }: FilesProps) {
  return (
    <div class="composer-changes">
      {files.map((file, index) => (
        <span key={index} class="chip is-on">
          {file.type.startsWith('image/') ? <Thumbnail file={file} /> : <Icon name="file" size="small" />}
          <span dir="auto">{file.name}</span>
          <button
            type="button"
            class="chip-remove"
            aria-label={`Do not attach ${file.name}`}
            onClick={() => onRemove(file)}
          >
            <Icon name="x" size="tiny" />
          </button>
        </span>
      ))}
      {!areKept && <span class="faint small">{NOT_KEPT}</span>}
      {lost.length > 0 && (
        <span class="faint small">
          Choose again what you were about to attach: <bdi>{lost.join(', ')}</bdi>
        </span>
      )}
    </div>
  )
}
