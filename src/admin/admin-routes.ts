import { Type } from '@sinclair/typebox'
import { call } from '../access/call.ts'
import { requireGroup } from '../access/caller.ts'
import { errors } from '../platform/errors.ts'
import { Changes } from '../platform/wire/openapi/schemas.ts'
import { anything, integer, text, texts, time } from '../platform/wire/params.ts'
import { readAuditLog } from './audit-log.ts'
import { changeParameters } from './change-parameters.ts'

const resource = 'admin'

const putParameters = call({
  method: 'PUT',
  path: '/parameters',
  resource,
  summary: 'Change parameters.',
  about:
    'For members of tweakparams. The body has the parameters by name. An unknown name is 51, a value that it cannot have 53, and then none is changed.',
  params: { '(name)': anything('New value of the parameter of that name.') },
  unknownParams: 'kept',
  answers: Type.Object({ changes: Changes }, { additionalProperties: false }),
  scope: 'admin',
  async run({ db, caller, given }) {
    const { include_fields: _, exclude_fields: __, ...wanted } = given
    return { changes: await changeParameters(db, requireGroup(caller, 'tweakparams').id, wanted) }
  },
})

const Entry = Type.Object(
  {
    who: Type.Union([Type.String(), Type.Null()], {
      description: 'Login name; null for what the installation did itself.',
    }),
    class: Type.String(),
    id: Type.Integer({ description: 'Id of what was changed; 0 for parameters, which have none.' }),
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
  summary: 'Who changed what in the configuration, newest first.',
  about: 'For members of admin. No password, key or token stands in it.',
  params: {
    class: texts('Only of these classes, such as Tracker::User.'),
    who: text('Only by the user of this login name.'),
    id: integer('Only of the object with this id.'),
    since: time('Only from then on.'),
    limit: integer(`Most entries; ${MOST_ENTRIES} at most, 100 by default.`),
    offset: integer('Entries to leave out first.'),
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

export const adminRoutes = [putParameters, getAudit]
