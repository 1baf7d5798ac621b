import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

/** What the client that only reads one bug has measured. */
export interface Seen {
  reads: number
  slowestMilliseconds: number
  medianMilliseconds: number
  /** Statuses other than 200, and errors of the connection. */
  failures: string[]
}

const EVERY_MILLISECONDS = 100

// In its own thread, so that the hostile clients do not delay its clock.
const { url } = workerData as { url: string }
const times: number[] = []
const failures: string[] = []
let isOver = false
parentPort?.once('message', () => {
  isOver = true
})

while (!isOver) {
  const started = performance.now()
  failures.push(...(await readOnce()))
  times.push(performance.now() - started)
  await sleep(Math.max(0, EVERY_MILLISECONDS - (performance.now() - started)))
}
times.sort((one, other) => one - other)
parentPort?.postMessage({
  reads: times.length,
  slowestMilliseconds: times.at(-1) ?? 0,
  medianMilliseconds: times[times.length >> 1] ?? 0,
  failures,
} satisfies Seen)

async function readOnce(): Promise<string[]> {
  try {
    const response = await fetch(url, { headers: { Accept: 'application/json' } })
    await response.arrayBuffer()
    return response.status === 200 ? [] : [`status ${response.status}`]
  } catch (fault) {
    return [String(fault)]
  }
}
