import type { Log } from '../../platform/monitoring/log.ts'
import { loggedCause } from '../../platform/monitoring/outage.ts'

/** Work that runs in rounds: at the start, soon after `wake`, and regularly if that is wanted. Never two rounds at once. */
export interface Rounds {
  wake(): void
  /** Waits for the current round. */
  end(): Promise<void>
}

export interface RoundPauses {
  name: string
  log: Log
  /** How long to wait after `wake`, so that many events at once take one round. */
  batchMilliseconds: number
  /** How long to wait without `wake`; for ever by default. */
  idleMilliseconds?: number
}

/** `round` returns whether there is more to do at once. A round that fails is repeated after a growing pause. */
export function runInRounds({ name, log, ...pauses }: RoundPauses, round: () => Promise<boolean>): Rounds {
  let isEnding = false
  let isWoken = true
  let failures = 0
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined

  const schedule = () => {
    if (isEnding || running) return
    clearTimeout(timer)
    const milliseconds = failures > 0 ? pauseAfter(failures) : isWoken ? pauses.batchMilliseconds : idle()
    timer = milliseconds === undefined ? undefined : setTimeout(start, milliseconds).unref()
  }
  // Randomized, so that the servers do not run at the same moment.
  const idle = () => pauses.idleMilliseconds && pauses.idleMilliseconds * (0.75 + Math.random() / 2)
  const start = () => {
    isWoken = false
    running = once().finally(() => {
      running = undefined
      schedule()
    })
  }
  const once = async () => {
    try {
      if (await round()) isWoken = true
      failures = 0
    } catch (fault) {
      failures++
      if (!isEnding) log.error(`${name} failed`, { failures, why: loggedCause(fault) })
    }
  }
  schedule()
  return {
    wake() {
      if (isWoken) return
      isWoken = true
      schedule()
    },
    async end() {
      isEnding = true
      clearTimeout(timer)
      await running
    },
  }
}

function pauseAfter(failures: number) {
  return Math.min(30_000, 250 * 2 ** failures)
}
