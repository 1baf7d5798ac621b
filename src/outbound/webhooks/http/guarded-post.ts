import { lookup, Resolver } from 'node:dns/promises'
import { type ClientRequest, type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http'
import { request as secureRequest, Agent as TlsAgent } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { isReachable } from '../../../platform/network/address-guard.ts'
import { dictionary } from '../../../platform/text/dictionary.ts'
import { secondsToWait } from './retry-after.ts'

export interface WebhookRequest {
  url: string
  headers: Readonly<Record<string, string>>
  body: string
}

export interface PostRules {
  /** Networks that may be reached although they are not public, as in the parameter. */
  networks: string
  limitMilliseconds: number
}

/** The status, or the reason why there is none. Never the body of the response, which may be internal. */
export type PostResult =
  /** `waitSeconds` is how long the receiver asks us to wait. */
  | { status: number; waitSeconds?: number; fault?: undefined }
  /** `isUnresolved` if the name of the host did not resolve. The duration of that must not be shown. */
  | { status?: undefined; fault: string; isUnresolved?: true }

const MOST_REDIRECTS = 3
/** A response is read to its end so that the connection can be reused, unless it is longer than this. */
const MOST_ANSWER_BYTES = 64 * 1024
const IDLE_MILLISECONDS = 4000

/**
 * Posts to URLs that users have entered, from inside a network. So it checks the address of every connection: after the
 * name is resolved, and again after every redirect.
 */
export class GuardedPoster {
  private readonly agents = {
    'http:': new PlainAgent({ keepAlive: true, timeout: IDLE_MILLISECONDS }),
    'https:': new TlsAgent({ keepAlive: true, timeout: IDLE_MILLISECONDS }),
  }
  private networks = ''

  async post(post: WebhookRequest, rules: PostRules): Promise<PostResult> {
    this.forgetConnectionsWhenRulesChange(rules.networks)
    const limit = new TimeLimit(rules.limitMilliseconds)
    try {
      return await this.follow(new URL(post.url), post, rules.networks, limit)
    } catch (fault) {
      if (fault instanceof Unresolved || limit.isResolving) return { fault: UNRESOLVED, isUnresolved: true }
      if (limit.isOver) return { fault: `no response within ${rules.limitMilliseconds / 1000} seconds` }
      return { fault: reasonOf(fault) }
    } finally {
      limit.end()
    }
  }

  close() {
    for (const agent of Object.values(this.agents)) agent.destroy()
  }

  private forgetConnectionsWhenRulesChange(networks: string) {
    if (networks === this.networks) return
    this.networks = networks
    this.close()
  }

  private async follow(start: URL, post: WebhookRequest, networks: string, limit: TimeLimit): Promise<PostResult> {
    let url = start
    for (let redirects = 0; ; redirects++) {
      const answer = await this.send(url, post, networks, limit)
      const status = answer.statusCode ?? 0
      const { location } = answer.headers
      const isTaken = await readToEnd(answer)
      const waitSeconds = secondsToWait(status, answer.headers['retry-after'])
      if (status !== 307 && status !== 308) return { status, ...(waitSeconds !== undefined && { waitSeconds }) }
      if (!isTaken || location === undefined || !URL.canParse(location, url.href)) return { status }
      if (redirects === MOST_REDIRECTS) throw new Refused(`more than ${MOST_REDIRECTS} redirects`)
      url = new URL(location, url)
      if (start.protocol === 'https:' && url.protocol !== 'https:') throw new Refused('a redirect from https to http')
    }
  }

  private send(
    url: URL,
    { headers, body }: WebhookRequest,
    networks: string,
    limit: TimeLimit,
  ): Promise<IncomingMessage> {
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      throw new Refused(`a redirect to ${url.protocol}, which is not http or https`)
    const host = url.hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) > 0) requireReachable([host], networks)
    const length = String(Buffer.byteLength(body))
    const options = {
      method: 'POST',
      headers: { ...headers, 'Content-Length': length },
      lookup: guardedLookup(networks, limit),
    }
    const start = (): ClientRequest =>
      url.protocol === 'https:'
        ? secureRequest(url, { ...options, agent: this.agents['https:'] })
        : plainRequest(url, { ...options, agent: this.agents['http:'] })
    return responseTo(start, body, limit, true)
  }
}

/** The receiver may close a reused connection at that moment, which says nothing about the receiver. */
function responseTo(
  start: () => ClientRequest,
  body: string,
  limit: TimeLimit,
  triesAgain: boolean,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = start()
    limit.guard(sent)
    sent.on('response', resolve).on('error', (fault: NodeJS.ErrnoException) => {
      const isStale = sent.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(fault.code ?? '')
      if (isStale && triesAgain) responseTo(start, body, limit, false).then(resolve, reject)
      else reject(fault)
    })
    sent.end(body)
  })
}

