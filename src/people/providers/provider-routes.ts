import { Type } from '@sinclair/typebox'
import { call } from '../../access/call.ts'
import { isSignedIn } from '../../access/caller.ts'
import type { Settings } from '../../platform/config/settings.ts'
import { findProvider, type SignInProvider } from '../../platform/config/sign-in-providers.ts'
import { ApiError, errors } from '../../platform/errors.ts'
import { flag, required, secret } from '../../platform/wire/params.ts'
import { requireMayChangeFactors } from '../factors/factor-routes.ts'
import { openProviderSession, replaceCookie, requireOwnPage } from '../sessions/sign-in.ts'
import { insertStep, takeStep } from '../sessions/sign-in-step-store.ts'
import { endProviderSessions } from './identity-store.ts'
import type { SignInStep } from './provider-client.ts'
import { beginProof, finishProof, type ProofStep } from './provider-proof.ts'
import { testProviderRoute } from './test-route.ts'
import { refusedByProvider, userOfIdentity } from './user-of-identity.ts'

const resource = 'provider'
const pathParams = { name: 'Name of a provider of the parameter sign_in_providers.' }

interface KeptStep extends Omit<SignInStep, 'url'> {
  provider: string
  isKept: boolean
  proof?: ProofStep
}

const begin = call({
  method: 'POST',
  idempotency: 'attempts',
  path: '/session/provider/:name',
  pathParams,
  resource,
  summary: 'Begin to sign in through a provider of OpenID Connect.',
  about:
    'Only pages of this server can make this call. The page keeps the flow and leads the browser to the url. A signed-in user links their account, or proves who they are.',
  params: {
    is_kept: flag('The browser keeps the cookie when it is closed. Off by default.'),
    is_proof: flag(
      'The user of a session logs in at the provider again, in place of sending the password again. Off by default.',
    ),
  },
  answers: Type.Object(
    {
      url: Type.String({ description: 'The address of the provider, to which the browser goes.' }),
      flow: Type.String({ description: 'To be sent with the response of the provider by the same browser.' }),
    },
    { additionalProperties: false },
  ),
  status: 201,
  scope: 'write',
  isOpen: true,
  takesDeadTokens: true,
  async run(context) {
    const { db, settings, path, params, baseUrl, caller } = context
    requireOwnPage(context)
    const provider = requireUsableProvider(settings, path.name ?? '')
    if (caller.mustAddFactor) throw errors.factor_required()
    const proof = params.is_proof ? beginProof(context) : undefined
    if (isSignedIn(caller) && proof === undefined) requireMayChangeFactors(context)
    const client = await import('./provider-client.ts')
    const { url, ...step } = await asRefusal(provider, () =>
      client.beginSignIn(provider, redirectUri(baseUrl, provider), proof !== undefined),
    )
    const kept: KeptStep = {
      ...step,
      provider: provider.name,
      isKept: params.is_kept ?? false,
      ...(proof && { proof }),
    }
    return { url, flow: await insertStep(db, 'provider', isSignedIn(caller) ? caller.id : null, kept) }
  },
})

const finish = call({
  method: 'POST',
  idempotency: 'attempts',
  path: '/session/provider/:name/return',
  pathParams,
  resource,
  summary: 'Sign in with the response of a provider of OpenID Connect.',
  about:
    'Only pages of this server can make this call. Stores the token of a new session in a cookie, as POST /rest/session does. A signed-in user stays in their session, and after is_proof it can be used for the most sensitive changes again.',
  params: {
    flow: required(secret('The flow that the first call returned to this browser.')),
    query: required(secret('The query with which the provider has sent the browser back.')),
  },
  answers: Type.Object({ id: Type.Integer() }, { additionalProperties: false }),
  status: 201,
  scope: 'write',
  isOpen: true,
  takesDeadTokens: true,
  async run(context) {
    const { db, settings, path, params, baseUrl, caller, answerHeaders } = context
    requireOwnPage(context)
    const provider = requireUsableProvider(settings, path.name ?? '')
    const step = await takeStep<KeptStep>(db, 'provider', params.flow)
    if (step?.content.provider !== provider.name)
      throw refusedByProvider(provider, 'this browser has not begun it, or more than ten minutes ago')
    if (step.userId !== null && step.userId !== caller.id)
      throw refusedByProvider(provider, 'another user is logged in now')
    const client = await import('./provider-client.ts')
    const url = new URL(`${redirectUri(baseUrl, provider)}?${params.query.replace(/^\?/, '')}`)
    const identity = await asRefusal(provider, () => client.finishSignIn(provider, url, step.content))
    if (step.content.proof) return finishProof(context, provider, identity, step.content.proof)
    const user = await userOfIdentity(db, settings, provider, identity, step.userId)
    // A user who links their account stays in the session that they have.
    if (step.userId !== null) return { id: user.id }
    const token = await openProviderSession(context, user.id, { provider: provider.name, ...identity })
    answerHeaders['Set-Cookie'] = await replaceCookie(context, token, step.content.isKept)
    return { id: user.id }
  },
})

const backChannelLogout = call({
  method: 'POST',
  idempotency: 'attempts',
  path: '/session/provider/:name/logout',
  pathParams,
  resource,
  summary: 'End the sessions of a user who has logged out at a provider of OpenID Connect.',
  about: 'For the provider itself (back-channel logout). The body is a form, as the standard says.',
  params: { logout_token: required(secret('The token that the provider has signed.')) },
  takesForm: true,
  answers: Type.Object({ ended: Type.Integer() }, { additionalProperties: false }),
  status: 200,
  scope: 'write',
  isOpen: true,
  ignoresCredentials: true,
  async run({ db, settings, path, params, answerHeaders }) {
    const provider = requireProvider(settings, path.name ?? '')
    const client = await import('./provider-client.ts')
    const ended = await asRefusal(provider, () => client.readLogoutToken(provider, params.logout_token), 400)
    answerHeaders['Cache-Control'] = 'no-store'
    return { ended: await endProviderSessions(db, provider.name, ended) }
  },
})

/** One that is disabled still ends sessions, but opens none. */
function requireUsableProvider(settings: Settings, name: string): SignInProvider {
  const provider = requireProvider(settings, name)
  if (provider.is_disabled) throw errors.no_such_object({ what: 'sign-in provider', ref: name })
  return provider
}

function requireProvider({ sign_in_providers }: Settings, name: string): SignInProvider {
  const provider = findProvider(sign_in_providers, name)
  if (provider === undefined || provider.is_disabled)
    throw errors.no_such_object({ what: 'sign-in provider', ref: name })
  return provider
}

/** Each provider has an address of its own, so that the response of one cannot be used as that of another. */
export function redirectUri(baseUrl: string, { name }: { name: string }) {
  return `${baseUrl.replace(/\/$/, '')}/login/return/${name}`
}

/** What goes wrong at the provider, or in its response, is no defect of this server. Details of it may be internal. */
async function asRefusal<Result>(
  provider: SignInProvider,
  work: () => Promise<Result>,
  status?: number,
): Promise<Result> {
  try {
    return await work()
  } catch (fault) {
    if (fault instanceof ApiError) throw fault
    const { code, error } = fault as { code?: unknown; error?: unknown }
    const reason = [error, code].find((it) => typeof it === 'string' && /^(?!E[A-Z]+$)\w{1,60}$/.test(it))
    const why = `its response is missing or not valid${reason === undefined ? '' : ` (${reason})`}`
    throw status === 400 ? errors.logout_token_wrong() : refusedByProvider(provider, why)
  }
}

export const providerRoutes = [testProviderRoute, begin, finish, backChannelLogout] as const
