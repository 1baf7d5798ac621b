import { useState } from 'preact/hooks'
import { hrefOf } from '../../../core/router.ts'
import { Button } from '../../../parts/button.tsx'
import { useFocusAfterRemoval } from '../../../parts/focus-back.ts'
import { Icon } from '../../../parts/icon.tsx'
import { DeliveryLog } from '../../settings/webhooks/delivery-log.tsx'
import { DeleteWebhook, switchWebhook } from '../../settings/webhooks/stop-webhook.tsx'
import type { Webhook } from '../../settings/webhooks/webhook.ts'
import { WebhookFacts } from '../../settings/webhooks/webhook-facts.tsx'

interface Props {
  hook: Webhook
  onChange(): void
  /** Its state may be another one. */
  onLook(): void
}

/** A webhook of any user: what it does, its log, and ways to stop it. Only its owner changes where it sends to. */
export function WebhookOfUser({ hook, onChange, onLook }: Props) {
  const [open, setOpen] = useState<'log' | 'delete'>()
  useFocusAfterRemoval()
  const close = () => setOpen(undefined)
  const { url, owner, is_active, product, component } = hook
  const name = <span class="visually-hidden">{` ${url} of ${owner}`}</span>
  return (
    <li class="stack">
      <div class="search-row">
        <Icon name="out" />
        <div class="grow break-anywhere">
          <b dir="ltr">{url}</b>
          <div class="small">
            <a class="link" dir="ltr" href={hrefOf(`/admin/people?text=${encodeURIComponent(owner)}`)}>
              {owner}
            </a>
            {product !== null && <bdi>{`, ${[product, component].filter((it) => it !== null).join(', ')}`}</bdi>}
          </div>
          <WebhookFacts hook={hook} />
        </div>
        <div class="factor-buttons">
          <Button size="small" onClick={() => void switchWebhook(hook, onChange)}>
            {is_active ? 'Switch off' : 'Switch on'}
            {name}
          </Button>
          <Button size="small" onClick={() => setOpen(open === 'log' ? undefined : 'log')}>
            {open === 'log' ? 'Close the log' : 'Log'}
            {name}
          </Button>
          <Button size="small" kind="danger" onClick={() => setOpen('delete')}>
            Delete{name}
          </Button>
        </div>
      </div>
      {open === 'log' && <DeliveryLog hook={hook} onLook={onLook} />}
      {open === 'delete' && (
        <DeleteWebhook hook={hook} onDone={onChange} onClose={close}>
          <p class="break-anywhere">
            <b>{url}</b> of {owner}
          </p>
          <p>
            Nothing is sent there any more, and its owner cannot bring it back. Its log and what waits are deleted too.
            To stop it for a while, switch it off.
          </p>
        </DeleteWebhook>
      )}
    </li>
  )
}
