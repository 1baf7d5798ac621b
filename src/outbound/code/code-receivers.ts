import { join } from 'node:path'
import { changeSource } from '../../access/change-source.ts'
import { readSettings } from '../../access/installation.ts'
import { CODE_QUEUE } from '../../changes/change-links.ts'
import { Contents } from '../../platform/contents/contents.ts'
import type { Db } from '../../platform/database/db.ts'
import { runFromSource } from '../../platform/queues/current-caller.ts'
import type { DeliveryContext, Receivers } from '../delivery/delivery-context.ts'
import type { AttemptOutcome, Job } from '../jobs/job.ts'
import { actAsUsers } from '../receivers/act-as.ts'
import { linkBack } from './api/link-back.ts'
import { readLacking } from './api/read-lacking.ts'
import type { CodeJob } from './code-job.ts'
import { settleDelivery, settleWaiting } from './incoming/code-delivery-store.ts'
import { applyReport, type DeliveryResult } from './linking/apply-deliveries.ts'
import type { CodeReport } from './linking/code-change.ts'
import { findAttachedLink, linkAttached, listLinksAt, sourceFor, unlinkAttached } from './linking/link-attachment.ts'
import type { CodeSource } from './sources/code-source.ts'
import { findSourceById, listSources, unsealed } from './sources/code-source-store.ts'

const MOST_ATTEMPTS = 5
const DELAYS = [2, 10, 60, 300] as const

/** Applies what sources have sent, reads what attachments name, and comments there on what was linked. */
export function codeReceivers(context: DeliveryContext): Receivers {
  return {
    consumers: [],
    queues: [
      {
        name: CODE_QUEUE,
        parallel: 4,
        delayAfter: (failed) => DELAYS[failed - 1],
        limitSeconds: 120,
        perform: (job) => perform(context, job),
        settled: (tx, jobs) =>
          settleDead(
            tx,
            jobs.flatMap(({ job, outcome }) => ('dead' in outcome ? [job.payload as CodeJob] : [])),
          ),
      },
    ],
  }
}

/** A delivery that could not be applied can be sent again. */
async function settleDead(tx: Db, payloads: readonly CodeJob[]) {
  for (const payload of payloads)
    if ('deliveryId' in payload) await settleWaiting(tx, payload.deliveryId, 'failed', NOT_APPLIED)
}

const NOT_APPLIED = 'it could not be applied'

async function perform(context: DeliveryContext, job: Job): Promise<AttemptOutcome> {
  const { db } = context
  const payload = job.payload as CodeJob
  if ('attachmentId' in payload) return linkAttachment(context, payload.attachmentId)
  const source = await findSourceById(db, payload.sourceId)
  if (source === undefined) return { done: true }
  if ('linkBackTo' in payload) return linkBack(context, source, payload)
  const isLast = job.attempts >= MOST_ATTEMPTS
  try {
    const { outcome, note, retry } = await applied(context, source, payload.report)
    if (retry !== undefined && !isLast) return { retry }
    await settleDelivery(db, payload.deliveryId, outcome, note)
  } catch (fault) {
    if (!isLast) throw fault
    await settleDelivery(db, payload.deliveryId, 'failed', NOT_APPLIED)
    context.log.error('code delivery failed', { source: source.id, fault: String(fault) })
  }
  return { done: true }
}

async function applied(
  context: DeliveryContext,
  source: CodeSource,
  received: CodeReport,
): Promise<DeliveryResult & { retry?: string }> {
  if (!source.is_active) return { outcome: 'stopped', note: 'the source is switched off' }
  const acting = (await actAsUsers(context, [source.user_id])).get(source.user_id)
  if (acting === undefined) return { outcome: 'stopped', note: 'the account of the source is disabled' }
  const { report, fault, isPassing } = await readLacking(await apiOf(context, source), received)
  if (isPassing && fault !== undefined) return { outcome: 'failed', note: fault, retry: fault }
  const contents = new Contents(join(context.config.dataFolder, 'attachments'))
  return runFromSource(changeSource('code', source.id), () => applyReport(contents, acting, source, { report, fault }))
}

async function apiOf({ db }: DeliveryContext, source: CodeSource) {
  const { token } = await unsealed(db, source)
  const { webhook_networks: networks } = await readSettings(db)
  return { source, token, networks }
}

/** The change that an attachment names, if a source knows it: it is linked as long as the attachment is there for everybody. */
async function linkAttachment(context: DeliveryContext, id: number): Promise<AttemptOutcome> {
  const { db } = context
  const link = await findAttachedLink(db, id)
  if (link === undefined) return { done: true }
  const linked = await listLinksAt(db, link.bugId, link.text)
  const sources = await listSources(db)
  if (link.address === '') {
    for (const { change_id, source_id, named_in } of linked) {
      const userId = sources.find((source) => source.id === source_id)?.user_id ?? 0
      const acting = (await actAsUsers(context, [userId])).get(userId)
      if (acting !== undefined && named_in === 'attachment') await unlinkAttached(acting, link.bugId, change_id)
    }
    return { done: true }
  }
  const source = linked.length > 0 ? undefined : sourceFor(sources, link.address)
  const acting = source && (await actAsUsers(context, [source.user_id])).get(source.user_id)
  if (source === undefined || acting === undefined) return { done: true }
  const sourceApi = await apiOf(context, source)
  const fault = await runFromSource(changeSource('code', source.id), () => linkAttached(acting, sourceApi, link))
  return fault === undefined ? { done: true } : { retry: fault }
}
