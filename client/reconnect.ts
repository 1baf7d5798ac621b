import { RestError } from './rest-error.ts'
import { pause } from './retries.ts'

export interface Patience {
  signal?: AbortSignal
  /** How long the server may be away; after that its error is thrown. Without it, until the signal aborts. */
  giveUpAfterSeconds?: number
}

const LONGEST_PAUSE_SECONDS = 30

/** Repeats a read as long as the server is away, with growing pauses. Their length is random, so that not all clients come back at once. */
export async function readWhenReachable<Body>(
  read: () => Promise<Body>,
  { signal, giveUpAfterSeconds = Number.POSITIVE_INFINITY }: Patience,
): Promise<Body> {
  let awaySince: number | undefined
  for (let failures = 0; ; failures++) {
    try {
      return await read()
    } catch (fault) {
      const now = performance.now() / 1000
      awaySince ??= now
      const seconds = Math.min(LONGEST_PAUSE_SECONDS, 2 ** failures) * (1 - Math.random() / 2)
      if (signal?.aborted || !isAway(fault) || now + seconds - awaySince > giveUpAfterSeconds) throw fault
      await pause(seconds, signal)
    }
  }
}

/** Whether the server, or a proxy in front of it, may answer again without a change of the request. */
function isAway(fault: unknown): boolean {
  if (fault instanceof RestError) return [429, 502, 503, 504].includes(fault.status)
  const { name, cause } = fault as Error & { cause?: { code?: unknown } }
  return name === 'TimeoutError' || (fault instanceof TypeError && cause?.code !== 'ERR_INVALID_URL')
}
