import { useState } from 'preact/hooks'
import { loadSession, parameters } from '../../../core/account/session.ts'
import { put } from '../../../core/server/rest.ts'
import { showToast } from '../../../core/toasts.ts'
import { TextField } from '../../../parts/field.tsx'
import { AdminForm } from '../form.tsx'

/** Who mail comes from, and where its links lead. */
export function Sender({ onSaved }: { onSaved(): void }) {
  const [from, setFrom] = useState(parameters.value.mailfrom ?? '')
  const first = parameters.value.urlbase ?? ''
  const [address, setAddress] = useState(first)
  const send = async () => {
    await put('/parameters', { mailfrom: from, ...(address !== first && { urlbase: address }) })
    await loadSession()
    showToast({ kind: 'done', text: 'Mail and address are set.' })
    onSaved()
  }
  return (
    <AdminForm title="Sender and address" action="Save" onSend={send}>
      <SenderField from={from} onText={setFrom} />
      <TextField
        label="Address of the tracker"
        type="url"
        value={address}
        onText={setAddress}
        placeholder={`${location.origin}/`}
        hint="Links in mail lead there."
      />
    </AdminForm>
  )
}

export function SenderField({ from, onText }: { from: string; onText(text: string): void }) {
  return (
    <TextField
      label="Mail comes from"
      type="email"
      isNeeded
      value={from}
      onText={onText}
      hint="An address that your mail server lets through, such as bugs@example.com."
    />
  )
}
