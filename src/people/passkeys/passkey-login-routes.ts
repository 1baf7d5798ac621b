import { Type } from '@sinclair/typebox'
import { knownDevice } from '../../access/authentication/known-device.ts'
import { sessionCookieFor } from '../../access/authentication/session-cookie.ts'
import { type CallContext, call } from '../../access/call.ts'
import { onlyProviderFor } from '../../platform/config/sign-in-providers.ts'
import { errors } from '../../platform/errors.ts'
import { flag, required, text } from '../../platform/wire/params.ts'
import { listFactors } from '../factors/factor-store.ts'
import {
  openPasskeySession,
  type PasswordParams,
  proveFirstFactor,
  requireOwnPage,
  storeSession,
} from '../sessions/sign-in.ts'
import { requirePasskey } from './check-passkey.ts'
import { createChallenge } from './passkey-challenge.ts'
import { passkeysAt, RequestOptions, requestOptions } from './passkey-options.ts'
import { passkeyAnswer } from './passkey-params.ts'
import { requirePasskeySite } from './passkey-site.ts'
import type { Passkey } from './passkey-store.ts'

const resource = 'passkey'

const postChallenge = call({
  method: 'POST',
  idempotency: 'attempts',
  path: '/session/passkey/challenge',
  resource,
  summary: 'Sign in with a passkey: first step.',
  about:
    'Only pages of this server can make this call. Without parameters, the passkey alone signs in. With login name and password, it is the second factor. The answer is then sent to POST /rest/session/passkey. It works once, for five minutes.',
  params: {
    login: text('Login name, if the passkey is used after the password.'),
    password: text('Password, if the passkey is used after the password.'),
  },
  answers: Type.Object({ options: RequestOptions }, { additionalProperties: false }),
  status: 201,
  scope: 'write',
  isOpen: true,
  readsCredentials: true,
  async run(context) {
    const { params, credentials } = context
    requireOwnPage(context)
    const { login = params.login, password = params.password } = credentials
    const isAlone = login === undefined && password === undefined
    return { options: isAlone ? await optionsForAll(context) : await optionsAfterPassword(context, params) }
  },
})

/** The same for every caller: it does not say who has a passkey. */
async function optionsForAll({ db, baseUrl }: CallContext) {
  const site = requirePasskeySite(baseUrl)
  const challenge = await createChallenge(db, 'passkey_login', { userId: null, token: undefined })
  return requestOptions(site, challenge, { needsVerification: true, factors: [] })
}

async function optionsAfterPassword(context: CallContext, params: PasswordParams) {
  const { db, baseUrl } = context
  const { user } = await proveFirstFactor(context, params, (login) => deviceOf(context, login))
  const site = requirePasskeySite(baseUrl)
  const factors = passkeysAt(site, await listFactors(db, user.id))
  if (factors.length === 0) throw errors.account_without_passkey()
  const challenge = await createChallenge(db, 'passkey_login', { userId: user.id, token: undefined })
  return requestOptions(site, challenge, { needsVerification: false, factors })
}

const postLogin = call({
  method: 'POST',
  idempotency: 'attempts',
  path: '/session/passkey',
  resource,
  summary: 'Sign in with a passkey: second step.',
  about:
    'Only pages of this server can make this call. Stores the token of a new session in a cookie, as POST /rest/session does.',
  params: {
    credential: required(passkeyAnswer),
    is_kept: flag('The browser keeps the cookie when it is closed. Off by default.'),
  },
  answers: Type.Object({ id: Type.Integer() }, { additionalProperties: false }),
  status: 201,
  scope: 'write',
  isOpen: true,
  takesDeadTokens: true,
  async run(context) {
    const { params } = context
    requireOwnPage(context)
    const { user } = await requirePasskey(context, params.credential, {
      purpose: 'passkey_login',
      countedAs: (passkey) => deviceOf(context, passkey.user.login),
    })
    requireMayLogIn(context, user)
    const token = await openPasskeySession(context, user.id)
    await storeSession(context, { login: user.login, token, isKept: params.is_kept ?? false })
    return { id: user.id }
  },
})

function deviceOf({ db, cookies, baseUrl }: CallContext, login: string) {
  return knownDevice(db, cookies, sessionCookieFor(baseUrl), login)
}

/** As for a password: a disabled account stays closed, and a company may want its users to come through its own sign-on. */
function requireMayLogIn({ settings }: CallContext, { login, disabledText }: Passkey['user']) {
  if (disabledText !== '') throw errors.account_disabled({ reason: disabledText })
  const provider = onlyProviderFor(settings.sign_in_providers, `${login}${settings.emailsuffix}`)
  if (provider !== undefined) throw errors.provider_only({ title: provider.title })
}

export const passkeyLoginRoutes = [postChallenge, postLogin] as const
