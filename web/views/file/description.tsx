import { Button } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { useFileDialog } from '../../parts/file-dialog.tsx'
import { Pictures } from '../../parts/text/text-contexts.ts'
import { WritingBox } from '../../parts/text/writing-box.tsx'
import type { NewFile } from './attachments.tsx'
import type { NewBug } from './new-bug.ts'

interface Props {
  bug: NewBug
  files: readonly NewFile[]
  onBug(bug: NewBug): void
  onFiles(files: readonly File[]): void
  error: string | undefined
}

const ROWS = 9
const ANYBODY = { people: () => [] }

/** The description, which files can be dropped or pasted into. */
export function Description({ bug, files, onBug, onFiles, error }: Props) {
  const dialog = useFileDialog(onFiles)
  const pictureOf = (reference: string) => files.find(({ file }) => file.name === reference)
  const field = (
    <Field label="Description" error={error}>
      {(ids) => (
        <WritingBox
          {...ids}
          key={bug.draft}
          rows={ROWS}
          text={bug.description}
          onText={(description) => onBug({ ...bug, description })}
          onFiles={onFiles}
          mentionable={ANYBODY}
          placeholder="What you did, what happened, and what you expected."
          head={
            bug.template !== '' && (
              <span class="align-end faint small truncated">
                Template of <span dir="auto">{bug.templateOf}</span>
              </span>
            )
          }
        >
          <div class="composer-foot">
            {dialog.input}
            <Button kind="quiet" size="small" icon="clip" onClick={dialog.open}>
              <span>
                Attach files<span class="only-wide">, or drop or paste them here</span>
              </span>
            </Button>
          </div>
        </WritingBox>
      )}
    </Field>
  )
  return <Pictures.Provider value={pictureOf}>{field}</Pictures.Provider>
}
