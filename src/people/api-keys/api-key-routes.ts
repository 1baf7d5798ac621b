import { Type } from '@sinclair/typebox'
import { type CallContext, call } from '../../access/call.ts'
import { isIn, requireLogin, type SignedIn } from '../../access/caller.ts'
import { errors } from '../../platform/errors.ts'
import { Deleted, updated } from '../../platform/wire/openapi/schemas.ts'
import { flag, text, texts, time } from '../../platform/wire/params.ts'
import { getTarget, isSelf } from '../users/user-targets.ts'
import { presentApiKey } from './api-key.ts'
import { listApiKeys } from './api-key-store.ts'
import { changeApiKey, createApiKey, type Owner, revokeApiKey } from './change-api-keys.ts'

const resource = 'api_key'
const Time = Type.String({ format: 'date-time' })

const FIELDS = {
  id: Type.Integer(),
  description: Type.String(),
  scopes: Type.Array(Type.String()),
  created_at: Time,
  expires_at: Type.Union([Time, Type.Null()]),
  is_revoked: Type.Boolean(),
  last_used: Type.Union([Time, Type.Null()], { description: 'To the minute.' }),
}
const Key = Type.Object(FIELDS, { title: 'ApiKey', additionalProperties: false })
const NewKey = Type.Object(
  { ...FIELDS, api_key: Type.String({ description: 'The secret. It is told only now.' }) },
  { title: 'NewApiKey', additionalProperties: false },
)

const keyPath = { user: 'Id or login name; one’s own, or anybody’s for members of admin.', id: 'Id of the key.' }
const keyParams = {
  description: text('What the key is for.'),
  scopes: texts('Some of read, write, admin: what the key may be used for. All by default.'),
  expires_at: time('When the key ends; never by default, or with the key in use.'),
}

const getKeys = call({
  method: 'GET',
  path: '/user/:user/api_key',
  pathParams: { user: keyPath.user },
  resource,
  summary: 'List API keys.',
  about: 'The secrets are not told again.',
  params: {},
  answers: Type.Object({ api_keys: Type.Array(Key) }, { additionalProperties: false }),
  scope: 'read',
  async run(context) {
    const { owner } = await requireKeysOf(context)
    return { api_keys: (await listApiKeys(context.db, owner.id)).map(presentApiKey) }
  },
})

const postKey = call({
  method: 'POST',
  path: '/user/:user/api_key',
  pathParams: { user: keyPath.user },
  resource,
  summary: 'Make an API key.',
  about: 'A key made with a key has no more scopes than that one, and ends no later.',
  params: keyParams,
  answers: NewKey,
  status: 201,
  scope: 'admin',
  async run(context) {
    const { caller, owner } = await requireKeysOf(context)
    const { key, secret } = await createApiKey(context.db, caller, owner, context.params)
    return { ...presentApiKey(key), api_key: secret }
  },
})

const putKey = call({
  method: 'PUT',
  path: '/user/:user/api_key/:id',
  pathParams: keyPath,
  resource,
  summary: 'Change or revoke an API key.',
  about:
    'A revoked key stays revoked. A key that gets another scope or a later end has, afterwards, no scope that the key in use lacks, and ends no later than that one.',
  params: { ...keyParams, is_revoked: flag('true revokes the key, for good.') },
  unknownParams: 'refused',
  answers: updated('api_keys'),
  scope: 'admin',
  async run(context) {
    const { caller, owner } = await requireKeysOf(context)
    return { api_keys: [await changeApiKey(context.db, caller, owner, context.path.id ?? '', context.params)] }
  },
})

const deleteKey = call({
  method: 'DELETE',
  path: '/user/:user/api_key/:id',
  pathParams: keyPath,
  resource,
  summary: 'Revoke an API key.',
  about:
    'It stays in the list, so that it can be seen when it was used last. Its description is answered as its name. Every key with the scope write can revoke itself; another key needs the scope admin.',
  params: {},
  answers: Deleted,
  scope: 'write',
  async run(context) {
    const { caller, owner } = await requireKeysOf(context)
    const { id, description } = await revokeApiKey(context.db, caller, owner, context.path.id ?? '')
    return { id, name: description }
  },
})

/** Whose keys these are. Members of admin may look after everybody's; others are told only that they may not. */
async function requireKeysOf(context: CallContext): Promise<{ caller: SignedIn; owner: Owner }> {
  const caller = requireLogin(context.caller)
  const ref = context.path.user ?? ''
  if (isSelf(caller, ref)) return { caller, owner: caller }
  if (!isIn(caller, 'admin'))
    throw errors.not_allowed({ need: 'these keys are somebody else’s, which needs membership in admin' })
  if (!caller.scopes.has('admin')) throw errors.not_allowed({ need: 'this API key lacks the scope admin' })
  return { caller, owner: await getTarget(context.db, ref) }
}

export const apiKeyRoutes = [getKeys, postKey, putKey, deleteKey]
