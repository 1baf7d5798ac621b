import { Time } from '../../../parts/time.tsx'
import { stateInWords, type Webhook } from './webhook.ts'

/** How a webhook is: its state, the last fault, the last delivery and what waits. */
export function WebhookFacts({ hook }: { hook: Webhook }) {
  const { state, failing_since, last_fault, last_delivery_time, waiting, next_try_time } = hook
  return (
    <>
      {last_fault !== null && <div class="small warn">{last_fault}</div>}
      <div class="facts">
        <span class={state === 'active' || state === 'off' ? undefined : 'warn'}>{stateInWords(hook)}</span>
        {failing_since !== null && (
          <span>
            since <Time at={failing_since} isInSentence />
          </span>
        )}
        {last_delivery_time === null ? (
          <span>nothing delivered yet</span>
        ) : (
          <span>
            last delivery <Time at={last_delivery_time} isInSentence />
          </span>
        )}
        {waiting > 0 && <span>{waiting} waiting</span>}
        {next_try_time !== null && (
          <span>
            next attempt <Time at={next_try_time} isInSentence />
          </span>
        )}
      </div>
    </>
  )
}
