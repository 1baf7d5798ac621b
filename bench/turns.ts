import type { Effort, Target } from './load.ts'
import { type Loader, processorTimeOf } from './processes.ts'

/** Responses per second, microseconds of processor time of the server per response, and milliseconds until a response. */
export interface Speed {
  rate: number
  processor: number
  p50: number
  p99: number
}

export type Turn = () => Promise<Speed>

/** Loads a server once and reads how much processor time it used. */
export async function speedOf(
  loader: Loader,
  { pid }: { pid: number },
  target: Target,
  effort: Effort,
): Promise<Speed> {
  const before = processorTimeOf(pid)
  const { requests, seconds, p50, p99 } = await loader.load(target, effort)
  return { rate: requests / seconds, processor: ((processorTimeOf(pid) - before) * 1e6) / requests, p50, p99 }
}

/**
 * Measures in turns, so that other load on the machine affects all of them, after a round that does not count. Returns the rounds of each
 * turn. `before` runs before each turn.
 */
export async function inTurns(
  turns: readonly Turn[],
  rounds: number,
  before: () => unknown = () => {},
): Promise<Speed[][]> {
  const seen: Speed[][] = turns.map(() => [])
  for (const turn of turns) await turn()
  for (let round = 0; round < rounds; round++)
    for (const [place, turn] of turns.entries()) {
      await before()
      seen[place]?.push(await turn())
    }
  return seen
}

/** Of each figure by itself; one bad round cannot move it. */
export function medianSpeed(speeds: readonly Speed[]): Speed {
  const of = (name: keyof Speed) => median(speeds.map((speed) => speed[name]))
  return { rate: of('rate'), processor: of('processor'), p50: of('p50'), p99: of('p99') }
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
