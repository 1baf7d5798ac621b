import { bugAddress, hrefOf } from '../../core/router.ts'
import { Button } from '../../parts/button.tsx'
import { Attachments, type NewFile } from './attachments.tsx'

interface Props {
  id: number
  files: readonly NewFile[]
  isBusy: boolean
  onRetry(): void
}

/** Shown when the bug is filed and its files are being sent or could not be attached. */
export function Filed({ id, files, isBusy, onRetry }: Props) {
  const failed = files.filter(({ state }) => state === 'failed').map(({ file }) => file.name)
  return (
    <div class="file-form">
      <h1>Bug {id} is filed</h1>
      {isBusy ? (
        <div class="note" role="status">
          Attaching its files…
        </div>
      ) : (
        <div class="note note-danger" role="alert">
          <div>
            Bug {id} is filed; <span dir="auto">{failed.join(', ')}</span> could not be attached.
          </div>
        </div>
      )}
      <Attachments files={files} />
      <div class="file-foot">
        <Button kind="primary" size="large" isBusy={isBusy} onClick={onRetry}>
          {isBusy ? 'Attaching…' : 'Try again'}
        </Button>
        <a class="button button-quiet" href={hrefOf(bugAddress(id))}>
          Go to bug {id}
        </a>
      </div>
    </div>
  )
}
