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
 * Sends a request, and again when the server asks for it (429 or 503 with Retry-After: nothing was carried out). After a lost connection it
 * is sent again only if it reads, or has an Idempotency-Key: otherwise it could be carried out twice.
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
      const seconds = secondsUntilRetry(response)
      if (seconds === undefined || seconds > longestWaitSeconds || isLast) return response
      await response.body?.cancel()
      await pause(seconds, request.signal)
    } catch (fault) {
      if (isLast || request.signal?.aborted || !isRepeatable(request)) throw fault
      await pause(2 ** attempt / 4, request.signal)
    }
  }
}

const ASKS_FOR_ANOTHER = new Set([429, 503])

function secondsUntilRetry({ status, headers }: Response): number | undefined {
  const seconds = Number(headers.get('Retry-After') ?? Number.NaN)
  return ASKS_FOR_ANOTHER.has(status) && seconds >= 0 ? seconds : undefined
}

function isRepeatable({ method, headers }: Request) {
  return method === 'GET' || 'Idempotency-Key' in headers
}

function pause(seconds: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const timer = setTimeout(resolve, seconds * 1000)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
