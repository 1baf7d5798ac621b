import { useState } from 'preact/hooks'
import { useHasPassword } from '../../core/account/factors.ts'
import { put } from '../../core/server/rest.ts'
import type { Me } from '../../core/server/types.ts'
import { showToast } from '../../core/toasts.ts'
import { NewPassword } from '../../parts/account/new-password.tsx'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormFault } from '../../parts/form-fault.tsx'
import { useSubmit } from '../../parts/use-submit.ts'

export function OwnPassword({ who, onChanged }: { who: Me; onChanged(): void }) {
  const hasPassword = useHasPassword()
  const [old, setOld] = useState('')
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const [isSent, setSent] = useState(false)
  const isDifferent = isSent && password !== again
  const { submit, isBusy, fault } = useSubmit(async () => {
    setSent(true)
    if (password !== again) return
    await put('/user/:ref', { ref: who.id, password, ...(hasPassword && { old_password: old }) })
    for (const reset of [setOld, setPassword, setAgain]) reset('')
    setSent(false)
    onChanged()
    showToast({ kind: 'done', text: 'Your password is changed. You are logged out everywhere else.' })
  })
  return (
    <form class="stack" aria-label="Password" onSubmit={submit}>
      <h2>Password</h2>
      {hasPassword ? (
        <TextField
          label="Old password"
          type="password"
          value={old}
          onText={setOld}
          autocomplete="current-password"
          isNeeded
          error={fault?.message}
        />
      ) : (
        <>
          <p class="muted">You have no password yet.</p>
          <FormFault text={fault?.message} />
        </>
      )}
      <NewPassword label="New password" value={password} onText={setPassword} names={[who.name, who.real_name]} />
      <TextField
        label="New password again"
        type="password"
        value={again}
        onText={setAgain}
        autocomplete="new-password"
        isNeeded
        error={isDifferent ? 'The two are not the same.' : undefined}
      />
      <div>
        <Button type="submit" isBusy={isBusy}>
          Change the password
        </Button>
      </div>
    </form>
  )
}
