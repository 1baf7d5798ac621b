import { authenticate } from '../access/authentication/authenticate.ts'
import type {
  AuthenticatedRequest,
  Authenticator,
  RequestOrigin,
} from '../access/authentication/authenticated-request.ts'
import { takeCredentials } from '../access/authentication/credentials.ts'
import { isFileLink, mayFollowLinks } from '../access/authentication/file-link.ts'
import { type SessionCookie, tokenInCookie } from '../access/authentication/session-cookie.ts'
import type { Call } from '../access/call.ts'
import { isSignedIn } from '../access/caller.ts'
import { requireScope } from '../access/scopes.ts'
import { errors } from '../platform/errors.ts'
import type { Credentials } from '../platform/wire/call.ts'
import { isApiError } from '../platform/wire/http/answer.ts'
import type { Request } from '../platform/wire/http/http-server.ts'
import type { Service } from './service.ts'

/** Not a promise if the caller is still in memory: then the request does not wait. */
type Authenticated = AuthenticatedRequest | Promise<AuthenticatedRequest>

/** Finds the caller of a request, and checks that this caller may make the call at all. */
export function authenticateCall(
  authenticator: Authenticator,
  call: Call,
  request: Request,
  credentials: Credentials,
): Authenticated {
  return call.ignoresCredentials
    ? withoutCredentials(authenticator, call, request)
    : withCredentials(authenticator, call, request, credentials)
}

function withCredentials(
  authenticator: Authenticator,
  call: Call,
  request: Request,
  credentials: Credentials,
): Authenticated {
  const read = call.readsCredentials ? onlyApiKey(credentials) : credentials
  const pending = findCaller(authenticator, call, read, originOf(request))
  if (pending instanceof Promise) return pending.then((it) => requireMayCall(authenticator, call, it))
  return requireMayCall(authenticator, call, pending)
}

/** Credentials are read only if the parameter requirelogin makes them necessary. */
function withoutCredentials(authenticator: Authenticator, call: Call, request: Request): Authenticated {
  const anonymous = findCaller(authenticator, call, {}, originOf(request))
  const checked = (authenticated: AuthenticatedRequest) =>
    authenticated.settings.requirelogin && !call.isOpen
      ? withCredentials(authenticator, call, request, takeCredentials(request.query, undefined, request.headers))
      : requireMayCall(authenticator, call, authenticated)
  return anonymous instanceof Promise ? anonymous.then(checked) : checked(anonymous)
}

function requireMayCall(
  authenticator: Authenticator,
  call: Call,
  authenticated: AuthenticatedRequest,
): AuthenticatedRequest {
  requireWithinLimit(authenticator, authenticated, call.isSearch)
  if (needsLogin(call, authenticated) && !isSignedIn(authenticated.caller)) throw errors.login_required()
  if (authenticated.caller.mustAddFactor && !call.isOpen && !call.servesSetup) throw errors.factor_required()
  requireScope(call, authenticated.caller)
  return authenticated
}

/** Anonymous callers read, unless the parameter requirelogin is on; they write only through calls that are open. */
function needsLogin({ isOpen, scope }: Call, { settings }: AuthenticatedRequest) {
  return !isOpen && (settings.requirelogin || scope !== 'read')
}

function findCaller(
  authenticator: Authenticator,
  call: Call,
  credentials: Credentials,
  origin: RequestOrigin,
): Authenticated {
  return authenticator.known.recall(credentials, origin) ?? lookUpCaller(authenticator, call, credentials, origin)
}

/** Wrong credentials count against the rate limit of their address, as an anonymous request would. */
async function lookUpCaller(
  authenticator: Authenticator,
  call: Call,
  credentials: Credentials,
  origin: RequestOrigin,
): Promise<AuthenticatedRequest> {
  try {
    return await authenticate(authenticator, credentials, origin)
  } catch (fault) {
    if (!isApiError(fault) || fault.status >= 500) throw fault
    const { token: _, ...rest } = credentials
    if (call.takesDeadTokens && fault.reason === 'token_invalid')
      return findCaller(authenticator, { ...call, takesDeadTokens: false }, rest, origin)
    requireWithinLimit(authenticator, await authenticate(authenticator, {}, origin))
    throw fault
  }
}

/**
 * The pages of this server send only the cookie, which counts if there are no other credentials. A page of another site cannot use it,
 * because the browser sends the origin of each request.
 */
export function useCookie(credentials: Credentials, { headers }: Request, cookie: SessionCookie) {
  const token = tokenInCookie(headers, cookie)
  if (token !== undefined) credentials.token = token
}

/** Whether the address has a code that one of our pages has got in the session of the cookie, for what the call returns. */
export async function isLinkOfOwnPage(service: Service, call: Call, { headers, query, path }: Request) {
  const { link_code: code } = query
  if (call.linkedFile === undefined || typeof code !== 'string' || !mayFollowLinks(headers)) return false
  const token = tokenInCookie(headers, service.sessionCookie())
  return token !== undefined && (await isFileLink(service.authenticator.db, token, call.linkedFile(path), code))
}

export function hasCredentials({ apiKey, token, login, password }: Credentials) {
  return apiKey !== undefined || token !== undefined || login !== undefined || password !== undefined
}

function onlyApiKey({ apiKey, isKeyInParameters = false }: Credentials): Credentials {
  return apiKey === undefined ? {} : { apiKey, isKeyInParameters }
}

export function originOf({ peer, headers }: Request): RequestOrigin {
  const forwarded = headers['x-forwarded-for']
  return { peer, forwardedFor: typeof forwarded === 'string' ? forwarded : undefined }
}

function requireWithinLimit(
  { rateLimit }: Authenticator,
  { caller, settings, address }: AuthenticatedRequest,
  isSearch = false,
) {
  rateLimit.count({ id: caller.id, address, isSearch }, settings)
}
