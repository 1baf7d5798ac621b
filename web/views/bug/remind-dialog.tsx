import { useState } from 'preact/hooks'
import { post } from '../../core/server/rest.ts'
import { dayOf } from '../../core/times.ts'
import { showResult } from '../../core/toasts.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'

const DAY = 86_400_000

/** Mails the reader a note about the bug on a day. */
export function RemindDialog({ bug, onClose }: { bug: number; onClose(): void }) {
  const [day, setDay] = useState(() => dayOf(new Date(Date.now() + 7 * DAY).toISOString()))
  const [note, setNote] = useState('')
  const save = (event: Event) => {
    event.preventDefault()
    const create = () => post('/reminder', { bug_id: String(bug), note, reminder_ts: day })
    return showResult(create, `You are reminded of bug ${bug} on ${day}.`, onClose)
  }
  return (
    <Dialog title="Remind me" onClose={onClose}>
      <form class="stack" onSubmit={save}>
        <TextField label="On" type="date" value={day} onText={setDay} isNeeded />
        <TextField label="Note" hint="It is in the mail. Only you see it." value={note} onText={setNote} />
        <div class="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit">
            Remind me
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
