import { hash } from 'node:crypto'
import { readSecret } from '../../../access/installation-secrets.ts'
import { CODE_QUEUE } from '../../../changes/change-links.ts'
import type { Db } from '../../../platform/database/db.ts'
import { addJobs } from '../../../platform/database/new-jobs.ts'
import { errors } from '../../../platform/errors.ts'
import { isTurnLong, laterTurn } from '../../../platform/monitoring/event-loop.ts'
import { formField } from '../../../platform/wire/http/form-field.ts'
import { readJsonBody } from '../../../platform/wire/json/json-body.ts'
import { type CodeJob, laneOfSource } from '../code-job.ts'
import type { CodeReport } from '../linking/code-change.ts'
import type { CodeSource } from '../sources/code-source.ts'
import { findSource, unsealed } from '../sources/code-source-store.ts'
import { isAuthentic, type SentDelivery, signedId } from './check-delivery.ts'
import { countWaiting, noteDelivery, settleDelivery } from './code-delivery-store.ts'
import { nameOfDelivery, readDelivery } from './read-delivery.ts'

const MOST_WAITING = 1000
const BUSY_SECONDS = 60

/** Takes a delivery once. What it reports is applied by the delivery thread, so that the response tells nothing about bugs. */
export async function receiveDelivery(db: Db, name: string, arrived: ArrivedDelivery) {
  const sent = await withJson(arrived)
  const source = await authenticSource(db, name, sent)
  if (isTurnLong()) await laterTurn()
  const payload = await readJsonBody(sent.json)
  if (isTurnLong()) await laterTurn()
  const { event, delivery } = nameOfDelivery(source, sent.headers, payload)
  const report = readDelivery(source, event, payload)
  const digest = digestOf(source, sent)
  const isTaken = await db.transaction(async (tx) => {
    if ((await countWaiting(tx, source.id)) >= MOST_WAITING) throw errors.source_busy({ seconds: BUSY_SECONDS })
    const id = await noteDelivery(tx, { sourceId: source.id, digest, delivery, event })
    if (id === undefined) return false
    if (isEmpty(report)) await settleDelivery(tx, id, 'ignored', 'it reports nothing that concerns bugs')
    else await addJobs(tx, [jobFor(source, id, report)])
    return true
  })
  if (!isTaken) throw errors.delivery_repeated()
}

/** A delivery whose body was not looked at. */
export type ArrivedDelivery = Omit<SentDelivery, 'json'>

/** JSON, or a form with JSON in it, which GitHub and Forgejo send if they are set so. */
export async function withJson(arrived: ArrivedDelivery): Promise<SentDelivery> {
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(arrived.headers['content-type'] ?? '')
  return { ...arrived, json: isForm ? await formField(arrived.body, 'payload') : arrived.body }
}

/** The same for every way to write the same JSON into a form. */
function digestOf(source: CodeSource, sent: SentDelivery): string {
  const id = signedId(source, sent)
  return hash('sha256', id === '' ? sent.json : Buffer.concat([Buffer.from(`${id}\n`), sent.json]), 'base64url')
}

function jobFor({ id: sourceId }: CodeSource, deliveryId: number, report: CodeReport) {
  const payload: CodeJob = { sourceId, deliveryId, report }
  return { queue: CODE_QUEUE, lane: laneOfSource(sourceId), payload }
}

/** The error is the same for a source that does not exist, is switched off, or did not send this. */
async function authenticSource(db: Db, name: string, sent: SentDelivery): Promise<CodeSource> {
  const source = await findSource(db, name)
  const isGood = await provesItself(db, source, sent)
  if (source === undefined || !source.is_active || !isGood) throw errors.delivery_not_authentic()
  return source
}

/** Also computed where there is no source, so that the time does not show which names exist. */
async function provesItself(db: Db, source: CodeSource | undefined, sent: SentDelivery): Promise<boolean> {
  if (source === undefined) {
    await readSecret(db, 'code_source')
    return isAuthentic({ kind: 'github', networks: [] }, NO_SECRET, sent) && false
  }
  const { secret } = await unsealed(db, source)
  return isAuthentic(source, secret, sent)
}

const NO_SECRET = 'no source has this secret'

function isEmpty({ changes, checks, lacking = [] }: CodeReport) {
  return changes.length + checks.length + lacking.length === 0
}
