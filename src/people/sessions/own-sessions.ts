import { Type } from '@sinclair/typebox'
import { call } from '../../access/call.ts'
import { requireLogin } from '../../access/caller.ts'
import { errors } from '../../platform/errors.ts'
import { digest } from '../../platform/secrets/secrets.ts'
import { idIn } from '../../platform/wire/reference.ts'
import { deleteOtherTokens, deleteOwnToken, listTokens } from './session-store.ts'

const resource = 'session'

const Session = Type.Object(
  {
    id: Type.Integer(),
    created_at: Type.String({ format: 'date-time' }),
    last_used: Type.String({ format: 'date-time' }),
    address: Type.Union([Type.String(), Type.Null()], { description: 'The only address it can be used from.' }),
    device: Type.String({ description: 'The program that logged in, such as Firefox on Linux; may be empty.' }),
    last_address: Type.Union([Type.String(), Type.Null()], { description: 'Where it was last used from.' }),
    is_current: Type.Boolean({ description: 'Whether this request uses it.' }),
  },
  { title: 'Session', additionalProperties: false },
)

export const getSessions = call({
  method: 'GET',
  servesSetup: true,
  path: '/session',
  resource,
  summary: 'List the caller’s login tokens.',
  about: 'The tokens themselves are not returned.',
  params: {},
  answers: Type.Object({ sessions: Type.Array(Session) }, { additionalProperties: false }),
  scope: 'read',
  async run({ db, settings, caller, credentials }) {
    const current = credentials.token === undefined ? undefined : digest(credentials.token)
    const tokens = await listTokens(db, settings, requireLogin(caller).id)
    return {
      sessions: tokens.map((token) => ({
        id: token.id,
        created_at: token.created_at,
        last_used: token.last_used_at,
        address: token.address,
        device: token.device,
        last_address: token.last_address,
        is_current: token.digest === current,
      })),
    }
  },
})

export const deleteSession = call({
  method: 'DELETE',
  servesSetup: true,
  path: '/session/:id',
  pathParams: { id: 'Id of a session of the caller.' },
  resource,
  summary: 'End a session of the caller.',
  params: {},
  answers: Type.Object({ id: Type.Integer() }, { additionalProperties: false }),
  scope: 'write',
  async run({ db, caller, path }) {
    const { id: userId } = requireLogin(caller)
    const id = idIn(path.id ?? '') ?? 0
    if (!(await deleteOwnToken(db, userId, id))) throw errors.no_such_object({ what: 'session', ref: path.id ?? '' })
    return { id }
  },
})

export const deleteOtherSessions = call({
  method: 'DELETE',
  servesSetup: true,
  path: '/session/others',
  resource,
  summary: 'End all sessions of the caller except the one in use.',
  params: {},
  answers: Type.Object({ ended: Type.Integer() }, { additionalProperties: false }),
  scope: 'write',
  async run({ db, caller, credentials }) {
    const { id, source } = requireLogin(caller)
    return { ended: await deleteOtherTokens(db, id, source === 'token' ? credentials.token : undefined) }
  },
})
