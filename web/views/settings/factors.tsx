import { useState } from 'preact/hooks'
import { ACCOUNT_RULES_CALL } from '../../../shared/first-calls.ts'
import { addressOf } from '../../../shared/rest-address.ts'
import { loadSession } from '../../core/account/session.ts'
import { mustAddFactor, post, remove } from '../../core/server/rest.ts'
import { useData } from '../../core/server/use-data.ts'
import { showResult, showToast } from '../../core/toasts.ts'
import { Button } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { AddPasskey, whyNoPasskeys } from './add-passkey.tsx'
import { AddTotp } from './add-totp.tsx'
import { FactorRow } from './factor-row.tsx'
import { Providers } from './providers.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

/** What protects the account besides the password. */
export function Factors() {
  const { body, reload } = useData(addressOf('/factor'))
  const rules = useData(ACCOUNT_RULES_CALL).body
  const [adding, setAdding] = useState<'totp' | 'passkey'>()
  const [codes, setCodes] = useState<string[]>([])
  const factors = body?.factors ?? []
  const whyNot = whyNoPasskeys(rules)
  const change = (call: () => Promise<unknown>, done: string) => showResult(call, done, reload)
  const added = async (made: string[]) => {
    setAdding(undefined)
    setCodes(made)
    showToast({ kind: 'done', text: 'The second factor is added.' })
    if (mustAddFactor.value) {
      mustAddFactor.value = false
      await loadSession()
    }
    reload()
  }
  const renew = () =>
    change(async () => {
      setCodes((await post('/factor/recovery_codes', {})).recovery_codes)
    }, 'The old recovery codes no longer work.')
  return (
    <>
      <section class="stack" aria-label="Second factors">
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
              <FactorRow
                key={factor.id}
                factor={factor}
                onRenamed={reload}
                onRemove={() => change(() => remove('/factor/:id', { id: factor.id }), 'The second factor is removed.')}
              />
            ))}
          </ul>
        )}
        {codes.length > 0 && <RecoveryCodes codes={codes} onDone={() => setCodes([])} />}
        {adding === 'totp' && <AddTotp onAdded={added} onClose={() => setAdding(undefined)} />}
        {adding === 'passkey' && <AddPasskey onAdded={added} onClose={() => setAdding(undefined)} />}
        {adding === undefined && (
          <div class="factor-buttons">
            {rules?.passkeys && whyNot === undefined && (
              <Button icon="key" onClick={() => setAdding('passkey')}>
                Add a passkey
              </Button>
            )}
            <Button onClick={() => setAdding('totp')}>Add an authenticator app</Button>
            {factors.length > 0 && <Button onClick={renew}>Get new recovery codes</Button>}
          </div>
        )}
        {whyNot !== undefined && <p class="muted">{whyNot}</p>}
        {factors.length > 0 && <p class="muted">Recovery codes left: {body?.recovery_codes}</p>}
      </section>
      <Providers />
    </>
  )
}
