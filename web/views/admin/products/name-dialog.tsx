import { useState } from 'preact/hooks'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { TextField } from '../../../parts/field.tsx'

interface Props {
  title: string
  name: string
  onName(name: string): void
  onClose(): void
}

/** Asks for one name. The change waits in the bar. */
export function NameDialog({ title, name, onName, onClose }: Props) {
  const [text, setText] = useState(name)
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (text.trim() === '') return
          onClose()
          onName(text.trim())
        }}
      >
        <TextField label="Name" isNeeded isFocused value={text} onText={setText} />
        <div class="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit">
            Add to the changes
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
