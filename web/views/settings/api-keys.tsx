import { useState } from 'preact/hooks'
import { addressOf } from '../../../shared/rest-address.ts'
import { hrefOf } from '../../core/router.ts'
import { remove } from '../../core/server/rest.ts'
import type { Me } from '../../core/server/types.ts'
import { useData } from '../../core/server/use-data.ts'
import { showResult } from '../../core/toasts.ts'
import { Button } from '../../parts/button.tsx'
import { Refused } from '../../parts/states.tsx'
import { type ApiKey, ApiKeyRow } from './api-key-row.tsx'
import { type CreatedKey, NewApiKey } from './new-api-key.tsx'
import { SecretOnce } from './secret-once.tsx'

/** The keys with which programs act as the reader. */
export function ApiKeys({ who }: { who: Me }) {
  const { body, fault, reload } = useData(addressOf('/user/:user/api_key', { user: who.id }))
  const [isOpen, setOpen] = useState(false)
  const [created, setCreated] = useState<CreatedKey>()
  if (fault !== undefined && body === undefined) return <Refused fault={fault} retry={reload} />
  if (body === undefined) return null
  const now = new Date().toISOString()
  const isUsable = ({ is_revoked, expires_at }: ApiKey) => !is_revoked && (expires_at === null || expires_at > now)
  const keys = body.api_keys.filter(({ resource }) => resource === null)
  const usable = keys.filter(isUsable)
  const others = keys.filter((key) => !isUsable(key))
  const revoke = ({ id }: ApiKey) =>
    showResult(() => remove('/user/:user/api_key/:id', { user: who.id, id }), 'The API key is revoked.', reload)
  const onCreated = (key: CreatedKey) => {
    setCreated(key)
    setOpen(false)
    reload()
  }
  return (
    <>
      <section class="stack" aria-label="API keys">
        <p class="muted">
          A program that sends one of these keys acts as you in the{' '}
          <a class="link" href={hrefOf('/rest/docs')}>
            REST API
          </a>
          , without your password. Programs that you have given access are listed under{' '}
          <a class="link" href={hrefOf('/settings/access')}>
            What acts for me
          </a>
          .
        </p>
        {usable.length > 0 && (
          <ul class="card rows">
            {usable.map((key) => (
              <ApiKeyRow key={key.id} apiKey={key} onRevoke={() => revoke(key)} />
            ))}
          </ul>
        )}
        {created !== undefined && (
          <SecretOnce label="The new API key" name="key" secret={created.api_key} onDone={() => setCreated(undefined)}>
            “<bdi>{created.description}</bdi>” is created.
          </SecretOnce>
        )}
        {isOpen ? (
          <NewApiKey who={who} onCreated={onCreated} onClose={() => setOpen(false)} />
        ) : (
          <div>
            <Button icon="key" onClick={() => setOpen(true)}>
              Create an API key
            </Button>
          </div>
        )}
      </section>
      {others.length > 0 && (
        <section class="stack" aria-label="Keys that no longer work">
          <h2>Keys that no longer work</h2>
          <ul class="card rows">
            {others.map((key) => (
              <ApiKeyRow key={key.id} apiKey={key} />
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
