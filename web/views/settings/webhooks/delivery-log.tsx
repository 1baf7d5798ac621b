import { useEffect, useState } from 'preact/hooks'
import { addressOf } from '../../../../shared/rest-address.ts'
import { hrefOf } from '../../../core/router.ts'
import { post } from '../../../core/server/rest.ts'
import { useData } from '../../../core/server/use-data.ts'
import { showResult } from '../../../core/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { SelectField } from '../../../parts/field.tsx'
import { Refused } from '../../../parts/states.tsx'
import { Time } from '../../../parts/time.tsx'
import { type Delivery, outcomeInWords, type Webhook } from './webhook.ts'

const OUTCOMES = [
  { value: '', name: 'All attempts' },
  { value: 'failed', name: 'Failed' },
  { value: 'given_up', name: 'Given up' },
  { value: 'dropped', name: 'Not sent' },
  { value: 'delivered', name: 'Delivered' },
]
const SHOWN = 25
const LOOK_AGAIN_MILLISECONDS = 2000

/** Every attempt to deliver, newest first, with what the receiver answered. It stays up to date while it is open. */
export function DeliveryLog({ hook, onLook }: { hook: Webhook; onLook(): void }) {
  const [outcome, setOutcome] = useState('')
  const [before, setBefore] = useState<number>()
  const page = { limit: SHOWN, ...(outcome !== '' && { outcome }), ...(before !== undefined && { before }) }
  const { body, fault, reload } = useData(addressOf('/webhook/:id/delivery', { id: hook.id, ...page }))
  useEffect(() => {
    const look = () => {
      reload()
      onLook()
    }
    const timer = setInterval(look, LOOK_AGAIN_MILLISECONDS)
    return () => clearInterval(timer)
  }, [])
  if (body === undefined) return fault === undefined ? null : <Refused fault={fault} retry={reload} />
  const { deliveries } = body
  const redeliver = (delivery: Delivery) =>
    showResult(
      () => post('/webhook/:id/delivery/:delivery/redeliver', { id: hook.id, delivery: delivery.id }),
      'It is sent again. The result is in the log.',
      reload,
    )
  const choose = (next: string) => {
    setBefore(undefined)
    setOutcome(next)
  }
  const last = deliveries.at(-1)?.id
  return (
    <section class="stack recovery" aria-label={`Deliveries to ${hook.url}`}>
      <SelectField label="Show" value={outcome} options={OUTCOMES} onChoice={choose} />
      {deliveries.length === 0 && <p class="muted">Nothing was sent in the last two weeks.</p>}
      {deliveries.length > 0 && (
        <ul class="card rows">
          {deliveries.map((delivery) => (
            <DeliveryRow key={delivery.id} delivery={delivery} onAgain={() => void redeliver(delivery)} />
          ))}
        </ul>
      )}
      <div class="factor-buttons">
        {before !== undefined && <Button onClick={() => setBefore(undefined)}>Newest</Button>}
        {deliveries.length === SHOWN && last !== undefined && <Button onClick={() => setBefore(last)}>Older</Button>}
      </div>
    </section>
  )
}

function DeliveryRow({ delivery, onAgain }: { delivery: Delivery; onAgain(): void }) {
  const { event, bug_id, attempt, time, milliseconds, status, fault, outcome } = delivery
  return (
    <li class="search-row">
      <div class="grow break-anywhere">
        <b class={outcome === 'delivered' ? undefined : 'warn'}>{outcomeInWords(delivery)}</b> {event}{' '}
        {bug_id !== null && <a class="link" href={hrefOf(`/bug/${bug_id}`)}>{`bug ${bug_id}`}</a>}
        {fault !== null && <div class="small">{fault}</div>}
        <div class="facts">
          <span>
            <Time at={time} isInSentence />
          </span>
          <span>attempt {attempt}</span>
          {status !== null && <span>status {status}</span>}
          {outcome !== 'dropped' && <span>{milliseconds} ms</span>}
        </div>
      </div>
      <Button size="small" onClick={onAgain}>
        Send again<span class="visually-hidden">{` ${event}, attempt ${attempt}`}</span>
      </Button>
    </li>
  )
}
