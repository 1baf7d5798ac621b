import { takeCredentials } from '../access/authentication/credentials.ts'
import { isFromOwnPage, tokenInCookie } from '../access/authentication/session-cookie.ts'
import type { Call } from '../access/call.ts'
import { type Caller, isSignedIn } from '../access/caller.ts'
import type { OpenRequest } from '../access/open-request.ts'
import { errors } from '../platform/errors.ts'
import type { RequestClass } from '../platform/queues/admission.ts'
import type { Credentials } from '../platform/wire/call.ts'
import { type Answer, answer, errorBody } from '../platform/wire/http/answer.ts'
import type { Request } from '../platform/wire/http/http-server.ts'
import { responseFormatFor } from './send-response.ts'
import type { Service } from './service.ts'

const SHORTEST_RETRY_SECONDS = 2
const MOST_RETRY_SECONDS = 6

/**
 * The refusal of a request that an overloaded server does not begin; undefined if it does. It is made before the request is authenticated,
 * because that takes a good part of the time of a small request.
 */
export function refusalOfOverload(
  service: Service,
  call: Call,
  request: Request,
  opened: OpenRequest,
): Answer | undefined {
  const { admission, provenCallers } = service
  if (!admission.isOverloaded(opened.started)) return undefined
  const secret = shownSecret(service, call, request)
  const userId = provenCallers.userOf(secret)
  const caller = userId === undefined ? opened.caller : `user ${userId}`
  if (!admission.refuses(classOf(call, secret, userId), caller, opened.started)) return undefined
  opened.isLogged = false
  const seconds = SHORTEST_RETRY_SECONDS + Math.floor(Math.random() * (MOST_RETRY_SECONDS - SHORTEST_RETRY_SECONDS + 1))
  const error = errors.overloaded({ seconds })
  const format = responseFormatFor(service, request, `${call.method} /rest${call.path}`)
  const it = answer(error.status, errorBody(error, service.baseUrl()), format)
  return { ...it, headers: { ...it.headers, ...error.headers } }
}

/** For an overload: refuses callers who turn out to be anonymous. */
export function refuseAnonymous(
  { admission }: Service,
  call: Call,
  opened: OpenRequest,
  caller: Caller,
  { apiKey, token }: Credentials,
) {
  if (isSignedIn(caller)) return
  const secret = apiKey ?? token
  const wasAnonymous = call.readsCredentials || (secret === undefined && call.method === 'GET')
  if (!wasAnonymous && admission.refuses(anonymousClass(call), opened.caller, opened.started))
    throw errors.overloaded({ seconds: MOST_RETRY_SECONDS })
}

/** Credentials that are not proven yet, or that may be in the body, get no better class than a read. */
function classOf(call: Call, secret: string | undefined, userId: number | undefined): RequestClass {
  if (userId !== undefined) return call.isSearch ? 'search' : call.scope === 'read' ? 'read' : 'write'
  if (secret === undefined) return anonymousClass(call)
  return call.isSearch ? 'search' : 'read'
}

function anonymousClass(call: Call): RequestClass {
  return call.isSearch ? 'anonymous_search' : 'anonymous'
}

const UNREAD = ''

/** What the request shows to be known by; undefined if its caller is anonymous for sure. */
function shownSecret(service: Service, call: Call, { query, headers }: Request): string | undefined {
  const { apiKey, token, login } = shownCredentials({ ...query }, headers)
  const cookie = service.sessionCookie()
  const shown = apiKey ?? token ?? (isFromOwnPage(headers, cookie) ? tokenInCookie(headers, cookie) : undefined)
  if (shown !== undefined) return shown
  return login !== undefined || call.method !== 'GET' || call.readsCredentials ? UNREAD : undefined
}

/** Malformed ones are refused by the call. */
function shownCredentials(query: Record<string, unknown>, headers: Request['headers']): Credentials {
  try {
    return takeCredentials(query, undefined, headers)
  } catch {
    return { login: UNREAD }
  }
}
