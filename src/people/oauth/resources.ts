import type { Settings } from '../../platform/config/settings.ts'

/** What an access token of OAuth is for, with its path. A token for one is refused by the others. */
const RESOURCE_PATHS = { mcp: '/mcp', rest: '/rest' } as const

export type Resource = keyof typeof RESOURCE_PATHS

export const RESOURCES = Object.keys(RESOURCE_PATHS) as Resource[]

/** The name of this server as an authorization server: its base address without a slash at the end. */
export function issuerOf(baseUrl: string): string {
  return baseUrl.replace(/\/$/, '')
}

export function addressOfResource(baseUrl: string, resource: Resource): string {
  return issuerOf(baseUrl) + RESOURCE_PATHS[resource]
}

/** Where the metadata of a resource is, below the base address: there it is also if a proxy passes on nothing else. */
export function metadataAddress(baseUrl: string, resource: Resource): string {
  return `${issuerOf(baseUrl)}/.well-known/oauth-protected-resource${RESOURCE_PATHS[resource]}`
}

export function isServed(resource: Resource, { use_mcp }: Settings): boolean {
  return resource !== 'mcp' || use_mcp
}

/** The resource with this address. Letter case of scheme and host, and a slash at the end, do not count. A program that names none is one of MCP. */
export function resourceAt(address: string | undefined, baseUrl: string): Resource | undefined {
  if (address === undefined) return 'mcp'
  const wanted = plainAddress(address)
  return wanted === undefined
    ? undefined
    : RESOURCES.find((resource) => plainAddress(addressOfResource(baseUrl, resource)) === wanted)
}

function plainAddress(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const { origin, pathname, search, hash, username, password } = new URL(address)
  if (`${search}${hash}${username}${password}` !== '' || /[?#\\\s]/.test(address)) return undefined
  return origin + pathname.replace(/\/$/, '')
}
