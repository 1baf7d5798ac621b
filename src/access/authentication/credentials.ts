import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import { errors } from '../../platform/errors.ts'
import type { Credentials } from '../../platform/wire/call.ts'
import { requireStorable } from '../../platform/wire/merge-params.ts'
import { readFlag } from '../../platform/wire/params.ts'

type RequestParams = Record<string, unknown>

const PREFIXES = ['Tracker_', 'Bugzilla_']

/**
 * Removes credentials, in every spelling that clients use, from the parameters and the headers. The short names login
 * and password count only if both are in the query string or both in the body; one alone is a parameter of the call.
 */
export function takeCredentials(
  query: RequestParams,
  body: RequestParams | undefined,
  headers: IncomingHttpHeaders,
): Credentials {
  const found: Credentials = fromHeaders(headers)
  if (body !== undefined) Object.assign(found, fromParameters(body))
  return Object.assign(found, fromParameters(query))
}

const NOTHING: Credentials = {}

function fromParameters(place: RequestParams): Credentials {
  const names = Object.keys(place)
  if (names.length === 0) return NOTHING
  const found: Credentials = {}
  for (const name of names) if (NAMES.has(name)) read(place, name, found)
  const { login, password } = place
  if (found.login === undefined && login !== undefined && password !== undefined) {
    found.login = secret('login', login)
    found.password = secret('password', password)
    delete place.login
    delete place.password
  }
  return found
}

const NAMES = new Map<string, keyof Credentials>([
  ['api_key', 'apiKey'],
  ['token', 'token'],
  ...PREFIXES.flatMap((prefix): [string, keyof Credentials][] => [
    [`${prefix}api_key`, 'apiKey'],
    [`${prefix}token`, 'token'],
    [`${prefix}login`, 'login'],
    [`${prefix}password`, 'password'],
    [`${prefix}restrictlogin`, 'restrictsToAddress'],
  ]),
])

/** Whether a parameter of this name is a credential, which must not be stored or passed on. */
export function isCredential(name: string) {
  return NAMES.has(name) || name === 'login' || name === 'password'
}

/** compat: an empty key or token counts as not sent (observed 5). An empty password is a password, and a wrong one. */
function read(place: RequestParams, name: string, found: Credentials) {
  const given = place[name]
  const part = NAMES.get(name)
  delete place[name]
  if (given === undefined || given === null) return
  if (part === 'restrictsToAddress') found.restrictsToAddress = readFlag(name, given)
  else if (part !== undefined && !(given === '' && (part === 'apiKey' || part === 'token')))
    found[part] = secret(name, given)
}

/** The error never repeats the value: it may be a real secret, sent in a wrong way. */
function secret(name: string, given: unknown): string {
  if (typeof given !== 'string' && typeof given !== 'number')
    throw errors.bad_value({ name, value: '…', right: 'give it once, as text' })
  requireStorable(name, given)
  return String(given)
}

function fromHeaders(headers: IncomingHttpHeaders): Credentials {
  const found: Credentials = {}
  const apiKey = header(headers, 'x-tracker-api-key', 'x-bugzilla-api-key') || bearer(headers.authorization)
  const token = header(headers, 'x-tracker-token', 'x-bugzilla-token')
  const login = header(headers, 'x-tracker-login', 'x-bugzilla-login')
  const password = header(headers, 'x-tracker-password', 'x-bugzilla-password')
  if (apiKey) found.apiKey = apiKey
  if (token) found.token = token
  if (login !== undefined) found.login = login
  if (password !== undefined) found.password = password
  return found
}

/** Node reads the bytes of a header as Latin-1; clients that send anything but ASCII send UTF-8. */
function header(headers: IncomingHttpHeaders, name: string, otherName: string): string | undefined {
  const value = headers[name] ?? headers[otherName]
  if (typeof value !== 'string') return undefined
  if (!/[\u0080-\u00ff]/.test(value)) return value
  const bytes = Buffer.from(value, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : value
}

/**
 * Any text after "Bearer" is taken as an API key, so that a malformed key is an error and the caller is not anonymous.
 */
function bearer(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : /^Bearer\s+(.*)$/i.exec(authorization)?.[1]?.trim()
}
