// Undoing all that was done with an API key since a time.
import { useState } from 'preact/hooks'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { TextField } from './field.tsx'
import { UndoDialog } from './undo-dialog.tsx'

const HOUR = 60 * 60 * 1000

interface UndoKeyProps {
  id: number
  name: string
  onClose(): void
}

/** Asks since when, then shows what would be changed back. */
export function UndoKey({ id, name, onClose }: UndoKeyProps) {
  const [typed, setTyped] = useState(() => localTime(new Date(Date.now() - HOUR)))
  const [since, setSince] = useState<string>()
  const title = `Undo what “${name}” did`
  if (since !== undefined)
    return (
      <UndoDialog title={title} what={{ key_id: id, since }} onClose={onClose} onDone={() => {}}>
        <p class="muted">Since {typed.replace('T', ' ')}, the newest change first.</p>
      </UndoDialog>
    )
  return (
    <Dialog
      title={title}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>Undo nothing</Button>
          <Button
            kind="primary"
            unavailable={Number.isNaN(Date.parse(typed)) ? 'Choose a time' : undefined}
            onClick={() => setSince(new Date(typed).toISOString())}
          >
            Show what would be undone
          </Button>
        </>
      }
    >
      <p>Bugs are changed back in your name, with your rights. What others have changed since stays.</p>
      <TextField label="Since" type="datetime-local" value={typed} onText={setTyped} />
    </Dialog>
  )
}

function localTime(at: Date) {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
