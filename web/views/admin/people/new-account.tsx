import { useRef, useState } from 'preact/hooks'
import { copyText } from '../../../core/clipboard.ts'
import { hrefOf } from '../../../core/router.ts'
import { post, put } from '../../../core/server/rest.ts'
import { NewPassword } from '../../../parts/account/new-password.tsx'
import { Button } from '../../../parts/button.tsx'
import { TextField } from '../../../parts/field.tsx'
import { AdminForm } from '../form.tsx'
import { mayGive, Rights } from '../rights.tsx'

interface Account {
  login: string
  password: string
}

/** An account for each user. A password is shown once, to be sent to them; without one they are invited by mail. */
export function NewAccount({ onMade }: { onMade(): void }) {
  const [login, setLogin] = useState('')
  const [name, setName] = useState('')
  const [password, setPassword] = useState(newPassword)
  const [groups, setGroups] = useState<ReadonlySet<string>>(new Set(['canconfirm', 'editbugs'].filter(mayGive)))
  const [made, setMade] = useState<Account>()
  const form = useRef<HTMLDivElement>(null)
  /** The account that exists already when its groups were refused. */
  const [waiting, setWaiting] = useState<{ login: string; id: number }>()
  const send = async () => {
    const isInvited = password.trim() === ''
    const known = waiting?.login === login ? waiting.id : undefined
    const id = known ?? (await post('/user', { email: login, full_name: name, ...(!isInvited && { password }) })).id
    setWaiting({ login, id })
    if (groups.size > 0) await put('/user/:ref', { ref: id, groups: { add: [...groups] } })
    setMade({ login, password: isInvited ? '' : password.trim() })
    onMade()
    setWaiting(undefined)
    for (const reset of [setLogin, setName]) reset('')
    // Who invited one by mail usually invites the next in the same way.
    setPassword(isInvited ? '' : newPassword())
    form.current?.querySelector('input')?.focus()
  }
  return (
    <>
      {made !== undefined && <Made account={made} />}
      <div ref={form}>
        <AdminForm title="A new account" action="Create the account" onSend={send}>
          <TextField
            label="Mail address"
            type="email"
            isNeeded
            value={login}
            onText={setLogin}
            hint="It is also the login name."
          />
          <TextField label="Real name" value={name} onText={setName} />
          <NewPassword
            label="Password"
            value={password}
            onText={setPassword}
            names={[login, name]}
            isForOther
            isOptional
            isShown
            hint="If it is empty, the user gets an invitation by mail and chooses one. Otherwise it is shown once more after this, so that you can send it to them."
          />
          <Rights chosen={groups} onChoice={setGroups} />
        </AdminForm>
      </div>
    </>
  )
}

function Made({ account: { login, password } }: { account: Account }) {
  if (password === '')
    return (
      <div class="note" role="status">
        <div>
          <bdi>{login}</bdi> has an account, and gets an invitation by mail.
        </div>
      </div>
    )
  const invitation = `${location.origin}${hrefOf('/login')}\nLogin name: ${login}\nPassword: ${password}`
  const copy = () =>
    copyText(
      invitation,
      'The invitation is copied.',
      'The browser does not allow copying. Select the text and copy it.',
    )
  return (
    <div class="note" role="status">
      <div class="stack">
        <div>
          <a class="link" href={hrefOf(`/user/${encodeURIComponent(login)}`)}>
            <bdi>{login}</bdi>
          </a>{' '}
          has an account. Send this to the user; it is shown only now:
        </div>
        <pre>{invitation}</pre>
        <div>
          <Button size="small" icon="copy" onClick={() => void copy()}>
            Copy
          </Button>
        </div>
      </div>
    </div>
  )
}

const ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const PASSWORD_LENGTH = 16

/** Characters that are not confused with others. Each byte beyond the last whole alphabet is dropped, so that all are equally likely. */
function newPassword(): string {
  const most = 256 - (256 % ALPHABET.length)
  let password = ''
  while (password.length < PASSWORD_LENGTH)
    for (const byte of crypto.getRandomValues(new Uint8Array(PASSWORD_LENGTH)))
      if (byte < most && password.length < PASSWORD_LENGTH) password += ALPHABET[byte % ALPHABET.length]
  return password
}
