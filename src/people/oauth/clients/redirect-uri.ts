const LONGEST = 500
const MOST = 10

/** Where a browser goes with the answer. `isLocal`: to a program on the same computer. */
export interface RedirectTarget {
  host: string
  isLocal: boolean
}

const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost'])

/**
 * What is wrong with an address that a program wants answers to be sent to; undefined if nothing is. It is https, or http to the computer of the
 * browser. No other scheme: any program could claim it. It is compared as it is written, so it must be written as browsers read it.
 */
export function faultInRedirectUri(uri: unknown): string | undefined {
  if (typeof uri !== 'string' || uri.length > LONGEST) return `must be a text of at most ${LONGEST} characters`
  if (!/^[\x21-\x7e]+$/.test(uri) || /["'<>\\^`{|}#]/.test(uri))
    return 'must have no spaces, fragments or odd characters'
  if (!URL.canParse(uri)) return 'is not a URL'
  const url = new URL(uri)
  if (url.username !== '' || url.password !== '' || /^[a-z]+:\/\/[^/?]*@/i.test(uri)) return 'must have no user name'
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK.has(url.hostname)))
    return 'must begin with https://, or with http:// for this computer (127.0.0.1, [::1] or localhost)'
  const isWrittenOut = uri === url.href || `${uri}/` === url.href || uri === withPort(url)
  return isWrittenOut ? undefined : 'must be written as browsers write it'
}

/** Browsers leave the usual port out. */
function withPort({ protocol, hostname, pathname, search, port }: URL) {
  return port === '' ? `${protocol}//${hostname}:${protocol === 'https:' ? 443 : 80}${pathname}${search}` : undefined
}

/** What is wrong with the list of them; undefined if nothing is. */
export function faultInRedirectUris(uris: unknown): string | undefined {
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > MOST)
    return `it must be a list of 1 to ${MOST} addresses`
  for (const uri of uris) {
    const fault = faultInRedirectUri(uri)
    if (fault !== undefined) return `each ${fault}`
  }
  return undefined
}

/**
 * Whether the address of a request is one of those that the client registered: exactly, except for the port of an address on this computer,
 * which native programs learn only when they start (RFC 8252, 7.3).
 */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  if (faultInRedirectUri(uri) !== undefined) return false
  if (registered.includes(uri)) return true
  const plain = withoutLocalPort(uri)
  return plain !== undefined && registered.some((known) => withoutLocalPort(known) === plain)
}

function withoutLocalPort(uri: string): string | undefined {
  const { protocol, hostname, pathname, search } = new URL(uri)
  return protocol === 'http:' && LOOPBACK.has(hostname) ? `${hostname}${pathname}${search}` : undefined
}

/** Whether the answer would go to this server: a user would trust that, and no program is there. */
export function isOwnAddress(uri: string, baseUrl: string): boolean {
  return new URL(uri).origin === new URL(baseUrl).origin
}

export function targetOf(uri: string): RedirectTarget {
  const { host, hostname } = new URL(uri)
  return { host, isLocal: LOOPBACK.has(hostname) }
}

/** The address with the answer in its query. What was in the query stays as it was registered. */
export function withAnswer(uri: string, answer: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(answer).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams(given)}`
}
