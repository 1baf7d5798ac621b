import { useState } from 'preact/hooks'
import { mustAddFactor, post, remove } from '../../core/rest.ts'
import { loadSession } from '../../core/session.ts'
import { show, showResult } from '../../core/toasts.ts'
import { useData } from '../../core/use-data.ts'
import { Button } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Time } from '../../parts/time.tsx'
import { AddTotp } from './add-totp.tsx'
import { Providers } from './providers.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

interface Factor {
  id: number
  kind: 'totp' | 'passkey'
  name: string
  created_at: string
  last_used: string | null
}

interface FactorList {
  is_required: boolean
  factors: Factor[]
  recovery_codes: number
}

const KINDS = { totp: 'Authenticator app', passkey: 'Passkey' } as const

/** What protects the account besides the password. */
export function Factors() {
  const { body, reload } = useData<FactorList>('/rest/factor')
  const [isAdding, setAdding] = useState(false)
  const [codes, setCodes] = useState<string[]>([])
  const factors = body?.factors ?? []
  const change = (call: () => Promise<unknown>, done: string) => showResult(call, done, reload)
  const added = async (made: string[]) => {
    setAdding(false)
    setCodes(made)
    show({ kind: 'done', text: 'The second factor is added.' })
    if (mustAddFactor.value) {
      mustAddFactor.value = false
      await loadSession()
    }
    reload()
  }
  const renew = () =>
    change(async () => {
      setCodes((await post<{ recovery_codes: string[] }>('/rest/factor/recovery_codes', {})).recovery_codes)
    }, 'The old recovery codes no longer work.')
  return (
    <section class="stack" aria-label="Second factors">
      <h2>Second factors</h2>
      {body?.is_required && factors.length === 0 && (
        <div class="note" role="status">
          <Icon name="lock" />
          <div>Your account needs a second factor. Add one to go on.</div>
        </div>
      )}
      {factors.length === 0 ? (
        <p class="muted">With a second factor, a stolen password is not enough to log in as you.</p>
      ) : (
        <ul class="card rows">
          {factors.map((factor) => (
            <Row
              key={factor.id}
              factor={factor}
              onRemove={() => change(() => remove(`/rest/factor/${factor.id}`), 'The second factor is removed.')}
            />
          ))}
        </ul>
      )}
      {codes.length > 0 && <RecoveryCodes codes={codes} onDone={() => setCodes([])} />}
      {isAdding ? (
        <AddTotp onAdded={added} onClose={() => setAdding(false)} />
      ) : (
        <div class="factor-buttons">
          <Button onClick={() => setAdding(true)}>Add an authenticator app</Button>
          {factors.length > 0 && <Button onClick={renew}>Get new recovery codes</Button>}
        </div>
      )}
      {factors.length > 0 && <p class="muted">Recovery codes left: {body?.recovery_codes}</p>}
      <Providers />
    </section>
  )
}

function Row({ factor, onRemove }: { factor: Factor; onRemove(): void }) {
  const { kind, name, created_at, last_used } = factor
  return (
    <li class="row-bug">
      <span class="grow">
        <b>{name}</b>
        {name === KINDS[kind] ? '' : `, ${KINDS[kind].toLowerCase()}`}, since <Time at={created_at} />
      </span>
      {last_used !== null && (
        <span class="faint small">
          last used <Time at={last_used} />
        </span>
      )}
      <Button size="s" onClick={onRemove}>
        Remove
      </Button>
    </li>
  )
}
