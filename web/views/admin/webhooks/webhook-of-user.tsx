import { useState } from 'preact/hooks'
import { hrefOf } from '../../../core/router.ts'
import { put, remove } from '../../../core/server/rest.ts'
import { showResult } from '../../../core/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { useFocusAfterRemoval } from '../../../parts/focus-back.ts'
import { Icon } from '../../../parts/icon.tsx'
import { DeliveryLog } from '../../settings/webhooks/delivery-log.tsx'
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
  const { id, url, owner, is_active, product, component } = hook
  const name = <span class="visually-hidden">{` ${url} of ${owner}`}</span>
  const switchTo = (isActive: boolean) =>
    showResult(
      () => put('/webhook/:id', { id, is_active: isActive }),
      isActive ? 'The webhook is on.' : 'The webhook is off. What happens meanwhile is not sent later.',
      onChange,
    )
  const end = async () => {
    await showResult(() => remove('/webhook/:id', { id }), 'The webhook is deleted.', onChange)
    close()
  }
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
          <Button size="small" onClick={() => void switchTo(!is_active)}>
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
        <Dialog
          title="Delete this webhook?"
          onClose={close}
          buttons={
            <>
              <Button onClick={close}>Keep it</Button>
              <Button kind="danger" onClick={() => void end()}>
                Delete the webhook
              </Button>
            </>
          }
        >
          <p class="break-anywhere">
            <b>{url}</b> of {owner}
          </p>
          <p>
            Nothing is sent there any more, and its owner cannot bring it back. Its log and what waits are deleted too.
            To stop it for a while, switch it off.
          </p>
        </Dialog>
      )}
    </li>
  )
}
