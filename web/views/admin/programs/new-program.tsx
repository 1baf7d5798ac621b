import { useState } from 'preact/hooks'
import type { Answer, NameOf } from '../../../../client/call-types.ts'
import { idempotencyKey, post } from '../../../core/server/rest.ts'
import { Button } from '../../../parts/button.tsx'
import { Field, SelectField, TextField } from '../../../parts/field.tsx'
import { FormFault } from '../../../parts/form-fault.tsx'
import { useSubmit } from '../../../parts/use-submit.ts'

export type AddedProgram = Answer<NameOf<'POST', '/oauth_client'>>

const METHODS = [
  { value: 'none', name: 'It cannot keep a secret (a program on a computer of its user)' },
  { value: 'client_secret_basic', name: 'A secret, in the header Authorization' },
  { value: 'client_secret_post', name: 'A secret, in the body' },
]

interface Props {
  onAdded(program: AddedProgram): void
  onClose(): void
}

/** For programs that cannot register themselves, or may not. */
export function NewProgram({ onAdded, onClose }: Props) {
  const [name, setName] = useState('')
  const [addresses, setAddresses] = useState('')
  const [method, setMethod] = useState('none')
  const { submit, isBusy, fault } = useSubmit(async () => {
    const redirect_uris = addresses.split('\n').flatMap((line) => line.trim() || [])
    onAdded(await post('/oauth_client', { name, redirect_uris, auth_method: method }, idempotencyKey()))
  })
  return (
    <form class="card stack recovery" onSubmit={submit} aria-label="A new program">
      <FormFault text={fault?.message} />
      <TextField label="Name, as users see it" value={name} onText={setName} isNeeded isFocused />
      <Field
        label="Addresses for answers"
        isNeeded
        hint="One on each line: https, or http to the computer of the browser, such as http://127.0.0.1/callback."
      >
        {({ id, describedBy }) => (
          <textarea
            id={id}
            class="input"
            rows={3}
            required
            aria-describedby={describedBy}
            value={addresses}
            onInput={(event) => setAddresses(event.currentTarget.value)}
          />
        )}
      </Field>
      <SelectField label="How it proves who it is" value={method} options={METHODS} onChoice={setMethod} />
      <div class="factor-buttons">
        <Button kind="primary" type="submit" isBusy={isBusy}>
          Add the program
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  )
}

/** What is entered in the program. The secret is shown only now. */
export function AddedFacts({ program, onDone }: { program: AddedProgram; onDone(): void }) {
  const { client_id, client_secret } = program
  return (
    <div class="card stack recovery" role="group" aria-label="To be entered in the program">
      <p role="status">
        The program is added. Enter this in it{client_secret !== undefined && ' now: the secret is not shown again'}.
      </p>
      <p class="break-anywhere">
        Client: <code class="secret-text">{client_id}</code>
      </p>
      {client_secret !== undefined && (
        <p class="break-anywhere">
          Secret: <code class="secret-text">{client_secret}</code>
        </p>
      )}
      <div>
        <Button onClick={onDone}>I have kept it</Button>
      </div>
    </div>
  )
}
