/**
 * The address under which clients reach the server, such as `https://bugs.example.com` or `https://example.com/bugs`, without a slash at its
 * end. Undefined when the text is not such an address.
 */
export function readBaseAddress(text: string): string | undefined {
  if (!/^https?:\/\/[^\s/]/i.test(text) || !URL.canParse(text)) return undefined
  const { origin, pathname, search, hash, username, password } = new URL(text)
  const hasMore = `${search}${hash}${username}${password}` !== '' || /[?#]/.test(text)
  return hasMore || !PATH.test(pathname) ? undefined : origin + pathname.replace(/\/+$/, '')
}

/** Not `/rest`, which is where the API is: calls of `https://example.com/rest` have addresses such as `https://example.com/rest/rest/bug`. */
const PATH = /^(?!.*\/rest(\/|$))(\/[\w.~-]+)*\/*$/

/** The path of a base address, `/bugs`; empty when it has none. */
export function pathOf(baseAddress: string | undefined): string {
  return baseAddress === undefined ? '' : new URL(baseAddress).pathname.replace(/\/$/, '')
}

/** The base address of a server that listens on this host and port, where none is set. */
export function ownBaseAddress({ host, port }: { host: string; port: number }): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
