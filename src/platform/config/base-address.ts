/**
 * Parses the URL under which clients reach the server, such as `https://bugs.example.com` or
 * `https://example.com/bugs`, and removes a trailing slash. Returns undefined for any other text.
 */
export function readBaseAddress(text: string): string | undefined {
  if (!/^https?:\/\/[^\s/]/i.test(text) || !URL.canParse(text)) return undefined
  const { origin, pathname, search, hash, username, password } = new URL(text)
  const hasMore = `${search}${hash}${username}${password}` !== '' || /[?#]/.test(text)
  return hasMore || !PATH.test(pathname) ? undefined : origin + pathname.replace(/\/+$/, '')
}

/**
 * Not `/rest`, which is the path of the API: calls of `https://example.com/rest` would have URLs such as
 * `https://example.com/rest/rest/bug`.
 */
const PATH = /^(?!.*\/rest(\/|$))(\/[\w.~-]+)*\/*$/

/** The path of a base address, such as `/bugs`; empty if it has none. */
export function pathOf(baseAddress: string | undefined): string {
  return baseAddress === undefined ? '' : new URL(baseAddress).pathname.replace(/\/$/, '')
}

/** The base address of a server that listens on this host and port, if none is set. */
export function ownBaseAddress({ host, port }: { host: string; port: number }): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
