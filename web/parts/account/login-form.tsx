import { useEffect, useRef, useState } from 'preact/hooks'
import { ACCOUNT_RULES_CALL } from '../../../shared/first-calls.ts'
import {
  hasPasskeys,
  logInWithPasskey,
  offerPasskeys,
  type PasskeyRequest,
  passkeysAfterPassword,
} from '../../core/account/passkeys.ts'
import { signIn } from '../../core/account/session.ts'
import { isRefusedFor, RestError } from '../../core/server/rest.ts'
import { useData } from '../../core/server/use-data.ts'
import { Button } from '../button.tsx'
import { TextField } from '../field.tsx'
import { Icon } from '../icon.tsx'

const WORDS: ReadonlyMap<RestError['reason'], string> = new Map<RestError['reason'], string>([
  ['wrong_credentials', 'That did not match. Check the login name and the password.'],
  ['code_needed', 'Type the code that your app shows.'],
  ['code_wrong', 'That code is wrong, too old, or was used already. Wait for the next one.'],
  ['passkey_refused', 'That passkey was not accepted. Try again, or log in in another way.'],
])

/** Does not say which of the two was wrong. The password stays, so that it can be corrected. A second step asks for the code or a passkey. `known` is the login name of a user whose session has ended. */
export function LoginForm({ onDone, known = '' }: { onDone(): void; known?: string | undefined }) {
  const [login, setLogin] = useState(known)
  const [password, setPassword] = useState('')
  const [isKept, setKept] = useState(true)
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const [code, setCode] = useState<string>()
  const [request, setRequest] = useState<PasskeyRequest>()
  const showFault = (refusal: unknown) =>
    setFault(WORDS.get(refusal instanceof RestError ? refusal.reason : undefined) ?? (refusal as Error).message)
  const passkeys = usePasskeys(isKept, code === undefined, onDone, showFault)
  const attempt = async (work: () => Promise<unknown>) => {
    setBusy(true)
    setFault(undefined)
    try {
      await work()
      onDone()
    } catch (refusal) {
      if (isRefusedFor(refusal, 'code_needed') && code === undefined) {
        if (passkeys.areAllowed) setRequest(await passkeysAfterPassword(login, password))
        setCode('')
      } else showFault(refusal)
    }
    setBusy(false)
  }
  const submit = (event: Event) => {
    event.preventDefault()
    return attempt(() => signIn(login, password, isKept, code))
  }
  /** A challenge works once, so that the next attempt needs a new one. */
  const usePasskey = () =>
    attempt(() =>
      logInWithPasskey(isKept, request).finally(async () => {
        if (request !== undefined) setRequest((await passkeysAfterPassword(login, password)) ?? request)
      }),
    )
  const beginAgain = () => {
    setFault(undefined)
    setLogin('')
    setPassword('')
    setCode(undefined)
    setRequest(undefined)
  }
  return (
    <form class="card login-form" onSubmit={submit}>
      {fault !== undefined && (
        <div class="note note-danger" role="alert">
          <Icon name="warn" />
          <div>{fault}</div>
        </div>
      )}
      {code === undefined ? (
        <Credentials
          isKnown={login !== '' && login === known}
          {...{ login, setLogin, password, setPassword, isKept, setKept }}
        />
      ) : (
        <CodeField value={code} onText={setCode} hasPasskey={request !== undefined} />
      )}
      <Button kind="primary" size="large" type="submit" isBusy={isBusy}>
        {isBusy ? 'Logging in…' : 'Log in'}
      </Button>
      {passkeys.areAllowed && (code === undefined || request !== undefined) && (
        <Button size="large" icon="key" onClick={usePasskey}>
          {code === undefined ? 'Log in with a passkey' : 'Use a passkey'}
        </Button>
      )}
      {code !== undefined && (
        <Button size="large" kind="quiet" onClick={beginAgain}>
          Use another account
        </Button>
      )}
    </form>
  )
}

/** In the first step, the browser also offers passkeys while one types the login name. */
function usePasskeys(isKept: boolean, isFirstStep: boolean, onDone: () => void, onFault: (fault: Error) => void) {
  const { body } = useData(ACCOUNT_RULES_CALL)
  const areAllowed = body?.passkeys === true && hasPasskeys()
  const keeps = useRef(isKept)
  keeps.current = isKept
  useEffect(() => {
    if (areAllowed && isFirstStep) return offerPasskeys(() => keeps.current, onDone, onFault)
    return undefined
  }, [areAllowed, isFirstStep])
  return { areAllowed }
}

interface CredentialsProps {
  isKnown: boolean
  login: string
  setLogin(text: string): void
  password: string
  setPassword(text: string): void
  isKept: boolean
  setKept(isKept: boolean): void
}

function Credentials({ isKnown, login, setLogin, password, setPassword, isKept, setKept }: CredentialsProps) {
  return (
    <>
      <TextField
        label="Login name"
        value={login}
        onText={setLogin}
        autocomplete="username webauthn"
        isLarge
        isNeeded
        isFocused={!isKnown}
      />
      <TextField
        label="Password"
        type="password"
        value={password}
        onText={setPassword}
        autocomplete="current-password"
        isLarge
        isNeeded
        isFocused={isKnown}
      />
      <label class="checkbox-label">
        <input
          class="checkbox"
          type="checkbox"
          checked={isKept}
          onChange={(event) => setKept(event.currentTarget.checked)}
        />
        Stay logged in on this computer
      </label>
    </>
  )
}

interface CodeProps {
  value: string
  onText(text: string): void
  hasPasskey: boolean
}

/** The second step: the code of the app, or a recovery code. */
function CodeField({ value, onText, hasPasskey }: CodeProps) {
  return (
    <TextField
      label="Code"
      value={value}
      onText={onText}
      autocomplete="one-time-code"
      hint={`From your authenticator app. Without it, ${hasPasskey ? 'use your passkey, or ' : ''}type one of your recovery codes.`}
      isLarge
      isNeeded
      isFocused
    />
  )
}
