import { Type } from '@sinclair/typebox'
import { call } from '../access/call.ts'
import { requireGroup } from '../access/caller.ts'
import { withLiveCredential } from '../access/live-credential.ts'
import { requireRecentProof } from '../access/recent-proof.ts'
import { errors } from '../platform/errors.ts'
import { Changes } from '../platform/wire/openapi/schemas.ts'
import { anything, integer, MOST_ITEMS, requireAtMost, text, texts, time } from '../platform/wire/params.ts'
import { readAuditLog } from './audit-log.ts'
import { changeParameters } from './change-parameters.ts'
import { lastAuditId, requireUnchangedSince } from './changes/configuration-version.ts'
import { parametersRoute } from './parameters-route.ts'

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
      await requireUnchangedSince(tx, context.ifMatch, before)
      return made
    })
    return { changes }
  },
})

const Entry = Type.Object(
  {
    who: Type.Union([Type.String(), Type.Null()], {
      description: 'Login name; null for changes that the server made itself.',
    }),
    class: Type.String(),
    id: Type.Integer({ description: 'Id of the changed object; 0 for parameters, which have no id.' }),
    field: Type.String({ description: '__create__ and __remove__ stand for the whole object.' }),
    removed: Type.String(),
    added: Type.String(),
    at: Type.String({ format: 'date-time' }),
  },
  { title: 'AuditEntry', additionalProperties: false },
)

const MOST_ENTRIES = 1000

const getAudit = call({
  method: 'GET',
  path: '/audit',
  resource,
  summary: 'List changes of the configuration, newest first.',
  about: 'For members of admin. The log does not contain passwords, keys or tokens.',
  params: {
    class: texts('Only changes of objects of these classes, such as Tracker::User.'),
    who: text('Only changes by the user with this login name.'),
    id: integer('Only changes of the object with this id.'),
    since: time('Only changes at or after this time.'),
    limit: integer(`Maximum number of entries; at most ${MOST_ENTRIES}, 100 by default.`),
    offset: integer('Number of entries to skip.'),
  },
  answers: Type.Object({ audit: Type.Array(Entry) }, { additionalProperties: false }),
  scope: 'admin',
  async run({ db, request, caller, params }) {
    requireGroup(caller, 'admin')
    const { limit = 100, offset = 0 } = params
    if (limit < 0) throw errors.not_a_number({ name: 'limit', value: limit })
    if (offset < 0) throw errors.not_a_number({ name: 'offset', value: offset })
    return {
      audit: await readAuditLog(db.within(request.readLimits), {
        ...params,
        classes: params.class,
        limit: Math.min(limit || MOST_ENTRIES, MOST_ENTRIES),
        offset,
      }),
    }
  },
})

export const adminRoutes = [putParameters, parametersRoute, getAudit] as const
