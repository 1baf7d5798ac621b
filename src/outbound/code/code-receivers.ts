import type { DeliveryContext, Receivers } from '../delivery/delivery-context.ts'
import type { AttemptOutcome, Job } from '../jobs/job.ts'
import { actAsUsers } from '../receivers/act-as.ts'
import { GuardedApi } from './api/guarded-api.ts'
import { linkBack } from './api/link-back.ts'
import { readLacking } from './api/read-lacking.ts'
import { CODE_QUEUE, type CodeJob } from './code-job.ts'
import { type DeliveryOutcome, settleDelivery } from './incoming/code-delivery-store.ts'
import { applyChange, applyChecks } from './linking/apply-report.ts'
import { attachChange } from './linking/attach-change.ts'
import type { CodeReport } from './linking/code-change.ts'
import { planLinksBack } from './linking/plan-links-back.ts'
import type { CodeSource } from './sources/code-source.ts'
import { findSourceById } from './sources/code-source-store.ts'

const MOST_ATTEMPTS = 5
const DELAYS = [2, 10, 60, 300] as const

/** Applies what sources have sent, and comments there on what was linked. */
export function codeReceivers(context: DeliveryContext): Receivers {
  const api = new GuardedApi()
  return {
    consumers: [],
    queues: [
      {
        name: CODE_QUEUE,
        parallel: 4,
        delayAfter: (failed) => DELAYS[failed - 1],
        limitSeconds: 120,
        perform: (job) => perform(context, api, job),
        close: async () => api.close(),
      },
    ],
  }
}

async function perform(context: DeliveryContext, api: GuardedApi, job: Job): Promise<AttemptOutcome> {
  const { db } = context
  const payload = job.payload as CodeJob
  const source = await findSourceById(db, payload.sourceId)
  if (source === undefined) return { done: true }
  if ('linkBackTo' in payload) return linkBack(context, api, source, payload)
  try {
    const { outcome, note } = await applied(context, api, source, payload.report)
    await settleDelivery(db, payload.deliveryId, outcome, note)
  } catch (fault) {
    if (job.attempts < MOST_ATTEMPTS) throw fault
    await settleDelivery(db, payload.deliveryId, 'failed', 'it could not be applied')
    context.log.error('code delivery failed', { source: source.id, fault: String(fault) })
  }
  return { done: true }
}

async function applied(
  context: DeliveryContext,
  api: GuardedApi,
  source: CodeSource,
  received: CodeReport,
): Promise<{ outcome: DeliveryOutcome; note: string }> {
  if (!source.is_active) return { outcome: 'stopped', note: 'the source is switched off' }
  const acting = (await actAsUsers(context, [source.user_id])).get(source.user_id)
  if (acting === undefined) return { outcome: 'stopped', note: 'the account of the source is disabled' }
  const { report, fault } = await readLacking(context, api, source, received)
  let leftOut = 0
  let links = 0
  const refusals = new Set<string>()
  for (const change of report.changes) {
    const result = await applyChange(acting, source, change)
    links += result.linked.length
    leftOut += result.leftOut
    for (const refusal of result.refusals) refusals.add(refusal)
    for (const refusal of await attachChange(context, acting, source, change)) refusals.add(refusal)
    await planLinksBack(acting, source, change, result.linked)
  }
  for (const checks of report.checks) await applyChecks(acting, source, checks)
  const notes = [
    ...(fault === undefined ? [] : [fault]),
    ...(links === 0 ? [] : [`new links: ${links}`]),
    // Missing bugs, hidden ones and those of other products count together.
    ...(leftOut === 0 ? [] : [`bugs that the source may not link: ${leftOut}`]),
    ...(refusals.size === 0 ? [] : [`refused: ${[...refusals].join(', ')}`]),
  ]
  if (fault !== undefined) return { outcome: 'failed', note: notes.join('; ') }
  return { outcome: links > 0 ? 'linked' : leftOut > 0 ? 'left out' : 'ignored', note: notes.join('; ') }
}
