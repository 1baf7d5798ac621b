import { Type } from '@sinclair/typebox'
import { type Asked, call } from '../../access/call.ts'
import { isIn, requireLogin } from '../../access/caller.ts'
import { timeNow } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { fold } from '../../platform/fold.ts'
import { randomWord } from '../../platform/secrets.ts'
import { flag, text, texts, time } from '../../platform/wire/params.ts'
import { idIn } from '../../platform/wire/reference.ts'
import { getTarget } from '../users/user-targets.ts'
import { type ApiKey, KEY_LENGTH, presentApiKey, requireDescription, requireScopes } from './api-key.ts'
import { findApiKey, insertApiKey, listApiKeys, updateApiKey } from './api-key-store.ts'

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
const Key = Type.Object(FIELDS, { additionalProperties: false })
const NewKey = Type.Object(
  { ...FIELDS, api_key: Type.String({ description: 'The secret. It is told only now.' }) },
  { additionalProperties: false },
)

const keyPath = { user: 'Id or login name; one’s own, or anybody’s for members of admin.', id: 'Id of the key.' }
const keyParams = {
  description: text('What the key is for.'),
  scopes: texts('Some of read, write, admin: what the key may be used for. All by default.'),
  expires_at: time('When the key ends; never by default.'),
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
  run: async (asked) => ({ api_keys: (await listApiKeys(asked.db, await ownerId(asked))).map(presentApiKey) }),
})

const postKey = call({
  method: 'POST',
  path: '/user/:user/api_key',
  pathParams: { user: keyPath.user },
  resource,
  summary: 'Make an API key.',
  about: 'A key made with a key has no more scopes than that one.',
  params: keyParams,
  answers: NewKey,
  status: 201,
  scope: 'write',
  async run(asked) {
    const userId = await ownerId(asked)
    const { description = '', scopes, expires_at } = asked.params
    if (expires_at !== undefined && expires_at <= timeNow())
      throw errors.bad_value({ name: 'expires_at', value: expires_at, right: 'it must be in the future' })
    const secret = randomWord(KEY_LENGTH)
    const key = {
      userId,
      secret,
      description: requireDescription(description),
      scopes: requireScopes(scopes, asked.caller.scopes),
      expiresAt: expires_at ?? null,
    }
    const id = await insertApiKey(asked.db, key)
    return { ...presentApiKey(await getKey(asked.db, userId, String(id))), api_key: secret }
  },
})

const putKey = call({
  method: 'PUT',
  path: '/user/:user/api_key/:id',
  pathParams: keyPath,
  resource,
  summary: 'Change or revoke an API key.',
  about: 'A revoked key stays revoked.',
  params: { ...keyParams, is_revoked: flag('true revokes the key, for good.') },
  unknownParams: 'refused',
  answers: Key,
  scope: 'write',
  async run(asked) {
    const userId = await ownerId(asked)
    return asked.db.transaction(async (tx) => {
      const key = await getKey(tx, userId, asked.path.id ?? '')
      const { description, scopes, expires_at, is_revoked } = asked.params
      if (is_revoked === false && key.revoked_at !== null)
        throw errors.refused({ why: 'A revoked key cannot be used again: make a new one' })
      const after: ApiKey = {
        ...key,
        description: description === undefined ? key.description : requireDescription(description),
        scopes: scopes === undefined ? key.scopes : requireScopes(scopes, asked.caller.scopes),
        expires_at: expires_at ?? key.expires_at,
        revoked_at: is_revoked ? (key.revoked_at ?? timeNow()) : key.revoked_at,
      }
      await updateApiKey(tx, after)
      return presentApiKey(after)
    })
  },
})

const deleteKey = call({
  method: 'DELETE',
  path: '/user/:user/api_key/:id',
  pathParams: keyPath,
  resource,
  summary: 'Revoke an API key.',
  about: 'It stays in the list, so that it can be seen when it was used last.',
  params: {},
  answers: Key,
  scope: 'write',
  async run(asked) {
    const userId = await ownerId(asked)
    return asked.db.transaction(async (tx) => {
      const key = await getKey(tx, userId, asked.path.id ?? '')
      const revoked = { ...key, revoked_at: key.revoked_at ?? timeNow() }
      await updateApiKey(tx, revoked)
      return presentApiKey(revoked)
    })
  },
})

/** Whose keys these are. Members of admin may look after everybody's; others are told only that they may not. */
async function ownerId({ db, caller, path }: Asked): Promise<number> {
  const { id, login } = requireLogin(caller)
  const ref = path.user ?? ''
  if (idIn(ref) === id || fold(ref.trim()) === fold(login)) return id
  if (!isIn(caller, 'admin'))
    throw errors.not_allowed({ need: 'these keys are somebody else’s, which needs membership in admin' })
  if (!caller.scopes.has('admin')) throw errors.not_allowed({ need: 'the key in use has not the scope admin' })
  return (await getTarget(db, ref)).id
}

async function getKey(db: Db, userId: number, ref: string): Promise<ApiKey> {
  const key = await findApiKey(db, userId, idIn(ref) ?? 0)
  if (!key) throw errors.no_such_object({ what: 'API key', ref })
  return key
}

export const apiKeyRoutes = [getKeys, postKey, putKey, deleteKey]
