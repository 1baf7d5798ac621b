import { useState } from 'preact/hooks'
import { put } from '../../../core/server/rest.ts'
import { showToast } from '../../../core/toasts.ts'
import { TextField } from '../../../parts/field.tsx'
import { Time } from '../../../parts/time.tsx'
import { AdminForm } from '../form.tsx'
import type { MailState } from './mail-state.ts'

/** The address for filing by mail, whether mail arrives, and what was refused lately. */
export function IncomingMail({ incoming, onSaved }: { incoming: MailState['incoming']; onSaved(): void }) {
  const [address, setAddress] = useState(incoming.address)
  const send = async () => {
    await put('/parameters', { incoming_address: address })
    showToast({
      kind: 'done',
      text: address === '' ? 'The tracker accepts no mail now.' : 'The tracker accepts mail now.',
    })
    onSaved()
  }
  return (
    <>
      <AdminForm title="Incoming mail" action="Save the address" onSend={send}>
        <TextField
          label="Address for mail to the tracker"
          type="email"
          value={address}
          onText={setAddress}
          hint="Such as bugs@example.com: users file bugs and comment at secret addresses bugs+…@example.com. Empty accepts no mail."
        />
        <p class="muted">{stateInWords(incoming)}</p>
      </AdminForm>
      {incoming.refused.length > 0 && <RefusedMessages refused={incoming.refused} />}
    </>
  )
}

function RefusedMessages({ refused }: Pick<MailState['incoming'], 'refused'>) {
  return (
    <section class="stack" aria-label="Refused messages">
      <h3>Refused lately</h3>
      <ul class="card rows" aria-label="Refused messages">
        {refused.map(({ at, reason, user }, place) => (
          <li key={place} class="search-row">
            <div class="grow break-anywhere">
              {reason}
              <div class="facts">
                <span>
                  <Time at={at} isInSentence />
                </span>
                <span dir="ltr">{user ?? 'to no user’s address'}</span>
              </div>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

function stateInWords({ address, has_maildir, waiting, set_aside, accepted }: MailState['incoming']) {
  const way = has_maildir
    ? `Messages are taken from the folder of LACEWING_MAILDIR: ${waiting} wait there, ${set_aside} could not be read.`
    : 'LACEWING_MAILDIR is not set: a mail server must pass messages to the command lacewing receive-mail.'
  return address === '' ? 'No mail is accepted.' : `${way} ${accepted} accepted in the last 24 hours.`
}
