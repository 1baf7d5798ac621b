import { useState } from 'preact/hooks'
import { loadSession, me, signIn } from '../../core/account/session.ts'
import { put } from '../../core/server/rest.ts'
import { NewPassword } from '../../parts/account/new-password.tsx'
import { TextField } from '../../parts/field.tsx'
import { StepForm, type StepProps } from './step-form.tsx'

/** The account that the first start has made gets a name, an address and a password of a person. */
export function Administrator(props: StepProps) {
  const who = me.value
  const [name, setName] = useState(who?.real_name === 'Administrator' ? '' : (who?.real_name ?? ''))
  const [login, setLogin] = useState(who?.name.endsWith('@lacewing.local') ? '' : (who?.name ?? ''))
  const [password, setPassword] = useState('')
  const send = async () => {
    await put('/parameters', { maintainer: login })
    await put('/user/:ref', {
      ref: who?.id ?? 0,
      full_name: name,
      ...(login !== who?.name && { email: login }),
      ...(password.trim() !== '' && { password }),
    })
    // A new password or address ends all sessions of an account.
    if (password.trim() === '') await loadSession()
    else await signIn(login, password, false)
  }
  return (
    <StepForm
      {...props}
      title="Who looks after the tracker?"
      about="You are its first administrator. Others can become administrators later."
      onSend={send}
    >
      <TextField label="Your name" isNeeded value={name} onText={setName} autocomplete="name" />
      <TextField
        label="Your mail address"
        type="email"
        isNeeded
        value={login}
        onText={setLogin}
        autocomplete="email"
        hint="You log in with it, and get mail there."
      />
      <NewPassword
        label="New password"
        isOptional={login === who?.name}
        value={password}
        onText={setPassword}
        names={[login, name]}
        hint="Instead of the one that the first start has made."
      />
    </StepForm>
  )
}
