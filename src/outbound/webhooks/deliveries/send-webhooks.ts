import { release } from '../../../platform/config/release.ts'
import type { Db } from '../../../platform/database/db.ts'
import { timeNow } from '../../../platform/time/clock.ts'
import type { DeliveryContext } from '../../delivery/delivery-context.ts'
import type { AttemptOutcome, Job, Queue } from '../../jobs/job.ts'
import { GuardedPoster, type PostResult } from '../http/guarded-post.ts'
import { signatureHeaders } from '../http/signature.ts'
import { WEBHOOK_QUEUE } from '../webhook-queue.ts'
import { forgetFaults, noteFault } from '../webhook-store.ts'
import { messageIdOf } from './delivery.ts'
import { type DeliveryContent, deliveryContentReader } from './delivery-content.ts'
import { type DeliveryOutcome, insertDeliveries } from './delivery-store.ts'
import type { SendableHook } from './receiving-hooks.ts'
import type { LoggedEvent } from './test-message.ts'
import type { WebhookJob } from './webhook-job.ts'

const LIMIT_SECONDS = 15
/** Lanes at once. A hanging receiver takes one of them, and lanes that failed before never take more than half. */
const PARALLEL = 200
/** How long a delivery is retried, so that a receiver that is down for a weekend misses nothing. */
const RETRY_DAYS = 3
/** Seconds until the next attempt, by how often the webhook has failed in a row. */
const DELAYS = [10, 30, 60, 300, 600, 1800, 3600] as const
const MOST_ATTEMPTS = 1000
const GONE = 410

/** Sends deliveries to webhooks: those of one webhook one after another, without waiting for other webhooks. */
export function webhookQueue(context: DeliveryContext): Queue {
  const contentFor = deliveryContentReader(context)
  const poster = new GuardedPoster()
  /** Kept as long as the job, because they may have to be saved more than once if a transaction fails. */
  const attempts = new WeakMap<Job, DeliveryAttempt>()

  const tried = async (job: Job): Promise<DeliveryAttempt | undefined> => {
    const message = await contentFor(job.payload as WebhookJob)
    if (message === undefined) return undefined
    const { hook, event, networks } = message
    const at = timeNow()
    const about = { hook, event, at }
    if (message.why !== undefined) return { ...about, outcome: 'dropped', fault: message.why }
    if (isTooLate(job, hook))
      return { ...about, outcome: 'given_up', fault: `it could not be delivered within ${RETRY_DAYS} days` }
    const started = performance.now()
    const result = await poster.post(postOf(message), { networks, limitMilliseconds: LIMIT_SECONDS * 1000 })
    const milliseconds = 'isUnresolved' in result ? 0 : Math.round(performance.now() - started)
    return { ...about, isTried: true, milliseconds, ...attemptResult(job, result) }
  }

  return {
    name: WEBHOOK_QUEUE,
    parallel: PARALLEL,
    // Only for attempts that end without a result: the others say themselves when the next one is.
    delayAfter: (attempts) => (attempts <= MOST_ATTEMPTS ? delayOf(DELAYS.length) : undefined),
    limitSeconds: LIMIT_SECONDS + 2,
    async perform(job) {
      const attempt = await tried(job)
      if (attempt === undefined) return { done: true }
      attempts.set(job, attempt)
      return outcomeOf(job, attempt)
    },
    async settled(tx, jobs) {
      const tried = jobs.flatMap(({ job }) => {
        const attempt = attempts.get(job)
        return attempt === undefined ? [] : { job, attempt }
      })
      await saveDeliveries(tx, tried)
    },
    close: async () => poster.close(),
  }
}

interface DeliveryAttempt {
  hook: SendableHook
  event: LoggedEvent
  at: string
  outcome: DeliveryOutcome
  isTried?: boolean
  milliseconds?: number
  status?: number
  /** How long the receiver asks us to wait. */
  waitSeconds?: number
  fault?: string
}

function postOf({ hook, event, body }: DeliveryContent) {
  const secrets = [hook.secret, ...(isPast(hook.old_secret_until) ? [] : [hook.old_secret ?? ''])]
  const signed = { id: messageIdOf(hook.id, event.position), seconds: Math.floor(Date.now() / 1000), body }
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': `Lacewing/${release}`,
    ...signatureHeaders(secrets, signed),
  }
  return { url: hook.url, headers, body }
}

function isPast(moment: string | null) {
  return moment === null || moment <= timeNow()
}

/** A delivery that has waited too long behind failing ones is not tried at all. */
function isTooLate(job: Job, { failures }: SendableHook) {
  return failures > 0 && isPastRetryDays(job)
}

function isPastRetryDays({ createdAt }: Job) {
  return Date.now() - Date.parse(createdAt) > RETRY_DAYS * 86_400_000
}

function attemptResult(
  job: Job,
  result: PostResult,
): Pick<DeliveryAttempt, 'outcome' | 'status' | 'waitSeconds' | 'fault'> {
  const outcome = isPastRetryDays(job) ? 'given_up' : 'failed'
  if (result.status === undefined) return { outcome, fault: result.fault }
  const { status, waitSeconds = 0 } = result
  if (status >= 200 && status < 300) return { outcome: 'delivered', status }
  return { outcome, status, waitSeconds, fault: `the receiver answered ${status}` }
}

/**
 * Deliveries that were given up or dropped are in the log, from where they can be sent again. So the job need not be
 * kept as dead.
 */
function outcomeOf(job: Job, { hook, outcome, status, waitSeconds = 0, fault = '' }: DeliveryAttempt): AttemptOutcome {
  const { isReplay } = job.payload as WebhookJob
  if (outcome !== 'failed' || isReplay || status === GONE) return { done: true }
  const delay = delayOf(hook.failures) * (0.9 + Math.random() / 5)
  return { retry: fault, afterSeconds: Math.max(waitSeconds, Math.round(delay)) }
}

function delayOf(failures: number) {
  return DELAYS[Math.min(failures, DELAYS.length - 1)] ?? 0
}

async function saveDeliveries(tx: Db, tried: readonly { job: Job; attempt: DeliveryAttempt }[]) {
  await insertDeliveries(
    tx,
    tried.map(({ job, attempt: { hook, event, at, outcome, milliseconds = 0, status = null, fault = null } }) => ({
      webhook_id: hook.id,
      event_position: event.position,
      kind: event.kind,
      bug_id: event.bugId,
      attempt: job.attempts,
      ...{ at, milliseconds, status, fault, outcome },
    })),
  )
  for (const { attempt } of tried) await noteState(tx, attempt)
}

/** A webhook whose state does not change is not updated. */
async function noteState(tx: Db, { hook, at, outcome, isTried = false, status, fault = '' }: DeliveryAttempt) {
  const isFailure = outcome === 'failed' || (outcome === 'given_up' && isTried)
  if (isFailure) await noteFault(tx, hook.id, at, fault, status === GONE)
  else if (outcome === 'delivered' && hook.failures > 0) await forgetFaults(tx, hook.id)
}
