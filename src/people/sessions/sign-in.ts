import { checkPassword } from '../../access/authentication/check-password.ts'
import { deviceCookie } from '../../access/authentication/known-device.ts'
import { cookieWith, sessionCookieFor, tokenInCookie } from '../../access/authentication/session-cookie.ts'
import type { CallContext } from '../../access/call.ts'
import { requireLogin, type SignedIn } from '../../access/caller.ts'
import { errors } from '../../platform/errors.ts'
import { toTime } from '../../platform/time/clock.ts'
import { requireCode } from '../factors/check-code.ts'
import { deviceOf } from './device.ts'
import { deleteToken, insertToken, type ProviderSession } from './session-store.ts'

type SignInContext = Pick<CallContext, 'db' | 'authenticator' | 'settings' | 'credentials' | 'address' | 'userAgent'>

export interface PasswordParams {
  login: string | undefined
  password: string | undefined
}

interface SignInParams extends PasswordParams {
  totp: string | undefined
}

/** By what the failures of a known browser are counted, in place of the network. */
type DeviceFor = (login: string) => Promise<string | undefined>

/** Checks the login name and the password, then the code if the account has a second factor. */
export async function provePassword(
  context: SignInContext,
  params: SignInParams,
  deviceFor?: DeviceFor,
): Promise<SignedIn> {
  const { user, hasFactor, countedAs } = await proveFirstFactor(context, params, deviceFor)
  if (hasFactor) await requireCode(context, user.id, params.totp, countedAs)
  return user
}

/** Checks the login name and the password of the parameters, with the lockout: of the network, or of a known browser. */
export async function proveFirstFactor(
  context: SignInContext,
  params: PasswordParams,
  deviceFor?: DeviceFor,
): Promise<{ user: SignedIn; hasFactor: boolean; countedAs: string | undefined }> {
  const { authenticator, credentials, address } = context
  const { login = params.login, password = params.password } = credentials
  if (login === undefined) throw errors.parameter_required({ name: 'login' })
  if (password === undefined) throw errors.parameter_required({ name: 'password' })
  // No account has an empty login or password, so the database is not read.
  if (login === '' || password === '') throw errors.wrong_credentials()
  const given = { login, password, countedAs: await deviceFor?.(login) }
  const { caller, hasFactor } = await checkPassword(authenticator, given, { peer: address, forwardedFor: undefined })
  return { user: requireLogin(caller), hasFactor, countedAs: given.countedAs }
}

/** Opens a session and returns its token. */
export function openSession(
  { db, settings, address, userAgent }: SignInContext,
  user: SignedIn,
  isRestricted: boolean,
): Promise<string> {
  return insertToken(db, settings, user.id, {
    address: isRestricted ? address : null,
    lastAddress: address,
    device: deviceOf(userAgent),
    mustAddFactor: user.mustAddFactor,
  })
}

/** Opens a session for a user who has used a passkey: alone, or after the password. Either counts as two factors. */
export function openPasskeySession(
  { db, settings, address, userAgent }: Pick<SignInContext, 'db' | 'settings' | 'address' | 'userAgent'>,
  userId: number,
): Promise<string> {
  return insertToken(db, settings, userId, {
    address: null,
    lastAddress: address,
    device: deviceOf(userAgent),
    mustAddFactor: false,
  })
}

type CookieContext = Pick<CallContext, 'db' | 'baseUrl' | 'cookies' | 'answerHeaders'>

/** Stores the token of a session in a cookie. A browser that keeps it becomes known for the login name. */
export async function storeSession(
  context: CookieContext,
  { login, token, isKept }: { login: string; token: string; isKept: boolean },
) {
  const stored = await replaceCookie(context, token, isKept)
  const device = isKept ? [await deviceCookie(context.db, sessionCookieFor(context.baseUrl), login)] : []
  context.answerHeaders['Set-Cookie'] = [stored, ...device]
}

/** The header that stores the token. The session that the cookie had before ends, because nobody could log out of it any more. */
export async function replaceCookie(
  { db, baseUrl, cookies }: Pick<CookieContext, 'db' | 'baseUrl' | 'cookies'>,
  token: string,
  isKept: boolean,
): Promise<string> {
  const cookie = sessionCookieFor(baseUrl)
  const replaced = tokenInCookie({ cookie: cookies }, cookie)
  if (replaced !== undefined) await deleteToken(db, replaced)
  return cookieWith(cookie, token, isKept)
}

/** A page of another site must neither sign a person in under another name nor sign them out. */
export function requireOwnPage({ isFromOwnPage }: Pick<CallContext, 'isFromOwnPage'>) {
  if (!isFromOwnPage) throw errors.not_allowed({ need: 'only the pages of this server can make this call' })
}

/**
 * Opens a session for a user whom a provider of OpenID Connect has confirmed. Second factors are up to the provider. Users who logged in there
 * long ago, or at a time that the provider does not name, have not been asked for anything now.
 */
export function openProviderSession(
  { db, settings, address, userAgent }: Pick<SignInContext, 'db' | 'settings' | 'address' | 'userAgent'>,
  userId: number,
  { provider, subject, session, authenticatedAt }: ProviderSession & { authenticatedAt: number | null },
): Promise<string> {
  return insertToken(db, settings, userId, {
    address: null,
    lastAddress: address,
    device: deviceOf(userAgent),
    mustAddFactor: false,
    provider: { provider, subject, session },
    provenAt: toTime(Math.min((authenticatedAt ?? LONG_AGO) * 1000, Date.now())),
  })
}

/** A provider that does not say when the user has proven their identity has not had it proven lately. */
const LONG_AGO = 0
