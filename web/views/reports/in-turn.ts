// A page with many reports reads a few at a time, so that they do not wait for each other at the server.

const AT_ONCE = 3
let running = 0
const waiting: (() => void)[] = []

/** Runs the work when it is its turn; one that was aborted meanwhile does not begin. */
export async function inTurn<Result>(work: () => Promise<Result>, abort: AbortSignal): Promise<Result> {
  if (running >= AT_ONCE) await new Promise<void>((go) => waiting.push(go))
  running++
  try {
    abort.throwIfAborted()
    return await work()
  } finally {
    running--
    waiting.shift()?.()
  }
}
