import type { ComponentChildren } from 'preact'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'

interface Props {
  title: string
  /** Undefined while the form cannot be sent. */
  onAdd: (() => void) | undefined
  onClose(): void
  children: ComponentChildren
}

/** A form in a dialog whose changes are not saved, but wait in the bar. */
export function DraftForm({ title, onAdd, onClose, children }: Props) {
  const add = (event: Event) => {
    event.preventDefault()
    if (onAdd === undefined) return
    onClose()
    onAdd()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="stack" onSubmit={add}>
        {children}
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
