import { createLocalJWKSet, createRemoteJWKSet, type JWTVerifyGetKey, customFetch as jwksFetch, jwtVerify } from 'jose'
import * as oidc from 'openid-client'
import type { SignInProvider } from '../../platform/config/sign-in-providers.ts'
import { toTime } from '../../platform/time/clock.ts'
import { fetchFor } from './provider-fetch.ts'

// This file is loaded when a provider is first used: most installations have none.

/** What the provider says about a user who has logged in. */
export interface Identity {
  issuer: string
  subject: string
  /** The provider's id of the session, for its logout. */
  session: string | null
  /** When the user has logged in at the provider, in seconds; null if it does not say so. */
  authenticatedAt: number | null
  claims: Readonly<Record<string, unknown>>
}

export interface SignInStep {
  url: string
  state: string
  nonce: string
  verifier: string
}

/** With this limit no provider asks its users to log in again, but it must say when they have. */
const TEN_YEARS_SECONDS = 315_360_000

/**
 * The address of the provider to which the browser goes, and what its response must match. With `isProof`, the provider asks its user to log
 * in again.
 */
export async function beginSignIn(
  provider: SignInProvider,
  redirectUri: string,
  isProof: boolean,
): Promise<SignInStep> {
  const { config } = await clientOf(provider)
  const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()]
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: provider.scopes,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
    ...(isProof ? { prompt: 'login', max_age: '0' } : { max_age: String(TEN_YEARS_SECONDS) }),
  })
  const isSafe = url.protocol === 'https:' || url.origin === new URL(provider.issuer).origin
  if (!isSafe) throw new Error('The provider names an address to log in that is not https')
  return { url: url.href, state, nonce, verifier }
}

/** Redeems the response of the provider. Throws if anything in it does not match. */
export async function finishSignIn(
  provider: SignInProvider,
  responseUrl: URL,
  { state, nonce, verifier }: Omit<SignInStep, 'url'>,
): Promise<Identity> {
  const { config, signInKeys } = await clientOf(provider)
  const tokens = await oidc.authorizationCodeGrant(config, responseUrl, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  })
  const { issuer } = config.serverMetadata()
  const { payload } = await jwtVerify(tokens.id_token ?? '', signInKeys, { issuer, audience: provider.client_id })
  const subject = requireText(payload.sub)
  const wanted = [provider.address_claim, ...(hasGroups(provider) ? [provider.groups_claim] : [])]
  const isComplete = wanted.every((claim) => payload[claim] !== undefined)
  const more =
    isComplete || !config.serverMetadata().userinfo_endpoint
      ? {}
      : await oidc.fetchUserInfo(config, tokens.access_token, subject)
  const session = typeof payload.sid === 'string' ? payload.sid : null
  const authenticatedAt = typeof payload.auth_time === 'number' ? payload.auth_time : null
  return { issuer, subject, session, authenticatedAt, claims: joinedClaims(provider, payload, more) }
}

/**
 * Claims about the address come from one place: that the one address is verified says nothing about the other. What
 * else the token does not say is taken from the userinfo of the same subject.
 */
function joinedClaims({ address_claim }: SignInProvider, token: Claims, userinfo: Claims): Claims {
  const { [address_claim]: address, email, email_verified } = token[address_claim] === undefined ? userinfo : token
  return { ...userinfo, ...token, email, email_verified, [address_claim]: address }
}

type Claims = Identity['claims']

export function hasGroups({ groups }: SignInProvider) {
  return Object.keys(groups).length > 0
}

/** Whose sessions a logout ends. A token that is sent again does not end those that were opened since. */
export interface EndedSessions {
  subject: string | null
  session: string | null
  openedUntil: string
}

const TOLERANCE_SECONDS = 30
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'

/** Whose sessions a logout token of the provider ends: all of a subject, or one session. Throws if the token is not valid. */
export async function readLogoutToken(provider: SignInProvider, token: string): Promise<EndedSessions> {
  const { config, logoutKeys } = await clientOf(provider)
  const { payload } = await jwtVerify(token, logoutKeys, {
    issuer: config.serverMetadata().issuer,
    audience: provider.client_id,
    maxTokenAge: '5 minutes',
    clockTolerance: TOLERANCE_SECONDS,
  })
  const events = payload.events as Record<string, unknown> | undefined
  if (
    typeof events !== 'object' ||
    events === null ||
    !Object.hasOwn(events, LOGOUT_EVENT) ||
    payload.nonce !== undefined
  )
    throw new Error('It is not a logout token')
  const subject = typeof payload.sub === 'string' ? payload.sub : null
  const session = typeof payload.sid === 'string' ? payload.sid : null
  if (subject === null && session === null) throw new Error('The logout token names neither a user nor a session')
  const openedUntil = toTime(((payload.iat ?? 0) + TOLERANCE_SECONDS) * 1000)
  return { subject, session, openedUntil }
}

function requireText(value: unknown): string {
  if (typeof value !== 'string' || value === '') throw new Error('The token of the provider has no subject')
  return value
}

type KeySet = ReturnType<typeof createRemoteJWKSet>

interface ProviderClient {
  config: oidc.Configuration
  /** Unknown keys are fetched at once: only the provider itself can have sent the token. */
  signInKeys: KeySet
  /** Anyone can send a logout token, so that unknown keys are fetched only now and then. */
  logoutKeys: JWTVerifyGetKey
  until: number
}

const KEPT_MILLISECONDS = 3_600_000
const clients = new Map<string, Promise<ProviderClient>>()

/** The client for a provider, with its metadata, which are fetched once an hour, or again after a failure. */
async function clientOf(provider: SignInProvider): Promise<ProviderClient> {
  const key = JSON.stringify(provider)
  const known = await clients.get(key)
  if (known !== undefined && known.until > Date.now()) return known
  const made = discover(provider)
  clients.set(key, made)
  made.catch(() => clients.delete(key))
  if (clients.size > 100) clients.delete(clients.keys().next().value as string)
  return made
}

async function discover({ issuer, client_id, client_secret }: SignInProvider): Promise<ProviderClient> {
  const fetch = fetchFor(issuer)
  const isPlain = new URL(issuer).protocol === 'http:'
  const config = await oidc.discovery(
    new URL(issuer),
    client_id,
    undefined,
    client_secret === '' ? oidc.None() : oidc.ClientSecretBasic(client_secret),
    {
      [oidc.customFetch]: fetch as oidc.CustomFetch,
      timeout: 10,
      ...(isPlain && { execute: [oidc.allowInsecureRequests] }),
    },
  )
  const { jwks_uri } = config.serverMetadata()
  if (jwks_uri === undefined) throw new Error('The provider does not publish its keys')
  const keys = (cooldownDuration: number): KeySet =>
    createRemoteJWKSet(new URL(jwks_uri), { cooldownDuration, [jwksFetch]: fetch as typeof globalThis.fetch })
  const signInKeys = keys(0)
  const logoutKeys = knownKeysFirst(signInKeys, keys(LOGOUT_SECONDS * 1000))
  return { config, signInKeys, logoutKeys, until: Date.now() + KEPT_MILLISECONDS }
}

const LOGOUT_SECONDS = 30

/** The keys that logins have fetched are newer than the others if the provider has just changed its keys. */
function knownKeysFirst(known: KeySet, others: KeySet): JWTVerifyGetKey {
  return async (header, token) => {
    const fetched = known.jwks()
    const local = fetched && (await createLocalJWKSet(fetched)(header, token).catch(() => undefined))
    return local ?? others(header, token)
  }
}
