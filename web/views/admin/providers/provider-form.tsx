import { useRef, useState } from 'preact/hooks'
import { showToast } from '../../../core/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { TextField } from '../../../parts/field.tsx'
import { FormFault } from '../../../parts/form-fault.tsx'
import { useSubmit } from '../../../parts/use-submit.ts'
import { changeProviders, type Provider, providerLike } from './provider.ts'

interface Props {
  /** Without a name: a new one. */
  provider: Provider
  onSaved(): void
  onClose(): void
}

const HIDDEN = '********'

export function ProviderForm({ provider, onSaved, onClose }: Props) {
  const isNew = provider.name === ''
  const [values, setValues] = useState(provider)
  const [secret, setSecret] = useState('')
  const [domains, setDomains] = useState(provider.domains.join(', '))
  /** As it was when it was last shown: another administrator may have changed it since. */
  const seen = useRef(provider)
  const change = (part: Partial<Provider>) => setValues((last) => ({ ...last, ...part }))
  const { submit, isBusy, fault } = useSubmit(async () => {
    const isKept = secret === '' && provider.client_secret === HIDDEN
    if (isKept && values.issuer !== provider.issuer)
      throw new Error('Another issuer does not get the old secret: type it again.')
    const next = {
      ...values,
      client_secret: isKept ? HIDDEN : secret,
      domains: domains.split(/[\s,]+/).filter((it) => it !== ''),
    }
    await changeProviders((list) => {
      if (isNew) return [...list, next]
      const now = providerLike(seen.current, list)
      if (now !== undefined) {
        seen.current = now
        throw new Error(
          `Another administrator has changed it meanwhile. It is now ${now.title}, ${now.issuer}, client ${now.client_id}. Save again to overwrite it.`,
        )
      }
      return list.map((it) => (it.name === provider.name ? { ...it, ...next } : it))
    })
    showToast({ kind: 'done', text: `“${next.title}” is saved.` })
    onClose()
    onSaved()
  })
  const title = isNew ? 'New provider' : `Change ${provider.title}`
  return (
    <form class="stack" aria-label={title} onSubmit={submit}>
      <h2>{title}</h2>
      {isNew && (
        <TextField
          label="Name"
          isNeeded
          isFocused
          value={values.name}
          onText={(name) => change({ name })}
          hint="A word of small letters, for addresses."
        />
      )}
      <TextField
        label="Title"
        isNeeded
        isFocused={!isNew}
        value={values.title}
        onText={(text) => change({ title: text })}
        hint="What the button on the page to log in says."
      />
      <TextField
        label="Issuer"
        type="url"
        isNeeded
        value={values.issuer}
        onText={(issuer) => change({ issuer })}
        placeholder="https://id.example.com"
      />
      <TextField label="Client id" isNeeded value={values.client_id} onText={(client_id) => change({ client_id })} />
      <TextField
        label="Client secret"
        type="password"
        autocomplete="new-password"
        value={secret}
        onText={setSecret}
        hint={
          provider.client_secret === HIDDEN
            ? 'Empty keeps the present one, which is never shown.'
            : 'It is never shown.'
        }
      />
      <TextField
        label="Domains"
        value={domains}
        onText={setDomains}
        hint="Only addresses of these are linked or get accounts; empty allows all."
      />
      <Choice
        label="Users who log in there for the first time get an account"
        isOn={values.creates_accounts}
        onChoice={(creates_accounts) => change({ creates_accounts })}
      />
      <Choice
        label="Addresses count as verified although the provider does not say so"
        isOn={values.trusts_addresses}
        onChoice={(trusts_addresses) => change({ trusts_addresses })}
      />
      <Choice
        label="Users with an address of the domains cannot log in with a password"
        isOn={values.is_only}
        onChoice={(is_only) => change({ is_only })}
      />
      <FormFault text={fault?.message} />
      <div class="row wrap">
        <Button kind="primary" type="submit" isBusy={isBusy}>
          Save
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  )
}

function Choice({ label, isOn, onChoice }: { label: string; isOn: boolean; onChoice(isOn: boolean): void }) {
  return (
    <label class="checkbox-label">
      <input
        class="checkbox"
        type="checkbox"
        checked={isOn}
        onChange={(event) => onChoice(event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  )
}
