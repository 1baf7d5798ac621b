/** The limits of the slow reads of one request. */
export interface ReadLimits {
  /** Identifies the caller: the reads of one caller wait for each other, not for those of others. */
  readonly caller: string
  /** When the whole request must be done, on the clock of performance.now(). */
  readonly deadline: number
  /** Fires when the client has disconnected. */
  readonly signal: AbortSignal
  /** How long threads have read for the request so far. The engine adds to it. */
  readonly spent: { milliseconds: number }
}

/** The time limit for all slow reads of one request together. */
export const LONGEST_REQUEST_MILLISECONDS = 30_000

/** For work without a client. Each use has the whole time. */
export function backgroundLimits(name: string): ReadLimits {
  return {
    caller: `background ${name}`,
    deadline: performance.now() + LONGEST_REQUEST_MILLISECONDS,
    signal: new AbortController().signal,
    spent: { milliseconds: 0 },
  }
}
