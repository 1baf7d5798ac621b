import { Type } from '@sinclair/typebox'
import { type CallContext, call } from '../../access/call.ts'
import { requireLogin } from '../../access/caller.ts'
import { errors } from '../../platform/errors.ts'
import { documentedAsRequired, flag } from '../../platform/wire/params.ts'
import { lockEnabledUser } from '../users/user-store.ts'
import { isSelf } from '../users/user-targets.ts'
import { hidesPresence, setHidesPresence } from './presence-setting-store.ts'

const resource = 'presence'
const path = '/user/:user/presence'
const pathParams = { user: 'Id or login name of the caller.' }

const Setting = Type.Object({ is_hidden: Type.Boolean() }, { title: 'PresenceSetting', additionalProperties: false })

const getSetting = call({
  method: 'GET',
  path,
  pathParams,
  resource,
  summary: 'Get whether the caller hides which bugs they have open.',
  params: {},
  answers: Setting,
  scope: 'read',
  run: async (context) => ({ is_hidden: await hidesPresence(context.db, requireSelf(context).id) }),
})

const putSetting = call({
  method: 'PUT',
  path,
  pathParams,
  resource,
  summary: 'Hide which bugs the caller has open, or show it.',
  about: 'A caller who hides disappears everywhere at once, and still sees others. Returns the setting.',
  params: { is_hidden: documentedAsRequired(flag('Whether others do not see which bugs the caller has open.')) },
  unknownParams: 'refused',
  answers: Setting,
  scope: 'write',
  async run(context) {
    const { id } = requireSelf(context)
    const { is_hidden } = context.params
    if (is_hidden === undefined) throw errors.parameter_required({ name: 'is_hidden' })
    return context.db.transaction(async (tx) => {
      await lockEnabledUser(tx, id)
      await setHidesPresence(tx, id, is_hidden)
      return { is_hidden }
    }, 'accounts')
  },
})

/** Others get the same error whether the user exists or not. */
function requireSelf({ caller, path: { user = '' } }: Pick<CallContext, 'caller' | 'path'>) {
  const self = requireLogin(caller)
  if (!isSelf(self, user)) throw errors.not_allowed({ need: 'this setting belongs to another user' })
  return self
}

export const presenceSettingRoutes = [getSetting, putSetting] as const
