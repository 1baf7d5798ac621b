import { lookup } from 'node:dns/promises'
import { request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isPublic } from '../../platform/network/address-guard.ts'

/** A provider that answers later is treated as one that does not answer. Tests shorten it. */
export const providerLimits = { milliseconds: 10_000 }
const MOST_BYTES = 1024 * 1024

/**
 * A fetch for one provider. The host of its issuer may be inside of the network, because an administrator has named it. Other hosts are
 * named by the provider's documents, so that only public addresses are reached there. Redirects are not followed.
 */
export function fetchFor(issuer: string) {
  const trusted = new URL(issuer).hostname
  return async (address: string, options: FetchOptions): Promise<Response> => {
    const url = new URL(address)
    const isTrusted = url.hostname === trusted
    const host = url.hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) > 0 && !isTrusted && !isPublic(host)) throw new Error(`${host} is not a public address`)
    return send(url, options, isTrusted ? undefined : publicLookup)
  }
}

interface FetchOptions {
  method?: string
  headers?: Record<string, string> | Headers
  body?: unknown
}

function send(
  url: URL,
  { method, headers, body }: FetchOptions,
  lookUp: LookupFunction | undefined,
): Promise<Response> {
  const start = url.protocol === 'https:' ? secureRequest : plainRequest
  return new Promise((resolve, reject) => {
    const sent = start(url, {
      method: method ?? 'GET',
      headers: Object.fromEntries(headers instanceof Headers ? headers : Object.entries(headers ?? {})),
      signal: AbortSignal.timeout(providerLimits.milliseconds),
      ...(lookUp && { lookup: lookUp }),
    })
    sent.on('error', reject)
    sent.on('response', (answer) => {
      const chunks: Buffer[] = []
      let bytes = 0
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > MOST_BYTES) answer.destroy(new Error('The response of the provider is too long'))
        else chunks.push(chunk)
      })
      answer.on('error', reject)
      answer.on('end', () => {
        const { statusCode: status = 500 } = answer
        const type = answer.headers['content-type']
        const body = [204, 205, 304].includes(status) ? null : Buffer.concat(chunks)
        resolve(new Response(body, { status, headers: type === undefined ? {} : { 'Content-Type': type } }))
      })
    })
    sent.end(body === undefined || body === null ? undefined : String(body))
  })
}

const publicLookup: LookupFunction = (host, options, callback) => {
  lookup(host, { all: true }).then(
    (found) => {
      const [first] = found
      if (first === undefined || !found.every(({ address }) => isPublic(address)))
        return callback(new Error(`${host} has no public address`), '')
      if (options.all) callback(null, found)
      else callback(null, first.address, first.family)
    },
    (fault) => callback(fault, ''),
  )
}