/** A post that is not sent, and why. */
export class Refused extends Error {}

export function requireReachable(addresses: readonly string[], networks: string) {
  if (addresses.every((address) => isReachable(address, networks))) return
  throw new Refused('the address is not a public one, and the parameter webhook_networks does not allow it')
}

/** The name of a host does not resolve to a permitted address. */
export class Unresolved extends Error {}

/** One message for all names that do not resolve, so that internal names cannot be distinguished from unknown ones. */
export const UNRESOLVED =
  'the host is not known, or its address is not a public one and the parameter webhook_networks does not allow it'

/** All addresses of a name must be permitted. Otherwise a caller could retry until an internal one is used. */
export function guardedLookup(networks: string, limit: TimeLimit): LookupFunction {
  return (host, options, callback) => {
    limit.isResolving = true
    reachableAddresses(host, networks).then(
      (found) => {
        limit.isResolving = false
        const addresses = found.map((address) => ({ address, family: isIP(address) }))
        if (options.all) callback(null, addresses)
        else callback(null, addresses[0]?.address ?? '', addresses[0]?.family)
      },
      (fault: Error) => callback(fault as NodeJS.ErrnoException, ''),
    )
  }
}

/** Every failed lookup takes this long, so that the duration does not reveal the reason. */
const RESOLVING_MILLISECONDS = 4000

async function reachableAddresses(host: string, networks: string): Promise<string[]> {
  const end = sleep(RESOLVING_MILLISECONDS, undefined, { ref: false })
  const found = await Promise.race([resolved(host).catch(() => []), end.then(() => [])])
  if (found.length > 0 && found.every((address) => isReachable(address, networks))) return found
  await end
  throw new Unresolved()
}

/**
 * Asks the name servers directly: the system's resolver blocks one of a few threads per name, so slow name servers
 * would hold up all others. Names that only the system knows, such as those in /etc/hosts, are then asked of the
 * system.
 */
async function resolved(host: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const addresses = found.flatMap((it) => (it.status === 'fulfilled' ? it.value : []))
  if (addresses.length > 0) return addresses
  const fault = found.find((it) => it.status === 'rejected')?.reason as NodeJS.ErrnoException | undefined
  if (fault !== undefined && !UNKNOWN_NAME.includes(fault.code ?? '')) throw fault
  return (await lookup(host, { all: true })).map(({ address }) => address)
}

const UNKNOWN_NAME = ['ENOTFOUND', 'ENODATA', 'ECONNREFUSED', 'EBADNAME']

/** Returns whether the response was complete. A response that is too long is aborted with its connection. */
function readToEnd(answer: IncomingMessage): Promise<boolean> {
  let bytes = 0
  return new Promise((resolve) => {
    answer.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > MOST_ANSWER_BYTES) answer.destroy()
    })
    answer.on('error', () => {})
    answer.on('close', () => resolve(answer.complete))
    answer.on('end', () => resolve(answer.complete))
  })
}

/** One limit for a whole post, including redirects and the end of the response. */
export class TimeLimit {
  isOver = false
  /** Whether the name of a host is being resolved. */
  isResolving = false
  private request: ClientRequest | undefined
  private readonly timer: NodeJS.Timeout

  constructor(milliseconds: number) {
    this.timer = setTimeout(() => {
      this.isOver = true
      this.request?.destroy(new Refused('it took too long'))
    }, milliseconds)
  }

  /** Sets the running request, which is destroyed when the time is over. */
  guard(request: ClientRequest) {
    this.request = request
    if (this.isOver) request.destroy(new Refused('it took too long'))
  }

  end() {
    clearTimeout(this.timer)
  }
}

/** The reason as text for the owner of the webhook. Unknown system errors are not shown in detail. */
export function reasonOf(fault: unknown): string {
  if (fault instanceof Refused) return fault.message
  const code = (fault as NodeJS.ErrnoException).code ?? (fault as Error).name
  return REASONS[code] ?? `the connection failed (${code})`
}

const REASONS: Readonly<Record<string, string>> = dictionary({
  ECONNREFUSED: 'the host refuses the connection',
  ECONNRESET: 'the connection was dropped before the response',
  ETIMEDOUT: 'the host does not respond',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network of the host cannot be reached',
  EPIPE: 'the connection was dropped before the response',
  HPE_INVALID_CONSTANT: 'the response is not HTTP',
  CERT_HAS_EXPIRED: 'the certificate of the host has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate of the host is not signed by a known authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate of the host is not signed by a known authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate of the host is not signed by a known authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate of the host is for another name',
})
