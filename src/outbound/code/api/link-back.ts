import { readSettings } from '../../../access/installation.ts'
import type { Db } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import type { DeliveryContext } from '../../delivery/delivery-context.ts'
import type { AttemptOutcome } from '../../jobs/job.ts'
import type { CodeJob } from '../code-job.ts'
import type { ChangeDetails } from '../linking/code-change.ts'
import { lockChange, saveChange } from '../linking/code-change-store.ts'
import { publicAmong } from '../linking/plan-links-back.ts'
import type { CodeSource } from '../sources/code-source.ts'
import { unsealed } from '../sources/code-source-store.ts'
import { commentRequest } from './api-address.ts'
import { callApi } from './guarded-api.ts'

const byKey = statement<{ sourceId: number; key: string; bugId: number }>()((q, p) =>
  q
    .selectFrom('code_changes')
    .innerJoin('code_links', 'code_links.change_id', 'code_changes.id')
    .select(['code_changes.repository', 'code_changes.number', 'code_changes.details'])
    .where('code_changes.source_id', '=', p.sourceId)
    .where('code_changes.change_key', '=', p.key)
    .where('code_links.bug_id', '=', p.bugId),
)

/** So many comments a change gets in all. */
const MOST_COMMENTS = 50

/** Writes the address of a bug at a change that is linked to it: once, also if the link comes and goes. */
export async function linkBack(
  { db, baseUrl }: DeliveryContext,
  source: CodeSource,
  { changeKey: key, linkBackTo: bugId }: Extract<CodeJob, { linkBackTo: number }>,
): Promise<AttemptOutcome> {
  if (!source.is_active || !source.links_back || source.token === '') return { done: true }
  const change = await db.first(byKey, { sourceId: source.id, key, bugId })
  if (change === undefined) return { done: true }
  const { commentedFor = [] } = JSON.parse(change.details) as ChangeDetails
  if (commentedFor.includes(bugId) || commentedFor.length >= MOST_COMMENTS) return { done: true }
  const settings = await readSettings(db)
  // It may be hidden since the job was planned.
  if (!(await publicAmong(db, settings, [bugId])).has(bugId)) return { done: true }
  const { token } = await unsealed(db, source)
  const text = `Linked to bug ${bugId}: ${baseUrl().replace(/\/$/, '')}/bug/${bugId}`
  const request = commentRequest(source, token, change, text)
  if (request === undefined) return { done: true }
  const result = await callApi(request, settings.webhook_networks)
  if (result.status === undefined) return result.isPassing ? { retry: result.fault } : { done: true }
  // What the source refuses, it would refuse again.
  if (result.status === 429 || result.status >= 500) return { retry: `the source answered ${result.status}` }
  await noteCommented(db, source.id, key, bugId)
  return { done: true }
}

function noteCommented(db: Db, sourceId: number, key: string, bugId: number) {
  return db.transaction(async (tx) => {
    const change = await lockChange(tx, sourceId, key)
    if (change === undefined) return
    const { commentedFor = [] } = change.details
    const details = { ...change.details, commentedFor: [...commentedFor, bugId] }
    await saveChange(tx, change.id, { ...change, details })
  })
}
