import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

/** What the client that only reads one bug has measured. */
export interface Seen {
  reads: number
  slowestMilliseconds: number
  medianMilliseconds: number
  /** Statuses other than 200, errors of the connection, and reads that took too long. */
  failures: string[]
}

const EVERY_MILLISECONDS = 100
/**
 * A read has to wait for one turn of the event loop (300 ms) before each of its two statements, and for one statement of a list before each.
 * A read that stands behind the requests of others took 2 to 6 s.
 */
const LONGEST_READ_MILLISECONDS = 1500

// In its own thread, so that the hostile clients do not delay its clock.
const { url, key } = workerData as { url: string; key: string }
const times: number[] = []
const failures: string[] = []
const began = performance.now()
let isOver = false
parentPort?.once('message', () => {
  isOver = true
})

while (!isOver) {
  const started = performance.now()
  failures.push(...(await readOnce()))
  const time = performance.now() - started
  times.push(time)
  if (time > LONGEST_READ_MILLISECONDS) failures.push(`a read took ${Math.round(time)} ms, after ${seconds(started)} s`)
  await sleep(Math.max(0, EVERY_MILLISECONDS - (performance.now() - started)))
}
times.sort((one, other) => one - other)
parentPort?.postMessage({
  reads: times.length,
  slowestMilliseconds: times.at(-1) ?? 0,
  medianMilliseconds: times[times.length >> 1] ?? 0,
  failures,
} satisfies Seen)

function seconds(at: number) {
  return Math.round((at - began) / 1000)
}

async function readOnce(): Promise<string[]> {
  try {
    const response = await fetch(url, { headers: { Accept: 'application/json', 'X-TRACKER-API-KEY': key } })
    await response.arrayBuffer()
    return response.status === 200 ? [] : [`status ${response.status}`]
  } catch (fault) {
    return [String(fault)]
  }
}
