import { Refusal } from '../../platform/refusal.ts'
import { dictionary } from '../../platform/text/dictionary.ts'

/** A server gave no usable answer. The message is a part of a sentence, or a whole one after the last attempt. */
export class NoAnswer extends Error {
  /** Whether another attempt may succeed. */
  readonly isPassing: boolean
  readonly waitMilliseconds: number | undefined
  /** Whether something else than the REST API answered, such as the web server without it. */
  wasOther = false

  constructor(message: string, isPassing: boolean, waitMilliseconds?: number) {
    super(message)
    this.isPassing = isPassing
    this.waitMilliseconds = waitMilliseconds
  }
}

/** The addresses at which the REST API may be: Bugzilla without rewriting of addresses has only the second. */
export function addressesOf(address: string): string[] {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw new Refusal(`${address} is not the address of a server. It must be such as https://bugs.example.org.`)
  if (url.username !== '' || url.password !== '')
    throw new Refusal(`The address of ${url.host} has a user name or a password, which cannot be used. Use an API key.`)
  const path = url.pathname.replace(/\/(?:rest(?:\.cgi)?|index\.cgi)?\/*$/, '').replace(/\/+$/, '')
  return [`${url.origin}${path}/rest`, `${url.origin}${path}/rest.cgi`]
}

const REASONS: Readonly<Record<string, string>> = dictionary({
  ECONNREFUSED: 'the server refuses connections',
  ECONNRESET: 'the server closed the connection',
  UND_ERR_SOCKET: 'the server closed the connection',
  ENOTFOUND: 'the host name cannot be resolved',
  EAI_AGAIN: 'the host name cannot be resolved now',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  UND_ERR_HEADERS_TIMEOUT: 'the server did not answer in time',
  UND_ERR_BODY_TIMEOUT: 'the answer did not arrive in time',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too large',
  HPE_INVALID_CONSTANT: 'it is not a web server',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed; name it in NODE_EXTRA_CA_CERTS',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is self-signed; name it in NODE_EXTRA_CA_CERTS',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate cannot be verified; name its authority in NODE_EXTRA_CA_CERTS',
})

/** Why a request failed, as a part of a sentence. */
export function sentenceFor(fault: unknown): string {
  const { name, message, cause } = fault as Error & { cause?: Error & { code?: string } }
  if (name === 'TimeoutError') return 'the whole answer did not arrive in time'
  const code = cause?.code ?? ''
  return REASONS[code] ?? (cause?.message || message || 'the request failed')
}

/** Retry-After in seconds or as a date. */
export function waitAfter(header: string | null): number | undefined {
  if (header === null) return undefined
  const milliseconds = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isFinite(milliseconds) && milliseconds > 0 ? milliseconds : undefined
}

/** Keys appear in messages of Bugzilla, and in addresses. */
export function withoutKey(text: string, key: string | undefined): string {
  return key === undefined || key === ''
    ? text
    : text.replaceAll(key, '(key)').replaceAll(encodeURIComponent(key), '(key)')
}
