import { useState } from 'preact/hooks'
import { post } from '../../../core/server/rest.ts'
import { showToast } from '../../../core/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { TextField } from '../../../parts/field.tsx'
import { FormFault } from '../../../parts/form-fault.tsx'
import { useSubmit } from '../../../parts/use-submit.ts'

export function NewKeyword({ onClose, onMade }: { onClose(): void; onMade(): void }) {
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const { submit, isBusy, fault } = useSubmit(async () => {
    await post('/keyword', { name, description })
    showToast({ kind: 'done', text: `The keyword “${name.trim()}” can be used.` })
    onMade()
    onClose()
  })
  return (
    <Dialog title="New keyword" onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <TextField
          label="Name"
          isNeeded
          isFocused
          value={name}
          onText={setName}
          hint="One word without spaces or commas."
        />
        <TextField
          label="Meaning"
          isNeeded
          value={description}
          onText={setDescription}
          hint="What it says about a bug. Shown where keywords are chosen."
        />
        <FormFault text={fault?.message} />
        <div class="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            Create the keyword
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
