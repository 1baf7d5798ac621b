import { BlockList, isIPv6 } from 'node:net'

/**
 * Whether an address is reachable from the whole internet. All others are internal: this machine, its networks,
 * metadata services of a cloud. They are reached only if an administrator allows it.
 */
export function isPublic(address: string): boolean {
  const inner = innerAddress(address)
  if (inner !== undefined) return isPublic(inner)
  return isIPv6(address)
    ? publicSixes.check(address, 'ipv6') && !reservedSixes.check(address, 'ipv6')
    : !reservedFours.check(address, 'ipv4')
}

/** Whether a webhook may be sent to the address: it is public, or in a network of the parameter webhook_networks. */
export function isReachable(address: string, networks: string): boolean {
  return isPublic(address) || isAllowed(address, networks)
}

/** Whether the address is one of these, or in one of these networks. */
export function isAmong(address: string, networks: readonly string[]): boolean {
  return membersOf(networks.join(','))(innerAddress(address) ?? address)
}

function isAllowed(address: string, networks: string): boolean {
  if (networks === '') return false
  const plain = innerAddress(address) ?? address
  if (allowed?.networks !== networks) allowed = { networks, has: membersOf(networks) }
  return allowed.has(plain)
}

/** Parsed once: the parameter seldom changes. */
let allowed: { networks: string; has: (address: string) => boolean } | undefined

function membersOf(networks: string): (address: string) => boolean {
  const named = networks.split(',').flatMap((network) => network.trim() || [])
  if (named.includes('*')) return () => true
  const sixes = named.filter((network) => network.includes(':'))
  const lists = {
    ipv4: networksOf('ipv4', ...named.filter((network) => !sixes.includes(network))),
    ipv6: networksOf('ipv6', ...sixes),
  }
  return (address) => {
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    return lists[family].check(address, family)
  }
}

const MAPPED = /^\[::ffff:([0-9a-f]+):([0-9a-f]+)\]$/

/** The IPv4 address that is written as one of IPv6, in whichever notation; undefined for other addresses. */
export function innerAddress(address: string): string | undefined {
  if (!isIPv6(address)) return undefined
  const [, high, low] = MAPPED.exec(new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname) ?? []
  if (high === undefined || low === undefined) return undefined
  const words = [high, low].map((word) => Number.parseInt(word, 16))
  return words.flatMap((word) => [word >> 8, word & 255]).join('.')
}

function networksOf(family: 'ipv4' | 'ipv6', ...networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [start = '', bits] = network.split('/')
    if (bits === undefined) list.addAddress(start, family)
    else list.addSubnet(start, Number(bits), family)
  }
  return list
}

/** What IANA reserves: loopback, private, shared, link-local, test, multicast and future addresses. */
const reservedFours = networksOf(
  'ipv4',
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
)

/**
 * The global unicast range, and its parts that are not public: protocol assignments, tunnels to any IPv4 address,
 * examples.
 */
const publicSixes = networksOf('ipv6', '2000::/3')
const reservedSixes = networksOf('ipv6', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20')
