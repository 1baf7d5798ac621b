export interface Retries {
  /** How often a request is sent again, at most. */
  retries: number
  /** The longest time to wait before a request is sent again. */
  longestWaitSeconds: number
}

interface Request extends RequestInit {
  method: string
  headers: Readonly<Record<string, string>>
}

/**
 * Sends a request, and again when the server asks for it with Retry-After. A write without an Idempotency-Key is sent again only after 429, which
 * is decided before anything is done: after 503 and after a lost connection it may have been carried out.
 */
export async function sendWithRetries(
  fetchWith: typeof fetch,
  url: string,
  { retries = 3, longestWaitSeconds = 30 }: Partial<Retries>,
  request: Request,
): Promise<Response> {
  for (let attempt = 0; ; attempt++) {
    const isLast = attempt >= retries
    try {
      const response = await fetchWith(url, request)
      const seconds = secondsUntilRetry(response, request)
      if (seconds === undefined || seconds > longestWaitSeconds || isLast) return response
      await response.body?.cancel()
      await pause(seconds, request.signal)
    } catch (fault) {
      if (isLast || request.signal?.aborted || !isLostConnection(fault) || !isRepeatable(request)) throw fault
      await pause(2 ** attempt / 4, request.signal)
    }
  }
}

function secondsUntilRetry({ status, headers }: Response, request: Request): number | undefined {
  const isMeant = status === 429 || (status === 503 && isRepeatable(request))
  const after = headers.get('Retry-After') ?? ''
  return isMeant && /^\d+$/.test(after) ? Number(after) : undefined
}

/** As `fetch` says it. A limit that was reached would be reached again. */
function isLostConnection(fault: unknown) {
  return fault instanceof TypeError
}

function isRepeatable({ method, headers }: Request) {
  return method === 'GET' || Object.keys(headers).some((name) => name.toLowerCase() === 'idempotency-key')
}

export function pause(seconds: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, seconds * 1000)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
