import { useState } from 'preact/hooks'
import { attachFile, isPatchName } from '../../../core/drafts/attach-file.ts'
import { currentAddress, go } from '../../../core/router.ts'
import { showToast } from '../../../core/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { TextField } from '../../../parts/field.tsx'
import { useBugStore } from '../use-bug.ts'

/** A file with its summary. `#attach` leads here. */
export function AttachForm() {
  const store = useBugStore()
  const [file, setFile] = useState<File>()
  const [summary, setSummary] = useState('')
  const [comment, setComment] = useState('')
  const [isPatch, setPatch] = useState(false)
  const [isPrivate, setPrivate] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const close = () =>
    go(
      currentAddress.value.path + (currentAddress.value.query === '' ? '' : `?${currentAddress.value.query}`),
      'replace',
    )
  const attach = async () => {
    if (file === undefined) return
    setBusy(true)
    try {
      await attachFile(store.id, file, { comment, isPrivate, summary, isPatch })
      await store.reload()
      close()
      showToast({ kind: 'done', text: `${file.name} is attached.` })
    } catch (reason) {
      setFault((reason as Error).message)
    }
    setBusy(false)
  }
  return (
    <Dialog
      title="Attach a file"
      onClose={close}
      buttons={
        <>
          <Button onClick={close}>Attach nothing</Button>
          <Button
            kind="primary"
            isBusy={isBusy}
            onClick={attach}
            {...(file === undefined && { unavailable: 'Choose a file first' })}
          >
            {isBusy ? 'Sending…' : 'Attach the file'}
          </Button>
        </>
      }
    >
      <div class="form-rows">
        {fault !== undefined && (
          <div class="note note-danger" role="alert">
            {fault}
          </div>
        )}
        <input
          type="file"
          aria-label="File"
          onChange={(event) => {
            const chosen = event.currentTarget.files?.[0]
            setFile(chosen)
            setPatch(isPatchName(chosen?.name ?? ''))
          }}
        />
        <TextField label="Summary" value={summary} onText={setSummary} placeholder={file?.name ?? ''} />
        <label class="field">
          <span>Comment</span>
          <textarea
            class="input input-area"
            rows={4}
            value={comment}
            onInput={(event) => setComment(event.currentTarget.value)}
          />
        </label>
        <label class="checkbox-label">
          <input class="checkbox" type="checkbox" checked={isPatch} onChange={() => setPatch(!isPatch)} />
          It is a patch
        </label>
        {store.may('comment_is_private') && (
          <label class="checkbox-label">
            <input class="checkbox" type="checkbox" checked={isPrivate} onChange={() => setPrivate(!isPrivate)} />
            Private
          </label>
        )}
      </div>
    </Dialog>
  )
}
