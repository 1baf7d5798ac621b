import { useState } from 'preact/hooks'
import { useData } from '../../../core/server/use-data.ts'
import { Button } from '../../../parts/button.tsx'
import { Empty, Refused, Skeleton } from '../../../parts/states.tsx'
import { AuditTrail } from '../changes/audit-trail.tsx'
import { PlaceHead } from '../place-head.tsx'
import { NEW_PROVIDER, PROVIDERS_CALL, providersIn } from './provider.ts'
import { ProviderForm } from './provider-form.tsx'
import { ProviderRow } from './provider-row.tsx'

/** Where users log in instead of with a password of this tracker. */
export function Providers() {
  const { body, fault, reload } = useData(PROVIDERS_CALL)
  const [isNew, setNew] = useState(false)
  const [round, setRound] = useState(0)
  if (body === undefined) return fault === undefined ? <Skeleton /> : <Refused fault={fault} retry={reload} />
  const providers = providersIn(body.parameters[0]?.value ?? '')
  const onChange = () => {
    setRound((last) => last + 1)
    setNew(false)
    reload()
  }
  return (
    <>
      <PlaceHead
        actions={
          !isNew && (
            <Button icon="plus" onClick={() => setNew(true)}>
              New provider
            </Button>
          )
        }
      >
        <p class="muted">Where users log in instead of with a password of this tracker.</p>
      </PlaceHead>
      <div class="with-trail">
        <div class="stack-large mail-parts">
          {isNew && (
            <div class="card admin-card">
              <ProviderForm provider={NEW_PROVIDER} onSaved={onChange} onClose={() => setNew(false)} />
            </div>
          )}
          {providers.length === 0 ? (
            <Empty icon="lock" title="There are no providers">
              <p>A provider of OpenID Connect lets users log in with the account of their organisation.</p>
            </Empty>
          ) : (
            <ul class="card rows" aria-label="Providers">
              {providers.map((provider) => (
                <ProviderRow
                  key={provider.name}
                  {...{ provider, onChange }}
                  onTested={() => setRound((last) => last + 1)}
                />
              ))}
            </ul>
          )}
        </div>
        <AuditTrail
          classes={['Tracker::Parameter', 'Tracker::SignInProvider']}
          fields={['sign_in_providers', 'test']}
          version={round}
        />
      </div>
    </>
  )
}
