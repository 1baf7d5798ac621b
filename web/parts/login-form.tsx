import { useState } from 'preact/hooks'
import { RestError } from '../core/rest.ts'
import { signIn } from '../core/session.ts'
import { Button } from './button.tsx'
import { TextField } from './field.tsx'
import { Icon } from './icon.tsx'

const WRONG_CREDENTIALS = 300

/** Does not say which of the two was wrong. The password stays, so that it can be corrected. */
export function LoginForm({ onDone }: { onDone(): void }) {
  const [login, setLogin] = useState('')
  const [password, setPassword] = useState('')
  const [isKept, setKept] = useState(true)
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const submit = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    setFault(undefined)
    try {
      await signIn(login, password, isKept)
      onDone()
    } catch (reason) {
      const isWrong = reason instanceof RestError && reason.code === WRONG_CREDENTIALS
      setFault(isWrong ? 'That did not match. Check the login name and the password.' : (reason as Error).message)
    }
    setBusy(false)
  }
  return (
    <form class="card login-f" onSubmit={submit}>
      {fault !== undefined && (
        <div class="note note-danger" role="alert">
          <Icon name="warn" />
          <div>{fault}</div>
        </div>
      )}
      <TextField label="Login name" value={login} onText={setLogin} autocomplete="username" isLarge isNeeded />
      <TextField
        label="Password"
        type="password"
        value={password}
        onText={setPassword}
        autocomplete="current-password"
        isLarge
        isNeeded
      />
      <label class="cb-l">
        <input class="cb" type="checkbox" checked={isKept} onChange={(event) => setKept(event.currentTarget.checked)} />
        Stay logged in on this computer
      </label>
      <Button kind="primary" size="l" type="submit" isBusy={isBusy}>
        {isBusy ? 'Logging in…' : 'Log in'}
      </Button>
    </form>
  )
}
