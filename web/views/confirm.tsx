import { useEffect, useState } from 'preact/hooks'
import type { View as Address } from '../../shared/addresses.ts'
import { loadSession, me, signIn } from '../core/account/session.ts'
import { currentAddress, go, hrefOf } from '../core/router.ts'
import { post, put } from '../core/server/rest.ts'
import { useTitle } from '../core/title.ts'
import { showToast } from '../core/toasts.ts'
import { AccountPage } from '../parts/account/account-page.tsx'
import { LoginForm } from '../parts/account/login-form.tsx'
import { NewPassword } from '../parts/account/new-password.tsx'
import { ProviderButtons } from '../parts/account/provider-buttons.tsx'
import { Button } from '../parts/button.tsx'
import { TextField } from '../parts/field.tsx'
import { FormFault } from '../parts/form-fault.tsx'
import { useSubmit } from '../parts/use-submit.ts'

interface Link {
  kind: 'join' | 'invite' | 'password'
  login: string
  real_name: string
  /** How many of each kind act for the user besides sessions. */
  acting: Record<string, number>
}

/** The page that links in mail open. The token is after the #, which browsers do not send. */
export function View({ parts }: { parts: Address['parts'] }) {
  const [token] = useState(currentAddress.value.hash)
  // The token does not stay in the history of the browser.
  useEffect(() => go(currentAddress.value.path, 'replace'), [])
  return parts.what === 'email' ? <NewAddress code={token} /> : <AccountLink token={token} />
}

const TITLES = { join: 'Create your account', invite: 'Choose a password', password: 'Choose a new password' }

function AccountLink({ token }: { token: string }) {
  const [link, setLink] = useState<Link>()
  const [fault, setFault] = useState<string>()
  useTitle(link === undefined ? 'Confirm' : TITLES[link.kind])
  useEffect(() => {
    post('/account/link', { token }).then(setLink, (reason: Error) => setFault(reason.message))
  }, [token])
  if (fault !== undefined)
    return (
      <AccountPage title="This link does not work">
        <div class="card login-form">
          <FormFault text={fault} />
          <a class="button button-large" href={hrefOf('/forgot')}>
            Request a new link
          </a>
        </div>
      </AccountPage>
    )
  return link === undefined ? <main id="main" class="login" aria-busy="true" /> : <Choose token={token} link={link} />
}

function Choose({ token, link }: { token: string; link: Link }) {
  const [name, setName] = useState(link.real_name)
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const [isSent, setSent] = useState(false)
  const [endsOthers, setEndsOthers] = useState(true)
  const isDifferent = isSent && password !== again
  const { submit, isBusy, fault } = useSubmit(async () => {
    setSent(true)
    if (password !== again) return
    const named = link.kind === 'password' ? { keep_credentials: !endsOthers } : { full_name: name }
    await post('/account/confirm', { token, password, ...named })
    await logInWith(link.login, password)
  })
  return (
    <AccountPage title={TITLES[link.kind]} about={`For ${link.login}`}>
      <form class="card login-form" onSubmit={submit}>
        <input
          type="text"
          class="visually-hidden"
          autocomplete="username"
          value={link.login}
          readOnly
          tabIndex={-1}
          aria-hidden="true"
        />
        {link.kind !== 'password' && (
          <TextField label="Your name" value={name} onText={setName} autocomplete="name" isLarge />
        )}
        <NewPassword
          label="Password"
          value={password}
          onText={setPassword}
          names={[link.login, name]}
          error={fault?.message}
          isLarge
        />
        <TextField
          label="Password again"
          type="password"
          value={again}
          onText={setAgain}
          autocomplete="new-password"
          isLarge
          isNeeded
          error={isDifferent ? 'The two are not the same.' : undefined}
        />
        {Object.keys(link.acting).length > 0 && (
          <label class="checkbox-label">
            <input
              class="checkbox"
              type="checkbox"
              checked={endsOthers}
              onChange={(event) => setEndsOthers(event.currentTarget.checked)}
            />
            <span>Also end what else acts for you: {actingInWords(link.acting)}</span>
          </label>
        )}
        <Button kind="primary" size="large" type="submit" isBusy={isBusy}>
          {link.kind === 'join' ? 'Create the account' : 'Save the password'}
        </Button>
      </form>
    </AccountPage>
  )
}

const ACTING: Readonly<Record<string, [one: string, many: string]>> = {
  api_key: ['API key', 'API keys'],
  webhook: ['webhook', 'webhooks'],
  mail_address: ['secret mail address', 'secret mail addresses'],
  scheduled_mail: ['scheduled mail', 'scheduled mails'],
  provider: ['login through a provider', 'logins through providers'],
}

function actingInWords(acting: Link['acting']): string {
  const words = Object.entries(acting).map(([kind, count]) => `${count} ${ACTING[kind]?.[count === 1 ? 0 : 1] ?? kind}`)
  return `${words.join(', ')}.`
}

/** A login may need more than the password, such as the code of a second factor. The link is used, so that it must not be tried again. */
async function logInWith(login: string, password: string) {
  try {
    await signIn(login, password, false)
    go('/', 'replace')
  } catch {
    go('/login', 'replace')
    showToast({ kind: 'done', text: 'The password is saved. Log in with it.' })
  }
}

/** A new address is confirmed by its user, who must be logged in: the code alone is not enough. */
function NewAddress({ code }: { code: string }) {
  useTitle('Confirm your new address')
  const who = me.value
  const [isDone, setDone] = useState(false)
  const { submit, isBusy, fault } = useSubmit(async () => {
    await put('/user/:ref', { ref: who?.id ?? '', email_code: code })
    await loadSession()
    setDone(true)
  })
  return (
    <AccountPage
      title="Confirm your new address"
      about={who === undefined ? 'Log in, and then confirm it.' : undefined}
      hasLogin
    >
      {isDone ? (
        <p class="card login-form" role="status">
          Your login name is now {me.value?.name}.
        </p>
      ) : who === undefined ? (
        <>
          <LoginForm onDone={() => {}} />
          <ProviderButtons onDone={() => {}} />
        </>
      ) : (
        <form class="card login-form" onSubmit={submit}>
          <FormFault text={fault?.message} />
          <p>You are logged in as {who.name}.</p>
          <Button kind="primary" size="large" type="submit" isBusy={isBusy}>
            Use the new address
          </Button>
        </form>
      )}
    </AccountPage>
  )
}
