import { authenticate } from '../../access/authentication/authenticate.ts'
import type { CallContext } from '../../access/call.ts'
import { requireLogin, type SignedIn } from '../../access/caller.ts'
import { errors } from '../../platform/errors.ts'
import { deviceOf } from './device.ts'
import { insertToken } from './session-store.ts'

// Signing in has two steps: the user proves who they are, then the session opens. A second factor belongs between the two.

type SignInContext = Pick<CallContext, 'db' | 'authenticator' | 'settings' | 'credentials' | 'address' | 'userAgent'>

/** Checks the login name and the password of the parameters, with the lockout: of the network, or of a known browser. */
export async function provePassword(
  { authenticator, credentials, address }: SignInContext,
  params: { login: string | undefined; password: string | undefined },
  deviceFor?: (login: string) => Promise<string | undefined>,
): Promise<SignedIn> {
  const { login = params.login, password = params.password } = credentials
  if (login === undefined) throw errors.parameter_required({ name: 'login' })
  if (password === undefined) throw errors.parameter_required({ name: 'password' })
  // No account has an empty login or password, so the database is not read.
  if (login === '' || password === '') throw errors.wrong_credentials()
  const given = { login, password, countedAs: await deviceFor?.(login) }
  const { caller } = await authenticate(authenticator, given, { peer: address, forwardedFor: undefined })
  return requireLogin(caller)
}

/** Opens a session and returns its token. */
export function openSession(
  { db, settings, address, userAgent }: SignInContext,
  user: SignedIn,
  isRestricted: boolean,
): Promise<string> {
  const session = { address: isRestricted ? address : null, lastAddress: address, device: deviceOf(userAgent) }
  return insertToken(db, settings, user.id, session)
}
