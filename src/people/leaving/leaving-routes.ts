import { Type } from '@sinclair/typebox'
import { type CallContext, call } from '../../access/call.ts'
import { isIn, requireGroup, requireLogin } from '../../access/caller.ts'
import { requireRecentProof } from '../../access/recent-proof.ts'
import { errors } from '../../platform/errors.ts'
import { timeNow } from '../../platform/time/clock.ts'
import { Deleted } from '../../platform/wire/openapi/schemas.ts'
import { secret } from '../../platform/wire/params.ts'
import { requireOldPassword } from '../users/change-own-account.ts'
import { emailOf, nickOf } from '../users/user.ts'
import { Nick } from '../users/user-schema.ts'
import { getTarget, isSelf } from '../users/user-targets.ts'
import { anonymiseUser } from './anonymise-user.ts'
import { readStoredData, STORED_PARTS, type StoredPart } from './stored-data-store.ts'

const resource = 'user'
const pathParams = { ref: 'Id or login name.' }

const postAnonymise = call({
  method: 'POST',
  idempotency: 'attempts',
  path: '/user/:ref/anonymise',
  pathParams,
  resource,
  summary: 'Remove who a user is, and keep what they did.',
  about:
    'For members of admin. While the parameter allowuserdeletion is on, users may do it with their own account, with old_password. Name, address, password, keys, sessions, groups, preferences and searches are deleted; bugs, comments and history stay under a neutral name. It cannot be undone.',
  params: { old_password: secret('The caller’s current password, for the caller’s own account.') },
  answers: Deleted,
  status: 201,
  scope: 'admin',
  async run(context) {
    await requireMayAnonymise(context, context.params.old_password)
    return anonymiseUser(context.db, requireLogin(context.caller).id, context.path.ref ?? '')
  },
})

async function requireMayAnonymise(context: CallContext, oldPassword: string | undefined) {
  const caller = requireLogin(context.caller)
  const isOwn = isSelf(caller, context.path.ref ?? '')
  if (!isOwn || (isIn(caller, 'admin') && oldPassword === undefined)) {
    requireGroup(caller, 'admin')
    return requireRecentProof(context)
  }
  if (!context.settings.allowuserdeletion && !isIn(caller, 'admin'))
    throw errors.not_allowed({ need: 'the parameter allowuserdeletion is off, so it needs membership in admin' })
  await requireOldPassword(context, caller, oldPassword)
}

const Rows = Type.Array(
  Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])),
)

const getData = call({
  method: 'GET',
  path: '/user/:ref/data',
  pathParams,
  resource,
  summary: 'Get all that is stored about a user, as a file.',
  about:
    'For the user, and for members of admin. Secrets are left out, and so are the contents of attachments. Bugs are returned by number only, because the user may no longer see them.',
  params: {},
  answers: Type.Object(
    {
      made_at: Type.String({ format: 'date-time' }),
      account: Type.Object(
        {
          id: Type.Integer(),
          name: Type.String(),
          real_name: Type.String(),
          nick: Nick,
          email: Type.String(),
          email_enabled: Type.Boolean(),
          login_denied_text: Type.String(),
          groups: Type.Array(Type.String()),
        },
        { additionalProperties: false },
      ),
      ...(Object.fromEntries(STORED_PARTS.map((name) => [name, Rows])) as Record<StoredPart, typeof Rows>),
    },
    { title: 'StoredData' },
  ),
  scope: 'admin',
  async run(context) {
    const { db, request, settings, groups, path, answerHeaders } = context
    const caller = requireLogin(context.caller)
    if (!isSelf(caller, path.ref ?? '')) requireGroup(caller, 'admin')
    const user = await getTarget(db, path.ref ?? '')
    answerHeaders['Content-Disposition'] = `attachment; filename="account-${user.id}.json"`
    return {
      made_at: timeNow(),
      account: {
        id: user.id,
        name: user.login,
        real_name: user.real_name,
        nick: nickOf(user),
        email: emailOf(user, settings),
        email_enabled: user.email_enabled === 1,
        login_denied_text: user.disabled_text,
        groups: groups.membership(JSON.parse(user.group_ids) as number[]).list.map(({ name }) => name),
      },
      ...(await readStoredData(db.within(request.readLimits), user.id)),
    }
  },
})

export const leavingRoutes = [postAnonymise, getData] as const
