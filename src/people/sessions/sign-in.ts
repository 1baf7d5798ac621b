import { checkPassword } from '../../access/authentication/check-password.ts'
import type { CallContext } from '../../access/call.ts'
import { requireLogin, type SignedIn } from '../../access/caller.ts'
import { errors } from '../../platform/errors.ts'
import { requireCode } from '../factors/check-code.ts'
import { deviceOf } from './device.ts'
import { insertToken, type ProviderSession } from './session-store.ts'

type SignInContext = Pick<CallContext, 'db' | 'authenticator' | 'settings' | 'credentials' | 'address' | 'userAgent'>

interface SignInParams {
  login: string | undefined
  password: string | undefined
  totp: string | undefined
}

/**
 * Checks the login name and the password of the parameters, with the lockout: of the network, or of a known browser. Then the code if the
 * account has a second factor.
 */
export async function provePassword(
  context: SignInContext,
  params: SignInParams,
  deviceFor?: (login: string) => Promise<string | undefined>,
): Promise<SignedIn> {
  const { authenticator, credentials, address } = context
  const { login = params.login, password = params.password } = credentials
  if (login === undefined) throw errors.parameter_required({ name: 'login' })
  if (password === undefined) throw errors.parameter_required({ name: 'password' })
  // No account has an empty login or password, so the database is not read.
  if (login === '' || password === '') throw errors.wrong_credentials()
  const given = { login, password, countedAs: await deviceFor?.(login) }
  const { caller, hasFactor } = await checkPassword(authenticator, given, { peer: address, forwardedFor: undefined })
  const user = requireLogin(caller)
  if (hasFactor) await requireCode(context, user.id, params.totp, given.countedAs)
  return user
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

/** Opens a session for a user whom a provider of OpenID Connect has confirmed. Second factors are up to the provider. */
export function openProviderSession(
  { db, settings, address, userAgent }: Pick<SignInContext, 'db' | 'settings' | 'address' | 'userAgent'>,
  userId: number,
  { provider, subject, session }: ProviderSession,
): Promise<string> {
  return insertToken(db, settings, userId, {
    address: null,
    lastAddress: address,
    device: deviceOf(userAgent),
    mustAddFactor: false,
    provider: { provider, subject, session },
  })
}
