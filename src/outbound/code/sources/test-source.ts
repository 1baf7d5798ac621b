import type { CallContext } from '../../../access/call.ts'
import { testRequest } from '../api/api-address.ts'
import { callApi } from '../api/guarded-api.ts'
import { listLastDeliveries } from '../incoming/code-delivery-store.ts'
import { lineAt } from '../incoming/payload.ts'
import type { CodeSource } from './code-source.ts'
import { unsealed } from './code-source-store.ts'

interface SourceCheck {
  is_good: boolean
  text: string
}

/** What an administrator wants to know of a source: whether it can work, and whether it has sent anything. */
export async function testSource(context: Pick<CallContext, 'db' | 'settings'>, source: CodeSource) {
  const last = (await listLastDeliveries(context.db)).get(source.id)
  const checks: SourceCheck[] = [
    {
      is_good: source.is_active,
      text: source.is_active ? 'The source is switched on.' : 'The source is switched off.',
    },
    {
      is_good: !source.isAccountDisabled,
      text: source.isAccountDisabled
        ? `The account ${source.user} is disabled, so nothing is linked.`
        : `The account ${source.user} may be used.`,
    },
    {
      is_good: last !== undefined,
      text:
        last === undefined ? 'Nothing has arrived yet.' : `The last delivery arrived at ${last.at}: ${last.outcome}.`,
    },
    ...(await checksOfToken(context, source)),
  ]
  return { is_good: checks.every(({ is_good }) => is_good), checks }
}

async function checksOfToken(
  { db, settings }: Pick<CallContext, 'db' | 'settings'>,
  source: CodeSource,
): Promise<SourceCheck[]> {
  if (source.token === '')
    return source.kind === 'phabricator'
      ? [{ is_good: false, text: 'Phabricator needs a token: its deliveries only name the revision.' }]
      : []
  const { token } = await unsealed(db, source)
  const request = testRequest(source, token)
  if (request === undefined) return [{ is_good: false, text: 'The source has a token, but no address of its API.' }]
  const result = await callApi(request, settings.webhook_networks)
  if (result.status === undefined) return [{ is_good: false, text: `The API cannot be read: ${result.fault}.` }]
  const refusal = lineAt(result.body, 'error_code')
  const isGood = result.status === 200 && refusal === ''
  const text = isGood ? 'The API accepts the token.' : `The API refuses the token: ${refusal || result.status}.`
  return [{ is_good: isGood, text }]
}
