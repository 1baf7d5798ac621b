import { useState } from 'preact/hooks'
import { type FactorList, isUsableHere } from '../core/account/factors.ts'
import { hasPasskeys, proveWithPasskey } from '../core/account/passkeys.ts'
import { me } from '../core/account/session.ts'
import { post, type WaitingForProof } from '../core/server/rest.ts'
import { useData } from '../core/server/use-data.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { TextField } from '../parts/field.tsx'
import { useSubmit } from '../parts/use-submit.ts'

/** Some changes ask for the password again when it was typed long ago: the browser may have been left alone. Then the change goes on. */
export function ConfirmPassword({ waiting }: { waiting: WaitingForProof }) {
  const [password, setPassword] = useState('')
  const [isCode, setIsCode] = useState(false)
  const { body } = useData<FactorList>('/rest/factor')
  const hasPasskey = hasPasskeys() && body?.factors.some(isUsableHere)
  const { submit, isBusy, fault } = useSubmit(async () => {
    await post('/rest/session/proof', isCode ? { totp: password } : { password })
    waiting.goOn()
  })
  const byPasskey = useSubmit(async () => {
    await proveWithPasskey()
    waiting.goOn()
  })
  return (
    <Dialog title="Confirm that it is you" onClose={waiting.giveUp}>
      <form class="stack" onSubmit={submit}>
        <p>
          This change needs the password of {me.value?.name} again, {hasPasskey ? 'a passkey, ' : ''}or a code of the
          second factor. Without any of these, log out and log in again.
        </p>
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
          key={String(isCode)}
          label={isCode ? 'Code' : 'Your password'}
          type={isCode ? 'text' : 'password'}
          value={password}
          onText={setPassword}
          autocomplete={isCode ? 'one-time-code' : 'current-password'}
          isNeeded
          error={(fault ?? byPasskey.fault)?.message}
        />
        <div class="factor-buttons">
          <Button kind="primary" type="submit" isBusy={isBusy}>
            Go on
          </Button>
          {hasPasskey && (
            <Button icon="key" isBusy={byPasskey.isBusy} onClick={byPasskey.submit}>
              Use a passkey
            </Button>
          )}
          <Button
            onClick={() => {
              setIsCode(!isCode)
              setPassword('')
            }}
          >
            {isCode ? 'Use the password' : 'Use a code'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
