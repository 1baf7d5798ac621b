import { useRef, useState } from 'preact/hooks'
import { put } from '../../../core/server/rest.ts'
import { showResult, showToast } from '../../../core/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { SelectField, TextField } from '../../../parts/field.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { AdminForm } from '../form.tsx'
import {
  type MailSecurity,
  type MailState,
  mailServerUrl,
  SECURITIES,
  type ServerValues,
  setMailServer,
} from './mail-state.ts'

interface Props {
  state: MailState
  onSaved(): void
}

/** The server that mail goes out through. That of the environment wins, and is only shown. */
export function MailServer({ state, onSaved }: Props) {
  const { source, server } = state
  if (source === 'environment')
    return (
      <section class="stack" aria-label="Mail server">
        <h2>Mail server</h2>
        <ServerOfEnvironment server={server} />
      </section>
    )
  return <ServerForm key={JSON.stringify(server)} {...{ server, onSaved }} />
}

export function ServerOfEnvironment({ server }: Pick<MailState, 'server'>) {
  return (
    <div class="note">
      <Icon name="lock" />
      <div>
        <p>
          The environment sets the mail server (<code>LACEWING_SMTP_URL</code>), so it cannot be changed here.
        </p>
        {server !== null && <p>{inWords(server)}</p>}
      </div>
    </div>
  )
}

function ServerForm({ server, onSaved }: { server: MailState['server']; onSaved(): void }) {
  const draft = useServerDraft(server)
  const send = async () => {
    await draft.save()
    showToast({ kind: 'done', text: 'The mail server is set. It is used from now on.' })
    onSaved()
  }
  const remove = () =>
    showResult(() => put('/parameters', { smtp_url: '' }), 'Mail is stored as files from now on.', onSaved)
  return (
    <AdminForm title="Mail server" action="Save" onSend={send}>
      {server === null && <NoServer />}
      <ServerFields server={server} draft={draft} />
      {server !== null && (
        <div>
          <Button size="small" kind="quiet" onClick={() => void remove()}>
            Send no mail
          </Button>
        </div>
      )}
    </AdminForm>
  )
}

export type ServerDraft = ReturnType<typeof useServerDraft>

/** What is typed about the server, and how it is saved. */
export function useServerDraft(server: MailState['server']) {
  const [values, setValues] = useState<ServerValues>({
    host: server?.host ?? '',
    port: server === null ? '587' : String(server.port),
    security: server?.security ?? 'starttls',
    user: '',
    password: '',
  })
  /** As it was when it was last shown: another administrator may have changed it since. */
  const seen = useRef(server)
  const [isLoginKept, setLoginKept] = useState(server?.has_login ?? false)
  const isSameServer =
    server !== null &&
    values.host === server.host &&
    values.port === String(server.port) &&
    values.security === server.security
  const keepsLogin = isLoginKept && isSameServer
  const change = (part: Partial<ServerValues>) => setValues((last) => ({ ...last, ...part }))
  const save = async () => {
    const { changedTo } = await setMailServer(mailServerUrl(values, keepsLogin), seen.current)
    if (changedTo === undefined) return
    seen.current = changedTo
    const now = changedTo === null ? 'no mail server is set.' : `it is ${inWords(changedTo)}`
    throw new Error(`Another administrator has changed it meanwhile: now ${now} Save again to overwrite it.`)
  }
  return { values, change, keepsLogin, replaceLogin: () => setLoginKept(false), save, seen }
}

export function NoServer() {
  return (
    <div class="note note-warn">
      <Icon name="warn" />
      <div>No mail is sent: it is stored as files on the server until a mail server is set.</div>
    </div>
  )
}

export function ServerFields({ server, draft }: { server: MailState['server']; draft: ServerDraft }) {
  const { values, change } = draft
  const choose = (security: MailSecurity) => {
    const isUsualPort = values.port === '' || values.port === SECURITIES[values.security].port
    change({ security, ...(isUsualPort && { port: SECURITIES[security].port }) })
  }
  return (
    <>
      <div class="mail-server-fields">
        <TextField
          label="Host"
          isNeeded
          value={values.host}
          onText={(host) => change({ host })}
          placeholder="mail.example.com"
        />
        <TextField label="Port" isNeeded value={values.port} onText={(port) => change({ port })} />
        <SelectField
          label="Encryption"
          value={values.security}
          options={Object.entries(SECURITIES).map(([value, { name }]) => ({ value, name }))}
          onChoice={(value) => choose(value as MailSecurity)}
        />
      </div>
      {draft.keepsLogin ? (
        <div class="row wrap">
          <span class="muted">It logs in with a user and a password, which are not shown.</span>
          <Button size="small" onClick={draft.replaceLogin}>
            Replace the login…
          </Button>
        </div>
      ) : (
        <>
          {server?.has_login && (
            <p class="muted">Another server does not get the old login: give user and password again.</p>
          )}
          <div class="mail-server-login">
            <TextField
              label="User"
              value={values.user}
              onText={(user) => change({ user })}
              autocomplete="off"
              hint="Empty if the server needs no login."
            />
            <TextField
              label="Password"
              type="password"
              value={values.password}
              onText={(password) => change({ password })}
              autocomplete="new-password"
              hint="It is never shown again."
            />
          </div>
        </>
      )}
    </>
  )
}

function inWords({ host, port, security, has_login }: NonNullable<MailState['server']>) {
  return `${host}, port ${port}, ${SECURITIES[security].name}, ${has_login ? 'with a login' : 'without a login'}.`
}
