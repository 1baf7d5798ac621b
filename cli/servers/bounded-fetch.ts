import { CommandFailure } from '../failures/command-failure.ts'
import { EXIT } from '../failures/exit-codes.ts'

const LONGEST_SECONDS = 120
const LARGEST_BYTES = 256 * 1024 * 1024

interface FetchOptions {
  readonly rest: 'rest' | 'rest.cgi'
  /** The address that requests begin with. */
  readonly base: string
}

/** `fetch` with limits: a server cannot keep a command waiting without an end, or fill its memory. */
export function boundedFetch({ rest, base }: FetchOptions): typeof fetch {
  return async (input, init) => {
    const address = String(input)
    const url = rest === 'rest' ? address : `${base}/${rest}${address.slice(`${base}/rest`.length)}`
    const timeout = AbortSignal.timeout(LONGEST_SECONDS * 1000)
    const signal = init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout
    const response = await fetch(url, { ...init, signal })
    const { status, headers } = response
    const body = status === 204 || status === 304 ? null : await bytesOf(response)
    return new Response(body, { status, headers })
  }
}

async function bytesOf({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.length
    if (length > LARGEST_BYTES) throw new CommandFailure('The answer of the server is too large.', EXIT.unreachable)
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
