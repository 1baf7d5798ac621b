import { useState } from 'preact/hooks'
import { addPasskey, hasPasskeys } from '../../core/account/passkeys.ts'
import type { AccountRules } from '../../core/server/types.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { useSubmit } from '../../parts/use-submit.ts'

/** The name comes first: the browser then shows a dialog of its own. */
export function AddPasskey({ onAdded, onClose }: { onAdded(codes: string[]): Promise<void>; onClose(): void }) {
  const [name, setName] = useState('')
  const { submit, isBusy, fault } = useSubmit(async () => onAdded(await addPasskey(name)))
  return (
    <form class="card stack recovery" aria-label="Add a passkey" onSubmit={submit}>
      <p>
        A passkey is kept by your phone, your computer or a security key. You unlock it with a finger, a face or a PIN,
        and log in without a password.
      </p>
      <TextField
        label="Name"
        value={name}
        onText={setName}
        placeholder="Passkey"
        hint="To recognise it by, such as “Laptop” or “Blue key”."
        isFocused
        error={fault?.message}
      />
      <div class="factor-buttons">
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {isBusy ? 'Waiting for the browser…' : 'Go on'}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  )
}

/** Why no passkey can be added here; undefined if one can. */
export function whyNoPasskeys(rules: AccountRules | undefined): string | undefined {
  if (rules === undefined) return undefined
  if (!rules.passkeys)
    return 'Passkeys cannot be used here, because the address of this server has no https. An administrator can change that.'
  return hasPasskeys()
    ? undefined
    : 'Passkeys cannot be used here: this browser does not support them, or the page was not opened by https.'
}
