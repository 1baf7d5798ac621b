import { Type } from '@sinclair/typebox'
import { type CallContext, call } from '../../access/call.ts'
import { requireLogin } from '../../access/caller.ts'
import { errors } from '../../platform/errors.ts'
import { flag } from '../../platform/wire/params.ts'
import { lockEnabledUser } from '../users/user-store.ts'
import { isSelf } from '../users/user-targets.ts'
import { type RequestSettings, readRequestSettings, saveRequestSettings } from './request-settings-store.ts'

const resource = 'request'
const pathParams = { user: 'Id or login name of the caller.' }

const Settings = Type.Object(
  { block_needinfo: Type.Boolean(), request_nagging: Type.Boolean() },
  { title: 'RequestSettings', additionalProperties: false },
)

const getSettings = call({
  method: 'GET',
  path: '/user/:user/requests',
  pathParams,
  resource,
  summary: 'Get the caller’s settings about requests.',
  params: {},
  answers: Settings,
  scope: 'read',
  run: async (context) => present(await readRequestSettings(context.db, requireSelf(context).id)),
})

const putSettings = call({
  method: 'PUT',
  path: '/user/:user/requests',
  pathParams,
  resource,
  summary: 'Change the caller’s settings about requests.',
  about: 'Settings that are left out stay as they are. Returns the settings after the change.',
  params: {
    block_needinfo: flag('Whether questions to the caller are refused. Off by default.'),
    request_nagging: flag('Whether the caller is reminded of overdue requests by mail. On by default.'),
  },
  unknownParams: 'refused',
  answers: Settings,
  scope: 'write',
  async run(context) {
    const { id } = requireSelf(context)
    const { block_needinfo, request_nagging } = context.params
    return context.db.transaction(async (tx) => {
      await lockEnabledUser(tx, id)
      const before = await readRequestSettings(tx, id)
      const after: RequestSettings = {
        blocks_questions: block_needinfo === undefined ? before.blocks_questions : block_needinfo ? 1 : 0,
        is_reminded: request_nagging === undefined ? before.is_reminded : request_nagging ? 1 : 0,
      }
      await saveRequestSettings(tx, id, after)
      return present(after)
    }, 'accounts')
  },
})

/** Others get the same error whether the user exists or not. */
function requireSelf({ caller, path }: Pick<CallContext, 'caller' | 'path'>) {
  const self = requireLogin(caller)
  if (!isSelf(self, path.user ?? '')) throw errors.not_allowed({ need: 'these settings belong to another user' })
  return self
}

function present({ blocks_questions, is_reminded }: RequestSettings) {
  return { block_needinfo: blocks_questions === 1, request_nagging: is_reminded === 1 }
}

export const requestSettingsRoutes = [getSettings, putSettings] as const
