import type { ComponentChildren } from 'preact'
import { put, remove } from '../../../core/server/rest.ts'
import { showResult } from '../../../core/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import type { Webhook } from './webhook.ts'

/** Switches a webhook off, or on again. */
export function switchWebhook({ id, is_active }: Webhook, onDone: () => void) {
  return showResult(
    () => put('/webhook/:id', { id, is_active: !is_active }),
    is_active ? 'The webhook is off. What happens meanwhile is not sent later.' : 'The webhook is on.',
    onDone,
  )
}

interface Props {
  hook: Webhook
  /** Which one it is, and what is lost. */
  children: ComponentChildren
  onDone(): void
  onClose(): void
}

/** Asks before a webhook is deleted. */
export function DeleteWebhook({ hook: { id }, children, onDone, onClose }: Props) {
  const end = async () => {
    await showResult(() => remove('/webhook/:id', { id }), 'The webhook is deleted.', onDone)
    onClose()
  }
  return (
    <Dialog
      title="Delete this webhook?"
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button kind="danger" onClick={() => void end()}>
            Delete the webhook
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
