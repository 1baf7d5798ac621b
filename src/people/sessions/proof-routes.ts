import { Type } from '@sinclair/typebox'
import { checkPassword } from '../../access/authentication/check-password.ts'
import { knownSession } from '../../access/authentication/known-device.ts'
import { type CallContext, call } from '../../access/call.ts'
import { requireLogin, type SignedIn } from '../../access/caller.ts'
import { errors } from '../../platform/errors.ts'
import { secret } from '../../platform/wire/params.ts'
import { requireCode } from '../factors/check-code.ts'
import { listFactors } from '../factors/factor-store.ts'
import { requirePasskey } from '../passkeys/check-passkey.ts'
import { createChallenge } from '../passkeys/passkey-challenge.ts'
import { passkeysAt, RequestOptions, requestOptions } from '../passkeys/passkey-options.ts'
import { type PasskeyAnswer, passkeyAnswer } from '../passkeys/passkey-params.ts'
import { requirePasskeySite } from '../passkeys/passkey-site.ts'
import { noteProof } from './session-store.ts'

const resource = 'session'

const postProof = call({
  method: 'POST',
  idempotency: 'attempts',
  servesSetup: true,
  path: '/session/proof',
  resource,
  summary: 'Send the password, a code or the answer of a passkey again in a session.',
  about:
    'The most sensitive changes are refused with 308 if the password of the session was checked longer ago than the parameter confirm_password_minutes allows. After this call they are possible again.',
  params: {
    password: secret('The password of the caller.'),
    totp: secret('Instead of the password: a code of the second factor, or a recovery code.'),
    credential: passkeyAnswer,
  },
  answers: Type.Object(
    { minutes: Type.Integer({ description: 'How long it is not needed again; 0 is for ever.' }) },
    { additionalProperties: false },
  ),
  status: 201,
  scope: 'write',
  async run(context) {
    const { db, settings, params } = context
    const { user, token } = requireSession(context)
    await proveAgain(context, user, token, params)
    await noteProof(db, token)
    return { minutes: settings.confirm_password_minutes }
  },
})

const postProofChallenge = call({
  method: 'POST',
  idempotency: 'attempts',
  servesSetup: true,
  path: '/session/proof/challenge',
  resource: 'passkey',
  summary: 'Get a challenge for a passkey, in place of the password.',
  about: 'The answer of the passkey is then sent to POST /rest/session/proof. It works once, for five minutes.',
  params: {},
  answers: Type.Object({ options: RequestOptions }, { additionalProperties: false }),
  status: 201,
  scope: 'write',
  async run(context) {
    const { db, baseUrl } = context
    const { user, token } = requireSession(context)
    const site = requirePasskeySite(baseUrl)
    const factors = passkeysAt(site, await listFactors(db, user.id))
    if (factors.length === 0) throw errors.no_passkey_of_yours()
    const challenge = await createChallenge(db, 'passkey_proof', { userId: user.id, token })
    return { options: requestOptions(site, challenge, { needsVerification: true, factors }) }
  },
})

export function requireSession({ caller, credentials: { token } }: CallContext): { user: SignedIn; token: string } {
  const user = requireLogin(caller)
  if (user.source !== 'token' || token === undefined) throw errors.proof_for_sessions_only()
  return { user, token }
}

interface Proofs {
  password: string | undefined
  totp: string | undefined
  credential: PasskeyAnswer | undefined
}

async function proveAgain(
  context: CallContext,
  { id, login }: SignedIn,
  token: string,
  { password, totp, credential }: Proofs,
) {
  const { authenticator, address } = context
  const countedAs = knownSession(token)
  const origin = { peer: address, forwardedFor: undefined }
  if (password) await checkPassword(authenticator, { login, password, countedAs }, origin)
  else if (totp) await requireCode(context, id, totp, countedAs)
  else if (credential)
    await requirePasskey(context, credential, {
      purpose: 'passkey_proof',
      token,
      userId: id,
      countedAs: async () => countedAs,
    })
  else throw errors.one_of_required({ names: ['password', 'totp', 'credential'] })
}

export const proofRoutes = [postProof, postProofChallenge] as const
