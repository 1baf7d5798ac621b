import { Type } from '@sinclair/typebox'
import { networkOf } from '../../access/authentication/real-address.ts'
import { type CallContext, call } from '../../access/call.ts'
import { isIn, requireGroup, requireLogin, requireUnlimited, type SignedIn } from '../../access/caller.ts'
import { withLiveCredential } from '../../access/live-credential.ts'
import { requireRecentProof } from '../../access/recent-proof.ts'
import { errors } from '../../platform/errors.ts'
import { integer, required, secret, text } from '../../platform/wire/params.ts'
import { clampedId, idIn } from '../../platform/wire/reference.ts'
import { passwordHashOf } from '../users/user-store.ts'
import {
  addTotp,
  confirmTotp,
  removeFactor,
  removeFactorsOf,
  renameFactor,
  replaceRecoveryCodes,
} from './change-factors.ts'
import { Factor, presentFactor } from './factor-json.ts'
import { listFactors } from './factor-store.ts'
import { countRecoveryCodes } from './recovery-codes.ts'
import { totpAddress } from './totp.ts'

const resource = 'factor'

const getFactors = call({
  method: 'GET',
  path: '/factor',
  servesSetup: true,
  resource,
  summary: 'List the caller’s second factors.',
  params: {},
  answers: Type.Object(
    {
      is_required: Type.Boolean({ description: 'Whether the parameter factor_group requires one of the caller.' }),
      factors: Type.Array(Factor),
      recovery_codes: Type.Integer({ description: 'How many recovery codes are left.' }),
      has_password: Type.Boolean({ description: 'Whether the caller has a password.' }),
    },
    { additionalProperties: false },
  ),
  scope: 'read',
  async run({ db, settings, caller }) {
    const { id } = requireLogin(caller)
    const factors = await listFactors(db, id)
    return {
      is_required: isIn(caller, settings.factor_group),
      factors: factors.filter(({ is_confirmed }) => is_confirmed === 1).map(presentFactor),
      recovery_codes: await countRecoveryCodes(db, id),
      has_password: (await passwordHashOf(db, id)) !== null,
    }
  },
})

export const FACTOR_NAME = 'A name to recognise it by, such as the name of the device.'
const LONGEST_NAME = 100

const postTotp = call({
  method: 'POST',
  idempotency: 'attempts',
  path: '/factor/totp',
  servesSetup: true,
  resource,
  summary: 'Add an authenticator app as a second factor: first step.',
  about: 'Returns a secret for the app. The app is a second factor after its first code is sent to the second step.',
  params: { name: text(FACTOR_NAME) },
  answers: Type.Object(
    {
      id: Type.Integer(),
      secret: Type.String({ description: 'In base32, to be typed into the app. It is not returned again.' }),
      uri: Type.String({ description: 'The same for a QR code.' }),
    },
    { additionalProperties: false },
  ),
  status: 201,
  scope: 'write',
  async run(context) {
    const { db, params, baseUrl } = context
    const user = requireMayChangeFactors(context)
    const { id, secret } = await addTotp(db, user.id, requireName(params.name, 'Authenticator app'))
    return { id, secret, uri: totpAddress(secret, user.login, new URL(baseUrl).host) }
  },
})

export const RecoveryCodes = Type.Object(
  {
    recovery_codes: Type.Array(Type.String(), {
      description: 'Each works once in place of a code. They are not returned again. Empty if the caller has some.',
    }),
  },
  { additionalProperties: false },
)

const postTotpConfirm = call({
  method: 'POST',
  idempotency: 'attempts',
  path: '/factor/totp/confirm',
  servesSetup: true,
  resource,
  summary: 'Add an authenticator app as a second factor: second step.',
  about: 'From now on a login with the password needs a code.',
  params: {
    id: required(integer('The id that the first step returned.')),
    code: required(secret('The code that the app shows.')),
  },
  answers: RecoveryCodes,
  status: 201,
  scope: 'write',
  async run(context) {
    const { db, params, address } = context
    const { id } = requireMayChangeFactors(context)
    return {
      recovery_codes: await confirmTotp(db, { id, network: networkOf(address) }, clampedId(params.id), params.code),
    }
  },
})

const postRecoveryCodes = call({
  method: 'POST',
  idempotency: 'attempts',
  path: '/factor/recovery_codes',
  resource,
  summary: 'Get new recovery codes.',
  about: 'The old ones no longer work.',
  params: {},
  answers: RecoveryCodes,
  status: 201,
  scope: 'write',
  async run(context) {
    const { id } = requireMayChangeFactors(context)
    return { recovery_codes: await replaceRecoveryCodes(context.db, id) }
  },
})

const deleteFactor = call({
  method: 'DELETE',
  path: '/factor/:id',
  pathParams: { id: 'Id of a second factor of the caller.' },
  resource,
  summary: 'Remove a second factor of the caller.',
  params: {},
  answers: Type.Object({ id: Type.Integer() }, { additionalProperties: false }),
  scope: 'write',
  async run(context) {
    const { db, settings, path } = context
    const user = requireMayChangeFactors(context)
    const id = requireFactorId(path.id)
    await removeFactor(db, settings, user, id)
    return { id }
  },
})

const putFactor = call({
  method: 'PUT',
  path: '/factor/:id',
  pathParams: { id: 'Id of a second factor of the caller.' },
  resource,
  summary: 'Rename a second factor of the caller.',
  params: { name: required(text(FACTOR_NAME)) },
  answers: Type.Object({ id: Type.Integer() }, { additionalProperties: false }),
  scope: 'write',
  async run(context) {
    const { db, path, params } = context
    const user = requireMayChangeFactors(context)
    const id = requireFactorId(path.id)
    await renameFactor(db, user.id, id, requireName(params.name, 'Second factor'))
    return { id }
  },
})

function requireFactorId(ref = ''): number {
  const id = idIn(ref)
  if (id === undefined) throw errors.no_such_object({ what: 'second factor', ref })
  return id
}

const deleteFactorsOfUser = call({
  method: 'DELETE',
  path: '/user/:ref/factor',
  pathParams: { ref: 'Id or login name.' },
  resource,
  summary: 'Remove all second factors of a user who has lost them.',
  about: 'For members of editusers. The user gets a mail.',
  params: {},
  answers: Type.Object({ id: Type.Integer(), removed: Type.Integer() }, { additionalProperties: false }),
  scope: 'admin',
  run(context) {
    const { id } = requireGroup(context.caller, 'editusers')
    requireUnlimited(context.caller, 'remove factors')
    requireRecentProof(context)
    return withLiveCredential(context, 'configuration', (tx) => removeFactorsOf(tx, id, context.path.ref ?? ''))
  },
})

/** A key that was stolen must not be able to lock its owner out, or to add a factor of its own. */
export function requireMayChangeFactors(context: Pick<CallContext, 'caller' | 'settings'>): SignedIn {
  const user = requireLogin(context.caller)
  if (user.source === 'api_key')
    throw errors.not_allowed({
      need: 'second factors and links with providers are changed in a session, not with an API key',
    })
  requireRecentProof(context)
  return user
}

export function requireName(sent: string | undefined, otherwise: string): string {
  const name = (sent ?? '').replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
  if (name.length > LONGEST_NAME) throw errors.text_too_long({ name: 'name', most: LONGEST_NAME })
  return name === '' ? otherwise : name
}

export const factorRoutes = [
  getFactors,
  postTotp,
  postTotpConfirm,
  postRecoveryCodes,
  putFactor,
  deleteFactor,
  deleteFactorsOfUser,
] as const
