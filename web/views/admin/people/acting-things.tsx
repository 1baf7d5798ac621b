import { useState } from 'preact/hooks'
import { addressOf } from '../../../../shared/rest-address.ts'
import { isAdmin } from '../../../core/account/session.ts'
import { hrefOf } from '../../../core/router.ts'
import { remove } from '../../../core/server/rest.ts'
import { useData } from '../../../core/server/use-data.ts'
import { showResult } from '../../../core/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { Time } from '../../../parts/time.tsx'
import { UndoKey } from '../../../parts/undo-key.tsx'
import { type Account, nameIn } from './account.ts'

const KINDS: Readonly<Record<string, string>> = {
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
const FACTORS: ReadonlySet<string> = new Set(['passkey', 'totp'])

interface Props {
  account: Account
  onChange(): void
}

/** Sessions, keys and all else that acts for the person, and their second factors. */
export function ActingThings({ account, onChange }: Props) {
  const { id } = account
  const { body, fault, reload } = useData(addressOf('/user/:user/credential', { user: id }))
  const [asking, setAsking] = useState<'all' | 'factors'>()
  const [undoing, setUndoing] = useState<{ id: number; name: string }>()
  const all = body?.credentials ?? []
  const things = all.filter(({ kind }) => !FACTORS.has(String(kind)))
  const factors = all.filter(({ kind }) => FACTORS.has(String(kind)))
  const change = async (call: () => Promise<unknown>, done: string) => {
    setAsking(undefined)
    await showResult(call, done)
    reload()
    onChange()
  }
  return (
    <>
      <section class="person-part" aria-label="Sessions and keys">
        <h3>
          Sessions and keys <span class="faint">{body !== undefined && things.length}</span>
        </h3>
        {fault !== undefined && body === undefined && <p class="muted">{fault.message}</p>}
        {body !== undefined && things.length === 0 && <p class="muted">Nothing acts for them.</p>}
        <ul>
          {things.map(({ kind, id: thing, name, resource, last_used, is_current, allows }) => (
            <li key={`${kind} ${thing}`} class="person-row">
              <span class="grow truncated" title={name}>
                {resource === null ? KINDS[String(kind)] : 'Program'} <span dir="auto">{name}</span>
                {is_current && ' (this one)'}{' '}
                <span class="faint small">
                  {last_used === null ? 'never used' : <Time at={last_used} isInSentence />}
                </span>
              </span>
              {kind === 'api_key' && isAdmin.value && allows.includes('propose') && (
                <a class="link small" href={hrefOf(`/proposals?key_id=${thing}&status=all`)}>
                  Proposals<span class="visually-hidden"> of {name}</span>
                </a>
              )}
              {kind === 'api_key' && isAdmin.value && last_used !== null && (
                <Button size="small" onClick={() => setUndoing({ id: Number(thing), name: String(name) })}>
                  Undo…<span class="visually-hidden"> what {name} did</span>
                </Button>
              )}
              {kind === 'api_key' && isAdmin.value && !is_current && (
                <Button
                  size="small"
                  onClick={() =>
                    void change(
                      () => remove('/user/:user/api_key/:id', { user: id, id: thing }),
                      'The key works no longer.',
                    )
                  }
                >
                  End
                </Button>
              )}
            </li>
          ))}
        </ul>
        {things.some(({ is_current }) => !is_current) && (
          <div>
            <Button size="small" onClick={() => setAsking('all')}>
              End all of it…
            </Button>
          </div>
        )}
      </section>
      {body !== undefined && (
        <section class="person-part" aria-label="Second factor">
          <h3>Second factor</h3>
          <p class="row">
            <span class="grow">
              {factors.length === 0 ? 'none' : factors.map(({ name, kind }) => name || KINDS[String(kind)]).join(', ')}
            </span>
            {factors.length > 0 && (
              <Button size="small" onClick={() => setAsking('factors')}>
                Reset…
              </Button>
            )}
          </p>
        </section>
      )}
      {undoing !== undefined && <UndoKey {...undoing} onClose={() => setUndoing(undefined)} />}
      {asking === 'all' && (
        <Asking
          title={`End all that acts for ${nameIn(account)}?`}
          action="End all of it"
          onClose={() => setAsking(undefined)}
          onYes={() =>
            void change(() => remove('/user/:user/credential', { user: id }), 'Nothing acts for them any more.')
          }
        >
          {countsIn(things)} end, and so does what was made with these keys. The password and second factors stay. It
          cannot be undone; they can log in again.
        </Asking>
      )}
      {asking === 'factors' && (
        <Asking
          title={`Reset the second factors of ${nameIn(account)}?`}
          action="Reset them"
          onClose={() => setAsking(undefined)}
          onYes={() => void change(() => remove('/user/:ref/factor', { ref: id }), 'They can add a new one.')}
        >
          For a person who has lost them. Until a new one is added, the password alone is enough. They get a mail. It
          cannot be undone. Make sure that it is really them who asks.
        </Asking>
      )}
    </>
  )
}

function countsIn(things: readonly { kind: unknown }[]) {
  const counts = new Map<string, number>()
  for (const { kind } of things) counts.set(String(kind), (counts.get(String(kind)) ?? 0) + 1)
  return [...counts].map(([kind, count]) => `${KINDS[kind]}: ${count}`).join(', ')
}

interface AskingProps {
  title: string
  action: string
  onClose(): void
  onYes(): void
  children: preact.ComponentChildren
}

function Asking({ title, action, onClose, onYes, children }: AskingProps) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>Leave it</Button>
          <Button kind="danger" onClick={onYes}>
            {action}
          </Button>
        </>
      }
    >
      <p>{children}</p>
    </Dialog>
  )
}
