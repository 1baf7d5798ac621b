import { useState } from 'preact/hooks'
import { post, put } from '../../../core/server/rest.ts'
import { showResult, showToast } from '../../../core/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { useFocusAfterRemoval } from '../../../parts/focus-back.ts'
import { Icon } from '../../../parts/icon.tsx'
import { DeliveryLog } from './delivery-log.tsx'
import { DeleteWebhook, switchWebhook } from './stop-webhook.tsx'
import { EVENTS, type Webhook } from './webhook.ts'
import { WebhookFacts } from './webhook-facts.tsx'
import { WebhookForm, type WebhookValues } from './webhook-form.tsx'

interface Props {
  hook: Webhook
  onChange(): void
}

/** A webhook with its state, and what one can do with it. */
export function WebhookRow({ hook, onChange }: Props) {
  const [open, setOpen] = useState<'change' | 'log' | 'delete'>()
  useFocusAfterRemoval()
  const close = () => setOpen(undefined)
  const { id, url, is_active, events } = hook
  const name = <span class="visually-hidden"> {url}</span>
  const test = () =>
    showResult(
      () => post('/webhook/:id/test', { id }),
      'A test message is on its way. The result is in the log.',
      () => setOpen('log'),
    )
  const save = async ({ url: next, ...values }: WebhookValues) => {
    // An address that stays is not sent: a new one asks for the password.
    await put('/webhook/:id', { id, ...(next !== url && { url: next }), ...values })
    showToast({ kind: 'done', text: 'The webhook is changed.' })
    close()
    onChange()
  }
  return (
    <li class="stack">
      <div class="search-row">
        <Icon name="out" />
        <div class="grow break-anywhere">
          <b dir="ltr">{url}</b>
          <div class="small">
            {events.length === Object.keys(EVENTS).length ? 'all events' : events.join(', ')}
            {hook.product !== null && (
              <>
                {' in '}
                <bdi>{[hook.product, hook.component].filter((it) => it !== null).join(', ')}</bdi>
              </>
            )}
          </div>
          <WebhookFacts hook={hook} />
        </div>
        <div class="factor-buttons">
          <Button size="small" onClick={() => void switchWebhook(hook, onChange)}>
            {is_active ? 'Switch off' : 'Switch on'}
            {name}
          </Button>
          <Button
            size="small"
            unavailable={is_active ? undefined : 'Switch the webhook on first'}
            onClick={() => void test()}
          >
            Send a test{name}
          </Button>
          <Button size="small" onClick={() => setOpen(open === 'log' ? undefined : 'log')}>
            {open === 'log' ? 'Close the log' : 'Log'}
            {name}
          </Button>
          <Button size="small" onClick={() => setOpen('change')}>
            Change{name}
          </Button>
          <Button size="small" kind="danger" onClick={() => setOpen('delete')}>
            Delete{name}
          </Button>
        </div>
      </div>
      {open === 'log' && <DeliveryLog hook={hook} onLook={onChange} />}
      {open === 'change' && (
        <WebhookForm title={`Change ${url}`} button="Save" hook={hook} onSave={save} onClose={close} />
      )}
      {open === 'delete' && (
        <DeleteWebhook hook={hook} onDone={onChange} onClose={close}>
          <p class="break-anywhere">
            <b>{url}</b>
          </p>
          <p>Nothing is sent there any more. Its log and what waits are deleted too. This cannot be undone.</p>
        </DeleteWebhook>
      )}
    </li>
  )
}
