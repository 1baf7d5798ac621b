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
  const credentials: Credentials = fromHeaders(headers)
  if (body !== undefined) Object.assign(credentials, fromParameters(body))
  for (const _ in query) return Object.assign(credentials, fromParameters(query))
  return credentials
}

function fromParameters(params: RequestParams): Credentials {
  const credentials: Credentials = {}
  for (const name of Object.keys(params)) {
    const part = NAMES.get(name)
    if (part !== undefined) read(params, name, part, credentials)
  }
  const { login, password } = params
  if (credentials.login === undefined && login !== undefined && password !== undefined) {
    credentials.login = secret('login', login)
    credentials.password = secret('password', password)
    delete params.login
    delete params.password
  }
  return credentials
}

type Part = 'apiKey' | 'token' | 'login' | 'password' | 'restrictsToAddress'

const NAMES = new Map<string, Part>([
  ['api_key', 'apiKey'],
  ['token', 'token'],
  ...PREFIXES.flatMap((prefix): [string, Part][] => [
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

/** The secrets among the credentials and the parameters of a request. */
export function secretsAmong({ apiKey, token, password }: Credentials, params: Readonly<RequestParams>): string[] {
  const named = Object.entries(params).filter(([name]) => NAME_OF_SECRET.test(name))
  return [apiKey, token, password, ...named.map(([, value]) => value)]
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .map(String)
}

const NAME_OF_SECRET = /api_key$|token$|password$|^totp$|_code$|secret/

/** compat: an empty key or token counts as not sent, as in Bugzilla. An empty password is a password, and a wrong one. */
function read(params: RequestParams, name: string, part: Part, credentials: Credentials) {
  const value = params[name]
  delete params[name]
  if (value === null) return
  if (part === 'restrictsToAddress') credentials.restrictsToAddress = readFlag(name, value)
  else if (value !== '' || part === 'login' || part === 'password') credentials[part] = secret(name, value)
  if (part === 'apiKey' && credentials.apiKey !== undefined) credentials.isKeyInParameters = true
}

/** The error never repeats the value: it may be a real secret, sent in a wrong way. */
function secret(name: string, value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number')
    throw errors.bad_value({ name, value: '…', right: 'give it once, as text' })
  requireStorable(name, value)
  return String(value)
}

function fromHeaders(headers: IncomingHttpHeaders): Credentials {
  const credentials: Credentials = {}
  const apiKey = header(headers, 'x-tracker-api-key', 'x-bugzilla-api-key') || bearer(headers.authorization)
  const token = header(headers, 'x-tracker-token', 'x-bugzilla-token')
  const login = header(headers, 'x-tracker-login', 'x-bugzilla-login')
  const password = header(headers, 'x-tracker-password', 'x-bugzilla-password')
  if (apiKey) credentials.apiKey = apiKey
  if (token) credentials.token = token
  if (login !== undefined) credentials.login = login
  if (password !== undefined) credentials.password = password
  return credentials
}

/** Node reads the bytes of a header as Latin-1; clients that send anything but ASCII send UTF-8. */
function header(headers: IncomingHttpHeaders, name: string, otherName: string): string | undefined {
  const value = (headers[name] ?? headers[otherName]) as string | undefined
  if (value === undefined || !/[\u0080-\u00ff]/.test(value)) return value
  const bytes = Buffer.from(value, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : value
}

/**
 * Any text after "Bearer" is taken as an API key, so that a malformed key is an error and the caller is not anonymous.
 */
function bearer(authorization: string | undefined): string | undefined {
  return /^Bearer\s+(.*)/i.exec((authorization ?? '').trim())?.[1]
}
