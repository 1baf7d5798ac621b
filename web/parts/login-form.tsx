import { useState } from 'preact/hooks'
import { RestError } from '../core/rest.ts'
import { signIn } from '../core/session.ts'
import { Button } from './button.tsx'
import { TextField } from './field.tsx'
import { Icon } from './icon.tsx'

const WRONG_CREDENTIALS = 300
const CODE_NEEDED = 310
const CODE_WRONG = 311

const WORDS: ReadonlyMap<number, string> = new Map([
  [WRONG_CREDENTIALS, 'That did not match. Check the login name and the password.'],
  [CODE_NEEDED, 'Type the code that your app shows.'],
  [CODE_WRONG, 'That code is wrong, too old, or was used already. Wait for the next one.'],
])

/** Does not say which of the two was wrong. The password stays, so that it can be corrected. A second step asks for the code. */
export function LoginForm({ onDone }: { onDone(): void }) {
  const [login, setLogin] = useState('')
  const [password, setPassword] = useState('')
  const [isKept, setKept] = useState(true)
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const [code, setCode] = useState<string>()
  const submit = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    setFault(undefined)
    try {
      await signIn(login, password, isKept, code)
      onDone()
    } catch (reason) {
      const number = reason instanceof RestError ? reason.code : undefined
      if (number === CODE_NEEDED && code === undefined) setCode('')
      else setFault(WORDS.get(number ?? 0) ?? (reason as Error).message)
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
      {code === undefined ? (
        <Credentials {...{ login, setLogin, password, setPassword, isKept, setKept }} />
      ) : (
        <CodeField value={code} onText={setCode} />
      )}
      <Button kind="primary" size="l" type="submit" isBusy={isBusy}>
        {isBusy ? 'Logging in…' : 'Log in'}
      </Button>
    </form>
  )
}

interface CredentialsProps {
  login: string
  setLogin(text: string): void
  password: string
  setPassword(text: string): void
  isKept: boolean
  setKept(isKept: boolean): void
}

function Credentials({ login, setLogin, password, setPassword, isKept, setKept }: CredentialsProps) {
  return (
    <>
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
    </>
  )
}

/** The second step: the code of the app, or a recovery code. */
function CodeField({ value, onText }: { value: string; onText(text: string): void }) {
  return (
    <TextField
      label="Code"
      value={value}
      onText={onText}
      autocomplete="one-time-code"
      hint="From your authenticator app. Without it, type one of your recovery codes."
      isLarge
      isNeeded
      isFocused
    />
  )
}
