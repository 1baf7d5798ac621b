import { Type } from '@sinclair/typebox'
import { call } from '../access/call.ts'
import { requireGroup } from '../access/caller.ts'
import { withLiveCredential } from '../access/live-credential.ts'
import { requireRecentProof } from '../access/recent-proof.ts'
import { Changes } from '../platform/wire/openapi/schemas.ts'
import { anything, MOST_ITEMS, requireAtMost } from '../platform/wire/params.ts'
import { getAudit } from './audit-route.ts'
import { changeParameters } from './change-parameters.ts'
import { lastAuditId, requireUnchangedSince } from './changes/configuration-version.ts'
import { parametersRoute } from './parameters-route.ts'
import { setupRoutes } from './setup/setup-routes.ts'

const resource = 'admin'

const ParameterValue = Type.Union([
  Type.String(),
  Type.Number(),
  Type.Boolean(),
  Type.Array(Type.Object({}, { additionalProperties: true }), { maxItems: MOST_ITEMS }),
])

const putParameters = call({
  method: 'PUT',
  path: '/parameters',
  resource,
  summary: 'Change parameters.',
  about:
    'For members of tweakparams. The body has the parameters by name. An unknown name is error 51 and an invalid value is error 53; in both cases no parameter is changed. With If-Match and the version of GET /rest/admin/parameters it is refused if somebody else has changed one of the same parameters since.',
  params: { '(name)': anything('New value of the parameter of that name.', ParameterValue) },
  unknownParams: 'kept',
  answers: Type.Object({ changes: Changes }, { additionalProperties: false }),
  readsIfMatch: true,
  scope: 'admin',
  async run(context) {
    const { caller, rawParams } = context
    const { include_fields: _, exclude_fields: __, ...wanted } = rawParams
    for (const [name, value] of Object.entries(wanted)) if (Array.isArray(value)) requireAtMost(MOST_ITEMS, name, value)
    const editor = requireGroup(caller, 'tweakparams')
    requireRecentProof(context)
    const changes = await withLiveCredential(context, 'configuration', async (tx) => {
      const before = await lastAuditId(tx)
      const made = await changeParameters(tx, editor, wanted)
      await requireUnchangedSince(tx, context, before)
      return made
    })
    return { changes }
  },
})

export const adminRoutes = [putParameters, parametersRoute, getAudit, ...setupRoutes] as const
