import { BlockList, isIP, isIPv6 } from 'node:net'
import { innerAddress } from '../../platform/network/address-guard.ts'

/**
 * The address of the client. X-Forwarded-For is trusted only as far as proxies that the administrator has configured
 * wrote it: the client is the last address in it that is not such a proxy.
 */
export function realAddress(peer: string, forwardedFor: string | undefined, proxies: string): string {
  const from = plain(peer)
  if (forwardedFor === undefined || !isProxy(from, proxies)) return from
  const hops = forwardedFor.split(',').map((hop) => plain(hop.trim()))
  let client = from
  for (const hop of hops.reverse()) {
    if (isIP(hop) === 0) break
    client = hop
    if (!isProxy(hop, proxies)) break
  }
  return client
}

export function isLoopback(address: string) {
  return address === '::1' || address.startsWith('127.')
}

/**
 * The limits per address count by this: an IPv4 address, or the /64 network of an IPv6 address, which usually belongs
 * to one client.
 */
export function networkOf(address: string) {
  if (!isIPv6(address)) return address
  const [before = '', after = ''] = address.split('::')
  const groupsIn = (part: string) => (part === '' ? [] : part.split(':'))
  const [first, last] = [groupsIn(before), groupsIn(after)]
  // An IPv4 address at the end takes the place of two groups.
  const length = address.includes('.') ? 7 : 8
  const zeros = Array<string>(length - first.length - last.length).fill('0')
  const network = [...first, ...zeros, ...last].slice(0, 4)
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

/** The /24 of an IPv4 address or the /48 of an IPv6 address or network, which usually belong to one site. */
export function widerNetworkOf(address: string) {
  if (!address.includes(':')) return `${address.split('.').slice(0, 3).join('.')}.0/24`
  return `${networkOf(address).split(':').slice(0, 3).join(':')}::/48`
}

/** An IPv4 address that is written as one of IPv6 becomes 1.2.3.4; the interface of an IPv6 address is removed. */
function plain(address: string) {
  return innerAddress(address) ?? address.replace(/%.*/, '')
}

let read: { text: string; list: BlockList; any: boolean } | undefined

function isProxy(address: string, proxies: string) {
  if (read?.text !== proxies)
    read = { text: proxies, list: listOf(proxies), any: proxies.split(',').some((it) => it.trim() === '*') }
  return read.any || read.list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

function listOf(proxies: string) {
  const list = new BlockList()
  for (const entry of proxies.split(',').map((it) => it.trim())) {
    const [address = '', bits] = entry.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (isIP(address) === 0) continue
    if (bits === undefined) list.addAddress(plain(address), isIPv6(plain(address)) ? 'ipv6' : 'ipv4')
    else if (Number(bits) <= (family === 'ipv6' ? 128 : 32)) list.addSubnet(address, Number(bits), family)
  }
  return list
}
