/** How much longer a turn may take by the clock, in which the thread also waits for a processor or for the disk. */
const WAITING_TIMES = 10

/**
 * Measures how long a turn of the event loop takes, during which everything that arrives waits. Processor time counts: it grows with the
 * requests that arrive in a turn, but not if other programs use the machine for a moment. The shorter one of two turns is reported.
 */
export function measureTurn(done: (milliseconds: number) => void) {
  setImmediate(() => {
    const first = now()
    setImmediate(() => {
      const second = now()
      setImmediate(() => done(Math.min(between(first, second), between(second, now()))))
    })
  })
}

interface Moment {
  readonly clock: number
  readonly processor: number
}

function now(): Moment {
  const { user, system } = process.threadCpuUsage()
  return { clock: performance.now(), processor: (user + system) / 1000 }
}

function between(from: Moment, to: Moment) {
  return Math.max(to.processor - from.processor, (to.clock - from.clock) / WAITING_TIMES)
}
