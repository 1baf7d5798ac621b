import { useState } from 'preact/hooks'
import { WHOAMI_CALL } from '../../../shared/first-calls.ts'
import { neutralNick, nickFrom, suggestedNicks } from '../../../shared/nicks.ts'
import { loadSession, me, signIn } from '../../core/account/session.ts'
import { put } from '../../core/server/rest.ts'
import { useData } from '../../core/server/use-data.ts'
import { NewPassword } from '../../parts/account/new-password.tsx'
import { TextField } from '../../parts/field.tsx'
import { NickField } from '../../parts/nick-field.tsx'
import { StepForm, type StepProps } from './step-form.tsx'

/** The real name of the account that the first start makes. */
const FIRST_NAME = 'Administrator'

/** The account that the first start has made gets a name, an address and a password of a person. */
export function Administrator(props: StepProps) {
  const who = me.value
  const [name, setName] = useState(who?.real_name === FIRST_NAME ? '' : (who?.real_name ?? ''))
  const [login, setLogin] = useState(who?.name.endsWith('@lacewing.local') ? '' : (who?.name ?? ''))
  const { body } = useData(WHOAMI_CALL)
  const [nick, setNick] = useState<string>()
  const [password, setPassword] = useState('')
  const id = who?.id ?? 0
  const nickBefore = body?.nick ?? ''
  // Who has chosen a nick keeps it. The one from the name of the account that the first start has made is nobody's.
  const isMade = isMadeNick(nickBefore, id)
  const shownNick = nick ?? (isMade ? (suggestedNicks(name, id)[0] ?? '') : nickBefore)
  const newNick = nickFrom(shownNick)
  const send = async () => {
    await put('/parameters', { maintainer: login })
    await put('/user/:ref', {
      ref: id,
      full_name: name,
      ...(newNick !== '' && newNick !== nickBefore && { nick: newNick }),
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
      {body !== undefined && (
        <NickField value={shownNick} onText={setNick} userId={id} before={isMade ? undefined : nickBefore} />
      )}
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

function isMadeNick(nick: string, userId: number) {
  return nick === neutralNick(userId) || suggestedNicks(FIRST_NAME, userId).includes(nick)
}
