import { NOT_KEPT } from '../../../core/drafts/use-draft-files.ts'
import { Icon } from '../../../parts/icon.tsx'
import { late } from '../../../parts/late.tsx'
import { isShownIn, wordsAbout } from '../../../parts/text/picture-words.ts'

const Thumbnail = late(async () => (await import('../../../parts/text/thumbnail.tsx')).Thumbnail)

interface FilesProps {
  files: readonly File[]
  /** What is written, which may show them. */
  text: string
  /** Names of files that were chosen before the page was loaded again, and that the browser did not keep. */
  lost: readonly string[]
  areKept: boolean
  onRemove(file: File): void
}

/** The files that go with the comment. */
export function Files({ files, text, lost, areKept, onRemove }: FilesProps) {
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
      {files.some((file) => isShownIn(text, file) && wordsAbout(text, file) === '') && (
        <span class="faint small">Say in the brackets what the picture shows, for readers who do not see it.</span>
      )}
      {!areKept && <span class="faint small">{NOT_KEPT}</span>}
      {lost.length > 0 && (
        <span class="faint small">
          Choose again what you were about to attach: <bdi>{lost.join(', ')}</bdi>
        </span>
      )}
    </div>
  )
}
