import type { SignInProvider } from '../../platform/config/sign-in-providers.ts'
import { fetchFor } from './provider-fetch.ts'

/** One thing that was looked at, in words. */
export interface ProviderCheck {
  is_good: boolean
  text: string
}

/**
 * Reads the discovery document and the keys of a provider as a login would, and says what is wrong. Nothing of what the servers have sent is
 * repeated except the issuer, because it may come from inside of the network.
 */
export async function testProvider({ issuer, scopes }: SignInProvider): Promise<ProviderCheck[]> {
  const read = fetchFor(issuer)
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const found = await jsonAt(read, address)
  if ('fault' in found) return [bad(`The discovery document ${address} cannot be read: ${found.fault}`)]
  const { json } = found
  const checks = [good('The discovery document can be read.'), issuerCheck(json.issuer, issuer)]
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'])
    if (!isSafeAddress(json[name], issuer))
      checks.push(bad(`The discovery document has no ${name}, or one that does not begin with https://.`))
  checks.push(...scopeChecks(json.scopes_supported, scopes))
  if (isSafeAddress(json.jwks_uri, issuer)) checks.push(await keyCheck(read, String(json.jwks_uri)))
  return checks
}

type Json = Readonly<Record<string, unknown>>
type Read = ReturnType<typeof fetchFor>

const good = (text: string): ProviderCheck => ({ is_good: true, text })
const bad = (text: string): ProviderCheck => ({ is_good: false, text })

function issuerCheck(named: unknown, issuer: string) {
  if (named === issuer) return good('The issuer is the same as here.')
  const other = typeof named === 'string' ? `“${named.slice(0, 200)}”` : 'none'
  return bad(`The provider calls itself ${other}: the issuer must be exactly that.`)
}

function scopeChecks(supported: unknown, scopes: string) {
  if (!Array.isArray(supported)) return []
  const unknown = scopes.split(/\s+/).filter((scope) => scope !== '' && !supported.includes(scope))
  return unknown.length === 0 ? [] : [bad(`The provider does not know the scopes ${unknown.join(', ')}.`)]
}

async function keyCheck(read: Read, address: string) {
  const found = await jsonAt(read, address)
  if ('fault' in found) return bad(`The keys cannot be read: ${found.fault}`)
  const { keys } = found.json
  const count = Array.isArray(keys) ? keys.length : 0
  return count === 0 ? bad('The provider has no keys.') : good(`The keys can be read: ${count}.`)
}

/** As logging in allows it: https, or the origin of an issuer on this machine. */
function isSafeAddress(address: unknown, issuer: string) {
  if (typeof address !== 'string' || !URL.canParse(address)) return false
  const { protocol, origin } = new URL(address)
  return protocol === 'https:' || origin === new URL(issuer).origin
}

async function jsonAt(read: Read, address: string): Promise<{ json: Json } | { fault: string }> {
  try {
    const response = await read(address, {})
    if (response.status !== 200) return { fault: `the server answered with the status ${response.status}.` }
    const json: unknown = await response.json().catch(() => undefined)
    if (typeof json !== 'object' || json === null || Array.isArray(json))
      return { fault: 'the answer is not a JSON object.' }
    return { json: json as Json }
  } catch (fault) {
    return { fault: reasonOf(fault as NodeJS.ErrnoException) }
  }
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOTFOUND', 'there is no such host.'],
  ['ECONNREFUSED', 'nothing answers there.'],
  ['ABORT_ERR', 'there was no answer in time.'],
])

function reasonOf({ name, code, message }: NodeJS.ErrnoException) {
  if (name === 'TimeoutError' || name === 'AbortError') return 'there was no answer in time.'
  return REASONS.get(code ?? '') ?? `${message}.`
}
