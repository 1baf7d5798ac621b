import { useState } from 'preact/hooks'
import { Button } from '../../../parts/button.tsx'
import { DeleteDialog } from './delete-dialog.tsx'

interface Props extends Omit<Parameters<typeof DeleteDialog>[0], 'onClose'> {
  /** What goes with it, or when it cannot be deleted. */
  about: string
  /** Why it cannot be deleted at all. */
  unavailable?: string | undefined
}

/** The last part of the page of an object, which deletes it. */
export function DeletionZone({ about, unavailable, ...deletion }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <section class="card danger-zone" aria-label="Danger zone">
      <div class="admin-head">
        <h2>Danger zone</h2>
      </div>
      <ul class="rows">
        <li>
          <div class="grow">
            <b>Delete</b>
            <p class="muted small">{about}</p>
          </div>
          <Button kind="danger" unavailable={unavailable} onClick={() => setOpen(true)}>
            Delete…
          </Button>
        </li>
      </ul>
      {isOpen && <DeleteDialog {...deletion} onClose={() => setOpen(false)} />}
    </section>
  )
}
