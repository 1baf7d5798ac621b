import { useState } from 'preact/hooks'
import { post, put, remove } from '../../core/server/rest.ts'
import { showResult } from '../../core/toasts.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'

/** A queue as administrators of products get it. */
export interface EditedQueue {
  name: string
  query?: string
  group: string
  rotation: { name: string } | null
  aim_days: number | null
}

interface Props {
  queue: EditedQueue | undefined
  onClose(): void
  onSaved(): void
}

/** For administrators of products: a new queue, or one that is there. */
export function QueueForm({ queue, onClose, onSaved }: Props) {
  const [name, setName] = useState(queue?.name ?? '')
  const [query, setQuery] = useState(queue?.query ?? '')
  const [group, setGroup] = useState(queue?.group ?? '')
  const [rotation, setRotation] = useState(queue?.rotation?.name ?? '')
  const [aim, setAim] = useState(String(queue?.aim_days ?? ''))
  const done = () => {
    onSaved()
    onClose()
  }
  const save = () => {
    const wanted = { name, query, group, rotation, aim_days: Number(aim) }
    const change = () =>
      queue === undefined ? post('/triage', wanted) : put('/triage/:queue', { queue: queue.name, ...wanted })
    return showResult(change, `The queue “${name}” is saved.`, done)
  }
  const forget = () =>
    showResult(
      () => remove('/triage/:queue', { queue: queue?.name ?? '' }),
      `The queue “${queue?.name}” is deleted. Its bugs stay as they are.`,
      done,
    )
  return (
    <Dialog
      title={queue === undefined ? 'New queue' : 'Queue'}
      onClose={onClose}
      buttons={
        <>
          <Button kind="primary" onClick={() => void save()}>
            Save the queue
          </Button>
          <Button onClick={onClose}>Cancel</Button>
          {queue !== undefined && (
            <Button kind="danger" onClick={() => void forget()}>
              Delete it
            </Button>
          )}
        </>
      }
    >
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <TextField label="Name" value={name} onText={setName} isNeeded isFocused />
        <TextField
          label="Search"
          value={query}
          onText={setQuery}
          isNeeded
          hint="The address of a list of bugs, or the part of it after the question mark."
        />
        <TextField label="Group whose members work in it" value={group} onText={setGroup} isNeeded />
        <TextField label="Rotation" value={rotation} onText={setRotation} hint="Empty for none." />
        <TextField label="Days that a bug should wait at most" type="number" value={aim} onText={setAim} />
      </form>
    </Dialog>
  )
}
