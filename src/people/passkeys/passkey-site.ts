import { isIP } from 'node:net'
import { errors } from '../../platform/errors.ts'

/** The host that passkeys are made for (in WebAuthn: the relying party), and the origin of the pages that may use them. */
export interface PasskeySite {
  rpId: string
  origin: string
}

/** Undefined if browsers do not allow passkeys at the base address: it needs https and a host name, or localhost. */
export function passkeySiteAt(baseUrl: string): PasskeySite | undefined {
  const { protocol, hostname, origin } = new URL(baseUrl)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  const isAddress = isIP(hostname) !== 0 || hostname.startsWith('[')
  if (isAddress || (protocol !== 'https:' && !isLocal)) return undefined
  return { rpId: hostname, origin }
}

export function requirePasskeySite(baseUrl: string): PasskeySite {
  const site = passkeySiteAt(baseUrl)
  if (site === undefined) throw errors.passkeys_unavailable({ address: new URL(baseUrl).origin })
  return site
}
