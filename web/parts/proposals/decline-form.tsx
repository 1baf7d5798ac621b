import { useState } from 'preact/hooks'
import { post } from '../../core/server/rest.ts'
import { Button } from '../button.tsx'
import { TextField } from '../field.tsx'
import { FormFault } from '../form-fault.tsx'
import { useSubmit } from '../use-submit.ts'
import { ifStillSo } from './if-still-so.ts'

interface Props {
  id: number
  onClose(): void
  onDeclined(): void
}

/** Why, for who has proposed it; it may be empty. */
export function DeclineForm({ id, onClose, onDeclined }: Props) {
  const [note, setNote] = useState('')
  const { submit, isBusy, fault } = useSubmit(() =>
    ifStillSo(() => post('/proposal/:id/decline', { id, note }).then(onDeclined), onDeclined),
  )
  return (
    <form class="stack proposal-decline" aria-label="Decline the proposal" onSubmit={submit}>
      <TextField label="Why" value={note} onText={setNote} hint="Its author reads this. It can be empty." isFocused />
      <FormFault text={fault?.message} />
      <div class="row">
        <Button kind="danger" type="submit" isBusy={isBusy}>
          Decline all that is open
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  )
}
