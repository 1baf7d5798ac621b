import { useRef } from 'preact/hooks'
import { Button } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import type { NewBug } from './new-bug.ts'

interface Props {
  bug: NewBug
  onBug(bug: NewBug): void
  onFiles(files: readonly File[]): void
  error: string | undefined
}

const ROWS = 9

/** The description, which files can be dropped or pasted into. */
export function Description({ bug, onBug, onFiles, error }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const take = (event: Event, files: FileList | undefined) => {
    if (files === undefined || files.length === 0) return
    event.preventDefault()
    onFiles([...files])
  }
  return (
    <Field label="Description" error={error}>
      {({ id, describedBy, isInvalid }) => (
        <div
          class="composer"
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => take(event, event.dataTransfer?.files)}
        >
          {bug.template !== '' && (
            <div class="row cp-h fhead">
              <span class="push faint small cut">
                Template of <span dir="auto">{bug.templateOf}</span>
              </span>
            </div>
          )}
          <textarea
            id={id}
            class="cp-a"
            rows={ROWS}
            dir="auto"
            aria-describedby={describedBy}
            aria-invalid={isInvalid}
            value={bug.description}
            placeholder="What you did, what happened, and what you expected."
            onInput={(event) => onBug({ ...bug, description: event.currentTarget.value })}
            onPaste={(event) => take(event, event.clipboardData?.files)}
          />
          <div class="cp-f">
            <input
              ref={input}
              type="file"
              multiple
              hidden
              aria-label="Files to attach"
              onChange={(event) => {
                onFiles([...(event.currentTarget.files ?? [])])
                event.currentTarget.value = ''
              }}
            />
            <Button kind="quiet" size="s" icon="clip" onClick={() => input.current?.click()}>
              <span>
                Attach files<span class="only-wide">, or drop or paste them here</span>
              </span>
            </Button>
          </div>
        </div>
      )}
    </Field>
  )
}
