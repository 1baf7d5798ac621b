import { Type } from '@sinclair/typebox'
import { type CallContext, call } from '../../access/call.ts'
import { isIn, requireLogin, type SignedIn } from '../../access/caller.ts'
import { requireRecentProof } from '../../access/recent-proof.ts'
import { errors } from '../../platform/errors.ts'
import { Deleted, updated } from '../../platform/wire/openapi/schemas.ts'
import { flag, text, texts, time } from '../../platform/wire/params.ts'
import { getTarget, isSelf } from '../users/user-targets.ts'
import { presentApiKey } from './api-key.ts'
import { listApiKeys } from './api-key-store.ts'
import { changeApiKey, createApiKey, type KeyOwner, revokeApiKey } from './change-api-keys.ts'
import { countProposals } from './proposal-counts.ts'

const resource = 'api_key'
const Time = Type.String({ format: 'date-time' })

const Proposals = Type.Object(
  {
    open: Type.Integer(),
    accepted: Type.Integer({ description: 'At least in part.' }),
    declined: Type.Integer(),
    other: Type.Integer({ description: 'Withdrawn, expired, or ended with the key.' }),
    acceptance: Type.Union([Type.Number(), Type.Null()], {
      description: 'Which part of the rows that were decided was accepted, from 0 to 1; null if none was decided.',
    }),
  },
  {
    title: 'ProposalCounts',
    additionalProperties: false,
    description: 'What became of its proposals, if it may propose or has proposed something.',
  },
)

const FIELDS = {
  id: Type.Integer(),
  description: Type.String(),
  scopes: Type.Array(Type.String()),
  created_at: Time,
  expires_at: Type.Union([Time, Type.Null()]),
  is_revoked: Type.Boolean(),
  last_used: Type.Union([Time, Type.Null()], { description: 'To the minute.' }),
  resource: Type.Union([Type.String(), Type.Null()], {
    description:
      'Where a program uses it that got it with OAuth: mcp or rest; null for other keys, which work everywhere.',
  }),
  renewable_until: Type.Union([Time, Type.Null()], {
    description:
      'Until then the program gets new secrets for it, each of which expires within an hour; null for other keys.',
  }),
  proposals: Type.Optional(Proposals),
}
const Key = Type.Object(FIELDS, { title: 'ApiKey', additionalProperties: false })
const NewKey = Type.Object(
  { ...FIELDS, api_key: Type.String({ description: 'The secret. It is returned only here.' }) },
  { title: 'NewApiKey', additionalProperties: false },
)

const keyPath = {
  user: 'Id or login name of the owner: the caller, or any user for members of admin.',
  id: 'Id of the key.',
}
const keyParams = {
  description: text('What the key is for.'),
  scopes: texts('Any of read, write, admin and propose. By default all that the credentials in use have.'),
  expires_at: time('When the key expires. By default never, or together with the key in use.'),
}

const getKeys = call({
  method: 'GET',
  path: '/user/:user/api_key',
  pathParams: { user: keyPath.user },
  resource,
  summary: 'List API keys.',
  about: 'The secrets are not returned.',
  params: {},
  answers: Type.Object({ api_keys: Type.Array(Key) }, { additionalProperties: false }),
  scope: 'read',
  async run(context) {
    const { owner } = await requireKeysOf(context)
    const counts = await countProposals(context.db, owner.id)
    const keys = await listApiKeys(context.db, owner.id)
    return { api_keys: keys.map((key) => presentApiKey(key, counts.get(key.id))) }
  },
})

const postKey = call({
  method: 'POST',
  idempotency: 'once',
  path: '/user/:user/api_key',
  pathParams: { user: keyPath.user },
  resource,
  summary: 'Create an API key.',
  about: 'A key that is created with another key has no more scopes than that key and expires no later.',
  params: keyParams,
  answers: NewKey,
  status: 201,
  scope: 'admin',
  async run(context) {
    const { caller, owner } = await requireKeysOf(context)
    requireRecentProof(context)
    const { key, secret } = await createApiKey(context, caller, owner, context.params)
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
    'A revoked key stays revoked. The key of a program that got it with OAuth can only be revoked. If a change adds a scope or a later expiry, the changed key may have no scope that the key in use lacks and may expire no later than that key; it ends when that key is revoked. What was made with a key ends when the key loses a scope, and expires no later than the key.',
  params: { ...keyParams, is_revoked: flag('true revokes the key permanently.') },
  unknownParams: 'refused',
  answers: updated('api_keys'),
  scope: 'admin',
  async run(context) {
    const { caller, owner } = await requireKeysOf(context)
    requireRecentProof(context)
    return { api_keys: [await changeApiKey(context, caller, owner, context.path.id ?? '', context.params)] }
  },
})

const deleteKey = call({
  method: 'DELETE',
  path: '/user/:user/api_key/:id',
  pathParams: keyPath,
  resource,
  summary: 'Revoke an API key.',
  about:
    'The key stays in the list, which shows when it was last used. The response has its description as name. Every key with the scope write can revoke itself; another key needs the scope admin. What was made with the key ends with it: webhooks, scheduled mails, other keys, and the secret mail address if the key has got it.',
  params: {},
  answers: Deleted,
  scope: 'write',
  async run(context) {
    const { caller, owner } = await requireKeysOf(context)
    const { id, description } = await revokeApiKey(context, caller, owner, context.path.id ?? '')
    return { id, name: description }
  },
})

/** Members of admin may manage the keys of every user. Others get the same error whether the user exists or not. */
async function requireKeysOf(context: CallContext): Promise<{ caller: SignedIn; owner: KeyOwner }> {
  const caller = requireLogin(context.caller)
  const ref = context.path.user ?? ''
  if (isSelf(caller, ref)) return { caller, owner: caller }
  if (!isIn(caller, 'admin'))
    throw errors.not_allowed({ need: 'these keys belong to another user, and managing them needs membership in admin' })
  if (!caller.scopes.has('admin')) throw errors.scope_required({ scope: 'admin' })
  return { caller, owner: await getTarget(context.db, ref) }
}

export const apiKeyRoutes = [getKeys, postKey, putKey, deleteKey] as const
