import type { IncomingHttpHeaders } from 'node:http'
import { PAGE_HEADER } from '../../platform/wire/http/request-headers.ts'

/** The cookie that keeps a person signed in to the pages. It holds a token like those of `GET /rest/login`. */
export interface SessionCookie {
  readonly name: string
  /** The origin of the pages, such as `https://bugs.example.com`. */
  readonly origin: string
  readonly isSecure: boolean
}

/**
 * The prefix `__Host-` makes browsers refuse a cookie of that name from a subdomain or over plain HTTP. Cookies are shared by all ports of
 * a host, so that without HTTPS the name contains the port.
 */
export function sessionCookieFor(baseUrl: string): SessionCookie {
  const { origin, protocol, port } = new URL(baseUrl)
  const isSecure = protocol === 'https:'
  return { name: isSecure ? '__Host-lacewing' : `lacewing_${port || '80'}`, origin, isSecure }
}

/**
 * Whether the request was made by a page of this server. Browsers say so in a header that no page can set, but not at a plain http host
 * name. There our pages send a header of their own, for which another origin needs a preflight, and no preflight of ours allows it.
 */
const PAGE_HEADER_KEY = PAGE_HEADER.toLowerCase()

export function isFromOwnPage(headers: IncomingHttpHeaders, { origin }: SessionCookie): boolean {
  const { 'sec-fetch-site': site, origin: sentOrigin } = headers
  if (site !== undefined) return site === 'same-origin'
  if (sentOrigin === origin) return true
  const hasPageHeader = headers[PAGE_HEADER_KEY] !== undefined
  return hasPageHeader && (sentOrigin === undefined || hostIn(sentOrigin) === headers.host)
}

/** For servers that are reached by another name than that of their base address. */
function hostIn(origin: string) {
  return /^https?:\/\/([^/]+)$/.exec(origin)?.[1]
}

/** The token in the cookie, for requests of every origin. */
export function tokenInCookie(headers: IncomingHttpHeaders, { name }: SessionCookie): string | undefined {
  return valueInCookie(headers.cookie, name, TOKEN)
}

/** The value of the first cookie of that name, in this form. */
export function valueInCookie(header: string | undefined, name: string, form: RegExp): string | undefined {
  for (const part of (header ?? '').split(';')) {
    const [own, value = ''] = part.trim().split('=', 2)
    if (own === name && form.test(value)) return value
  }
  return undefined
}

const TOKEN = /^\d{1,16}-[A-Za-z0-9]{1,64}$/

/** Longer than a token lasts that is not used; browsers keep no cookie for more than 400 days. */
const KEPT_SECONDS = 400 * 86_400

/** The header that stores the token. Without `isKept` the browser forgets it when it is closed. */
export function cookieWith(cookie: SessionCookie, token: string, isKept: boolean): string {
  return `${cookie.name}=${token}; ${attributesOf(cookie)}${isKept ? `; Max-Age=${KEPT_SECONDS}` : ''}`
}

export function cookieRemoved(cookie: SessionCookie): string {
  return `${cookie.name}=; ${attributesOf(cookie)}; Max-Age=0`
}

function attributesOf({ isSecure }: SessionCookie) {
  return `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
}
