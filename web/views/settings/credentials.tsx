import { useEffect, useState } from 'preact/hooks'
import { addressOf } from '../../../shared/rest-address.ts'
import { remove } from '../../core/server/rest.ts'
import type { Me } from '../../core/server/types.ts'
import { useData } from '../../core/server/use-data.ts'
import { showResult } from '../../core/toasts.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Times } from './times.tsx'

interface Credential {
  kind: string
  id: number
  name: string
  created_at: string | null
  last_used: string | null
  is_current: boolean
}

/** Second factors protect the account, so that they are ended only one by one. */
const FACTORS = ['passkey', 'totp']

const NAMES: Readonly<Record<string, string>> = {
  session: 'Session',
  api_key: 'API key',
  webhook: 'Webhook',
  mail_address: 'Secret mail address',
  scheduled_mail: 'Scheduled mail',
  account_link: 'Link to set a password',
  email_change: 'Requested change of the address',
  provider: 'Login through a provider',
  passkey: 'Passkey',
  totp: 'Authenticator app',
}

const callFor = ({ id }: Me) => addressOf('/user/:user/credential', { user: id })

interface Props {
  who: Me
  /** The password was just changed: what still acts for the user is shown in a dialog, if there is something. */
  isPasswordNew: boolean
  onAsked(): void
}

/** Everything else that acts or listens for the user, with one button that ends it. */
export function Credentials({ who, isPasswordNew, onAsked }: Props) {
  const { body, reload } = useData(callFor(who))
  const [isAsking, setAsking] = useState(false)
  const others = othersIn(body?.credentials)
  useEffect(() => {
    if (isPasswordNew) reload()
  }, [isPasswordNew])
  return (
    <section class="stack" aria-label="What acts for you">
      <h2>What acts for you</h2>
      {body !== undefined && others.length === 0 && <p class="muted">Only this browser.</p>}
      {others.length > 0 && <CredentialList credentials={others} />}
      {others.some(isEnded) && (
        <div>
          <Button kind="danger" onClick={() => setAsking(true)}>
            End all of it
          </Button>
        </div>
      )}
      {isAsking && (
        <EndDialog
          who={who}
          title="End everything that acts for you?"
          others={others}
          onDone={reload}
          onClose={() => setAsking(false)}
        />
      )}
      {isPasswordNew && others.some(isEnded) && (
        <EndDialog who={who} title="Your password is changed" others={others} onDone={reload} onClose={onAsked} />
      )}
    </section>
  )
}

interface EndProps {
  who: Me
  title: string
  others: Credential[]
  onDone(): void
  onClose(): void
}

function EndDialog({ who, title, others, onDone, onClose }: EndProps) {
  const end = async () => {
    onClose()
    await showResult(
      () => remove('/user/:user/credential', { user: who.id }),
      'Only this browser acts for you now.',
      onDone,
    )
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>Keep all of it</Button>
          <Button kind="danger" onClick={() => void end()}>
            End all of it
          </Button>
        </>
      }
    >
      <p>
        This still acts for you. If you do not know some of it, end all of it: programs that use it stop working at
        once.
      </p>
      <CredentialList credentials={others.filter(isEnded)} />
    </Dialog>
  )
}

function CredentialList({ credentials }: { credentials: Credential[] }) {
  return (
    <ul class="card rows">
      {credentials.map(({ kind, id, name, created_at, last_used }) => (
        <li class="bug-row" key={`${kind} ${id}`}>
          <span class="grow break-anywhere">
            <b>{NAMES[kind] ?? kind}</b> <span dir="auto">{name}</span>
            <Times created={created_at} lastUsed={last_used}>
              {FACTORS.includes(kind) && <span>removed one by one, under second factors</span>}
            </Times>
          </span>
        </li>
      ))}
    </ul>
  )
}

function isEnded({ kind }: Credential) {
  return !FACTORS.includes(kind)
}

function othersIn(credentials: Credential[] = []): Credential[] {
  return credentials.filter(({ is_current }) => !is_current)
}
