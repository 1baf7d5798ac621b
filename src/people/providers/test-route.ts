import { Type } from '@sinclair/typebox'
import { call } from '../../access/call.ts'
import { requireGroup } from '../../access/caller.ts'
import { requireRecentProof } from '../../access/recent-proof.ts'
import { countTest } from '../../changes/count-tests.ts'
import { findProvider } from '../../platform/config/sign-in-providers.ts'
import { errors } from '../../platform/errors.ts'

const strict = { additionalProperties: false }

export const testProviderRoute = call({
  method: 'POST',
  idempotency: 'attempts',
  path: '/admin/providers/:name/test',
  pathParams: { name: 'Name of a provider of the parameter sign_in_providers.' },
  resource: 'provider',
  summary: 'Test a provider: read its discovery document and its keys.',
  about: 'For members of admin. Nobody is logged in. It is recorded in the audit log.',
  params: {},
  status: 200,
  answers: Type.Object(
    {
      is_good: Type.Boolean({ description: 'Whether all checks are good.' }),
      checks: Type.Array(Type.Object({ is_good: Type.Boolean(), text: Type.String() }, strict)),
    },
    { title: 'ProviderTest', ...strict },
  ),
  scope: 'admin',
  async run(context) {
    const { db, caller, settings, path } = context
    const admin = requireGroup(caller, 'admin')
    requireRecentProof(context)
    const provider = findProvider(settings.sign_in_providers, path.name ?? '')
    if (provider === undefined) throw errors.no_such_object({ what: 'provider', ref: path.name ?? '' })
    await countTest(db, admin.id, { class: 'SignInProvider', what: provider.name })
    const { testProvider } = await import('./test-provider.ts')
    const checks = await testProvider(provider)
    return { is_good: checks.every(({ is_good }) => is_good), checks }
  },
})
