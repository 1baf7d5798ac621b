import { useState } from 'preact/hooks'
import { hrefOf } from '../../../core/router.ts'
import { post } from '../../../core/server/rest.ts'
import { useData } from '../../../core/server/use-data.ts'
import { Button } from '../../../parts/button.tsx'
import { Refused, Skeleton } from '../../../parts/states.tsx'
import { SecretOnce } from '../secret-once.tsx'
import { WEBHOOKS_CALL } from './webhook.ts'
import { WebhookForm, type WebhookValues } from './webhook-form.tsx'
import { WebhookRow } from './webhook-row.tsx'

/** The reader's own webhooks, with their log. */
export function Webhooks() {
  const { body, fault, reload } = useData(WEBHOOKS_CALL)
  const [isOpen, setOpen] = useState(false)
  const [secret, setSecret] = useState<string>()
  if (body === undefined) return fault === undefined ? <Skeleton /> : <Refused fault={fault} retry={reload} />
  const { webhooks, may_create: mayCreate } = body
  const create = async ({ product, component, ...values }: WebhookValues) => {
    const filter = { ...(product !== '' && { product }), ...(component !== '' && { component }) }
    setSecret((await post('/webhook', { ...values, ...filter })).secret)
    setOpen(false)
    reload()
  }
  return (
    <section class="stack" aria-label="Webhooks">
      <p class="muted">
        The tracker sends a message to these addresses when a bug changes, with what you may see then.{' '}
        <a class="link" href={hrefOf('/rest/docs#webhook')}>
          What is sent
        </a>
      </p>
      {!mayCreate && (
        <p class="note">
          Only members of a group can have webhooks here, and you are not in it. You can switch off and delete those
          that you have.
        </p>
      )}
      {webhooks.length > 0 ? (
        <ul class="card rows">
          {webhooks.map((hook) => (
            <WebhookRow key={hook.id} hook={hook} onChange={reload} />
          ))}
        </ul>
      ) : (
        <p class="muted">You have no webhook.</p>
      )}
      {secret !== undefined && (
        <SecretOnce label="The secret of the webhook" name="secret" secret={secret} onDone={() => setSecret(undefined)}>
          The webhook is created. Its messages are signed with a secret.
        </SecretOnce>
      )}
      {mayCreate && !isOpen && (
        <div>
          <Button icon="plus" onClick={() => setOpen(true)}>
            Create a webhook
          </Button>
        </div>
      )}
      {mayCreate && isOpen && (
        <WebhookForm
          title="Create a webhook"
          button="Create the webhook"
          onSave={create}
          onClose={() => setOpen(false)}
        />
      )}
    </section>
  )
}
