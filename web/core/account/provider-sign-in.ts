// Signing in through a provider of OpenID Connect: the browser goes there and comes back to /login/return/NAME.
import { post, root } from '../server/rest.ts'

interface Begun {
  flow: string
  to: string
}

const keyOf = (name: string) => `sign-in ${name}`

/** Leads the browser to the provider. Only this tab can finish what it began. */
export async function beginSignIn(name: string, to: string) {
  const { url, flow } = await post<{ url: string; flow: string }>(`/rest/session/provider/${name}`, { is_kept: true })
  const begun: Begun = { flow, to }
  sessionStorage.setItem(keyOf(name), JSON.stringify(begun))
  location.assign(url)
}

/** Sends the response of the provider to the server. Returns where the reader wanted to go. */
export async function finishSignIn(name: string, query: string): Promise<string> {
  history.replaceState(null, '', `${root}/login/return/${encodeURIComponent(name)}`)
  const { flow, to } = JSON.parse(sessionStorage.getItem(keyOf(name)) ?? '{"flow":"none","to":"/"}') as Begun
  sessionStorage.removeItem(keyOf(name))
  await post(`/rest/session/provider/${encodeURIComponent(name)}/return`, { flow, query })
  return to
}

/** Only addresses of this server. */
export function ownAddress(to: string | null): string {
  return to !== null && /^\/(?![\s/\\])/.test(to) ? to : '/'
}
