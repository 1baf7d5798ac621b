import { CommandFailure } from '../failures/command-failure.ts'
import { EXIT } from '../failures/exit-codes.ts'
import type { ServerKind } from './server-kind.ts'

/** Until the first byte, and for the rest of a small answer. */
const LONGEST_SECONDS = 120
/** A slow connection may take longer for a large file, but a server cannot send one byte at a time without an end. */
const SLOWEST_BYTES_PER_SECOND = 16 * 1024
const LARGEST_MEGABYTES = 256

interface FetchOptions {
  /** The address that requests begin with. */
  readonly base: string
  readonly apiKey: string | undefined
  readonly kind: () => Promise<ServerKind>
}

/** `fetch` with the key where the server reads it, and with limits: a server cannot keep a command waiting without an end, or fill its memory. */
export function boundedFetch({ base, apiKey, kind }: FetchOptions): typeof fetch {
  return async (input, init = {}) => {
    const { rest, keyIn } = await kind()
    const address = String(input)
    const url = rest === 'rest' ? address : `${base}/${rest}${address.slice(`${base}/rest`.length)}`
    const time = new TimeLimit(typeof init.body === 'string' ? init.body.length : 0)
    const signal = init.signal ? AbortSignal.any([init.signal, time.signal]) : time.signal
    try {
      const [where, request] = withKey(url, init, apiKey, keyIn)
      const response = await fetch(where, { ...request, signal })
      const { status } = response
      const body = status === 204 || status === 304 ? null : await bytesOf(response, time)
      return new Response(body, { status, headers: headersWithout(response.headers, apiKey) })
    } finally {
      time.end()
    }
  }
}

/** The key of a write is in its body, because addresses are logged. */
function withKey(
  url: string,
  init: RequestInit,
  apiKey: string | undefined,
  keyIn: ServerKind['keyIn'],
): [url: string, init: RequestInit] {
  if (apiKey === undefined) return [url, init]
  const { body, headers } = init
  if (keyIn === 'header')
    return [url, { ...init, headers: { 'X-BUGZILLA-API-KEY': apiKey, ...(headers as Record<string, string>) } }]
  if (typeof body === 'string' && body.startsWith('{')) {
    const others = body.slice(1)
    return [url, { ...init, body: `{"api_key":${JSON.stringify(apiKey)}${others === '}' ? '' : ','}${others}` }]
  }
  return [`${url}${url.includes('?') ? '&' : '?'}api_key=${encodeURIComponent(apiKey)}`, init]
}

/** A redirection repeats the address, and messages name where it leads. */
function headersWithout(headers: Headers, apiKey: string | undefined): Headers {
  const location = headers.get('Location')
  if (location === null || apiKey === undefined) return headers
  const copy = new Headers(headers)
  copy.set('Location', location.replaceAll(encodeURIComponent(apiKey), '***').replaceAll(apiKey, '***'))
  return copy
}

async function bytesOf({ body }: Response, time: TimeLimit): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.length
    if (length > LARGEST_MEGABYTES * 1024 * 1024)
      throw new CommandFailure(`The answer of the server is larger than ${LARGEST_MEGABYTES} MiB.`, EXIT.unreachable)
    time.extend(length)
    chunks.push(chunk)
  }
  const bytes = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

/** Ends a request that takes longer than its bytes explain. */
class TimeLimit {
  private readonly abort = new AbortController()
  private readonly started = performance.now()
  private readonly sent: number
  private timer: NodeJS.Timeout | undefined

  constructor(sent: number) {
    this.sent = sent
    this.extend(0)
  }

  get signal() {
    return this.abort.signal
  }

  extend(received: number) {
    const seconds = LONGEST_SECONDS + (this.sent + received) / SLOWEST_BYTES_PER_SECOND
    clearTimeout(this.timer)
    const end = () => this.abort.abort(new DOMException('The server is too slow.', 'TimeoutError'))
    this.timer = setTimeout(end, seconds * 1000 - (performance.now() - this.started))
  }

  end() {
    clearTimeout(this.timer)
  }
}
