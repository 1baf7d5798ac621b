import { useEffect, useState } from 'preact/hooks'
import { go } from '../../core/router.ts'
import { put } from '../../core/server/rest.ts'
import type { User } from '../../core/server/types.ts'
import { showToast } from '../../core/toasts.ts'
import { NewPassword } from '../../parts/account/new-password.tsx'
import { TextField } from '../../parts/field.tsx'
import { AdminForm } from '../admin/form.tsx'
import { Rights } from '../admin/rights.tsx'

/** For those who manage accounts. The server refuses changes to accounts that have more rights than their editor. */
export function Account({ user, onSaved }: { user: User; onSaved(): void }) {
  const before = { login: user.name ?? '', reason: user.login_denied_text ?? '', groups: groupsOf(user) }
  const [login, setLogin] = useState(before.login)
  const [password, setPassword] = useState('')
  const [reason, setReason] = useState(before.reason)
  const [groups, setGroups] = useState<ReadonlySet<string>>(new Set(before.groups.keys()))
  useEffect(() => setGroups(new Set(before.groups.keys())), [[...before.groups.keys()].join()])
  const save = async () => {
    const add = [...groups].filter((group) => !before.groups.has(group))
    const remove = [...before.groups.keys()].filter((group) => !groups.has(group))
    const { users } = await put('/user/:ref', {
      ref: user.id,
      ...(login !== before.login && { email: login }),
      ...(password.trim() !== '' && { password }),
      ...(reason !== before.reason && { login_denied_text: reason }),
      ...(add.length + remove.length > 0 && { groups: { add, remove } }),
    })
    setPassword('')
    if (remove.length > 0 && users[0]?.changes.groups === undefined) {
      setGroups(new Set(before.groups.keys()))
      throw new Error(`This right comes from another group of the user, so that it stays: ${remove.join(', ')}.`)
    }
    showToast({ kind: 'done', text: 'The account is changed.' })
    // The old address of this page no longer leads here.
    if (login !== before.login) go(`/user/${encodeURIComponent(login)}`, 'replace')
    else onSaved()
  }
  return (
    <div class="section page-form">
      <AdminForm title="Account" action="Change the account" onSend={save}>
        <TextField label="Login name" value={login} onText={setLogin} autocomplete="off" isNeeded />
        <NewPassword
          label="New password"
          value={password}
          onText={setPassword}
          names={[login, user.real_name ?? '']}
          isForOther
          isOptional
          hint="If it is empty, the password stays as it is."
        />
        <TextField
          label="Why the user cannot log in"
          value={reason}
          onText={setReason}
          hint="If it is empty, the user can log in. Otherwise they cannot, and see this text when they try."
        />
        <Rights chosen={groups} onChoice={setGroups} others={before.groups} />
      </AdminForm>
    </div>
  )
}

function groupsOf({ groups = [] }: User): ReadonlyMap<string, string> {
  return new Map(groups.map(({ name, description }) => [name, description]))
}
