import { useState } from 'preact/hooks'
import { useHasPassword } from '../../core/account/factors.ts'
import { put } from '../../core/server/rest.ts'
import type { Me } from '../../core/server/types.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { useSubmit } from '../../parts/use-submit.ts'

/** The address changes when the link in the mail to the new one is opened. */
export function OwnAddress({ who }: { who: Me }) {
  const hasPassword = useHasPassword()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [sentTo, setSentTo] = useState<string>()
  const { submit, isBusy, fault } = useSubmit(async () => {
    const { users } = await put('/user/:ref', {
      ref: who.id,
      email,
      ...(hasPassword && { old_password: password }),
    })
    setSentTo(users[0]?.email_to_confirm)
    setPassword('')
  })
  return (
    <form class="stack" aria-label="Address" onSubmit={submit}>
      <h2>Address</h2>
      <TextField
        label="New address"
        value={email}
        onText={setEmail}
        autocomplete="email"
        isNeeded
        hint={`You log in as ${who.name}. A new address must be confirmed by mail.`}
        error={fault?.message}
      />
      {hasPassword && (
        <TextField
          label="Password"
          type="password"
          value={password}
          onText={setPassword}
          autocomplete="current-password"
          isNeeded
        />
      )}
      {sentTo !== undefined && (
        <p role="status">
          A mail with a link is on its way to <b>{sentTo}</b>. Until you open the link, your address stays as it is.
        </p>
      )}
      <div>
        <Button type="submit" isBusy={isBusy}>
          Change the address
        </Button>
      </div>
    </form>
  )
}
