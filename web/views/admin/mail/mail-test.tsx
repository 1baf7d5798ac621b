import { useState } from 'preact/hooks'
import type { Answer } from '../../../../client/call-types.ts'
import { me } from '../../../core/account/session.ts'
import { post } from '../../../core/server/rest.ts'
import { Button } from '../../../parts/button.tsx'
import { FormFault } from '../../../parts/form-fault.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { useSubmit } from '../../../parts/use-submit.ts'

type MailTestResult = Answer<'POST /admin/mail/test'>

/** Sends a message to the reader through the server that is saved, and shows what it answered. */
export function MailTest({ onSent }: { onSent(): void }) {
  const [result, setResult] = useState<MailTestResult>()
  const { submit, isBusy, fault } = useSubmit(async () => {
    setResult(undefined)
    setResult(await post('/admin/mail/test', {}))
    onSent()
  })
  return (
    <form class="stack" aria-label="Test message" onSubmit={submit}>
      <div class="row wrap">
        <Button type="submit" icon="mail" isBusy={isBusy}>
          {isBusy ? 'Sending…' : 'Send a test message to me'}
        </Button>
        <span class="muted break-anywhere">{me.value?.name}</span>
      </div>
      <div role="status">
        {result !== undefined && (
          <div class={result.sent ? 'note' : 'note note-warn'}>
            <Icon name={result.sent ? 'check' : 'warn'} />
            <div class="break-anywhere">
              <b>{result.sent ? 'Sent.' : 'Not sent.'}</b> {result.sentence}
            </div>
          </div>
        )}
      </div>
      <FormFault text={fault?.message} />
    </form>
  )
}
