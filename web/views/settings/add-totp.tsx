import { useEffect, useState } from 'preact/hooks'
import { encode } from 'uqr'
import { post } from '../../core/server/rest.ts'
import { showFault } from '../../core/toasts.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { useSubmit } from '../../parts/use-submit.ts'

interface Offered {
  id: number
  secret: string
  uri: string
}

/** The app reads the QR code, and its first code shows that it works. */
export function AddTotp({ onAdded, onClose }: { onAdded(codes: string[]): Promise<void>; onClose(): void }) {
  const [offered, setOffered] = useState<Offered>()
  const [code, setCode] = useState('')
  useEffect(() => {
    post('/factor/totp', {}).then(setOffered, (fault) => {
      showFault(fault)
      onClose()
    })
  }, [])
  const { submit, isBusy, fault } = useSubmit(async () => {
    const { recovery_codes } = await post('/factor/totp/confirm', { id: offered?.id ?? 0, code })
    await onAdded(recovery_codes)
  })
  if (offered === undefined) return null
  return (
    <form class="card stack recovery" aria-label="Add an authenticator app" onSubmit={submit}>
      <p>Scan this with your authenticator app, or type the key into it. Then type the code that it shows.</p>
      <QrCode text={offered.uri} />
      <p>
        Key: <code class="totp-key">{offered.secret}</code>
      </p>
      <TextField
        label="Code of the app"
        value={code}
        onText={setCode}
        autocomplete="one-time-code"
        isNeeded
        isFocused
        error={fault?.message}
      />
      <div class="factor-buttons">
        <Button kind="primary" type="submit" isBusy={isBusy}>
          Add it
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  )
}

function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg class="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label="QR code with the key">
      <path d={squares.join('')} />
    </svg>
  )
}
