import { useState } from 'preact/hooks'
import { post, type WaitingForProof } from '../core/rest.ts'
import { me } from '../core/session.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { TextField } from '../parts/field.tsx'
import { useSubmit } from '../parts/use-submit.ts'

/** Some changes ask for the password again when it was typed long ago: the browser may have been left alone. Then the change goes on. */
export function ConfirmPassword({ waiting }: { waiting: WaitingForProof }) {
  const [password, setPassword] = useState('')
  const { submit, isBusy, fault } = useSubmit(async () => {
    await post('/rest/session/proof', { password })
    waiting.goOn()
  })
  return (
    <Dialog title="Confirm that it is you" onClose={waiting.giveUp}>
      <form class="stack" onSubmit={submit}>
        <p>This change needs the password of {me.value?.name} again.</p>
        <input
          type="text"
          class="vh"
          autocomplete="username"
          value={me.value?.name}
          readOnly
          tabIndex={-1}
          aria-hidden="true"
        />
        <TextField
          label="Your password"
          type="password"
          value={password}
          onText={setPassword}
          autocomplete="current-password"
          isNeeded
          error={fault?.message}
        />
        <div>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            Go on
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
