import { useState } from 'preact/hooks'
import { useData } from '../../../core/server/use-data.ts'
import { Icon } from '../../../parts/icon.tsx'
import { Refused, Skeleton } from '../../../parts/states.tsx'
import { Time } from '../../../parts/time.tsx'
import { AuditTrail } from '../changes/audit-trail.tsx'
import { IncomingMail } from './incoming-mail.tsx'
import { MailQueue } from './mail-queue.tsx'
import { MailServer } from './mail-server.tsx'
import { MAIL_CALL, type MailState } from './mail-state.ts'
import { MailTest } from './mail-test.tsx'
import { Sender } from './sender.tsx'

const FIELDS = ['smtp_url', 'mailfrom', 'urlbase', 'incoming_address', 'test', 'messages']

/** How mail leaves and arrives, and what is stuck. */
export function Mail() {
  const { body, fault, reload } = useData(MAIL_CALL)
  const [round, setRound] = useState(0)
  if (body === undefined) return fault === undefined ? <Skeleton /> : <Refused fault={fault} retry={reload} />
  const onChange = () => {
    setRound((last) => last + 1)
    reload()
  }
  return (
    <div class="with-trail">
      <div class="stack-large mail-parts">
        <Outage outage={body.outage} />
        <MailServer state={body} onSaved={onChange} />
        <MailTest onSent={onChange} />
        <Sender onSaved={onChange} />
        <MailQueue key={round} onChange={onChange} />
        <IncomingMail key={body.incoming.address} incoming={body.incoming} onSaved={onChange} />
      </div>
      <AuditTrail classes={['Tracker::Parameter', 'Tracker::Mail']} fields={FIELDS} version={round} />
    </div>
  )
}

function Outage({ outage }: Pick<MailState, 'outage'>) {
  if (outage === null) return null
  return (
    <div class="note note-danger" role="alert">
      <Icon name="warn" />
      <div class="break-anywhere">
        No mail can be sent since <Time at={outage.since} isInSentence />. It waits, and nothing is lost. The last
        attempt, <Time at={outage.last_at} isInSentence />: {outage.error}
      </div>
    </div>
  )
}
