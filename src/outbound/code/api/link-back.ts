import { readSettings } from '../../../access/installation.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import type { DeliveryContext } from '../../delivery/delivery-context.ts'
import type { AttemptOutcome } from '../../jobs/job.ts'
import type { CodeJob } from '../code-job.ts'
import type { CodeSource } from '../sources/code-source.ts'
import { unsealed } from '../sources/code-source-store.ts'
import { commentRequest } from './api-address.ts'
import type { GuardedApi } from './guarded-api.ts'

const byKey = statement<{ sourceId: number; key: string; bugId: number }>()((q, p) =>
  q
    .selectFrom('code_changes')
    .innerJoin('code_links', 'code_links.change_id', 'code_changes.id')
    .select(['code_changes.repository', 'code_changes.number'])
    .where('code_changes.source_id', '=', p.sourceId)
    .where('code_changes.change_key', '=', p.key)
    .where('code_links.bug_id', '=', p.bugId),
)

/** Writes the address of a bug at a change that is linked to it, once. */
export async function linkBack(
  { db, baseUrl }: DeliveryContext,
  api: GuardedApi,
  source: CodeSource,
  { changeKey: key, linkBackTo: bugId }: Extract<CodeJob, { linkBackTo: number }>,
): Promise<AttemptOutcome> {
  if (!source.is_active || !source.links_back || source.token === '') return { done: true }
  const change = await db.first(byKey, { sourceId: source.id, key, bugId })
  if (change === undefined) return { done: true }
  const { token } = await unsealed(db, source)
  const text = `Linked to bug ${bugId}: ${baseUrl().replace(/\/$/, '')}/bug/${bugId}`
  const request = commentRequest(source, token, change, text)
  if (request === undefined) return { done: true }
  const { webhook_networks: networks } = await readSettings(db)
  const result = await api.send(request, networks)
  if (result.status === undefined) return { retry: result.fault }
  // What the source refuses, it would refuse again.
  return result.status === 429 || result.status >= 500
    ? { retry: `the source answered ${result.status}` }
    : { done: true }
}
