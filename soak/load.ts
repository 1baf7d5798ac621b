import { findCapacity, refusedPart, showLoad, sum } from '../bench/mixed.ts'
import { type MixedFigures, type MixedServer, startMixedServer } from '../bench/mixed-server.ts'
import { memoryOf } from '../bench/processes.ts'
import type { Engine } from './storage.ts'

const USUAL = 0.8
const TOO_MUCH = 2
const PART_MILLISECONDS = 30_000
const OVERLOAD_MILLISECONDS = 30_000
const MOST_TIMES_P50 = 10
const MOST_GROWTH = 1.15
const MOST_RECOVERY_SECONDS = 30

/**
 * The mixed load of bench/mix.ts at 80 % of what the server carries: nothing fails, the slowest hundredth takes at most ten times as long as
 * usual, and memory stays flat. Then at 200 %: what is refused and how long the rest takes; then the seconds until nothing is refused any
 * more at 80 %. The sender shares the machine.
 */
export async function soakLoad(engine: Engine, minutes: number): Promise<boolean> {
  const mixed = await startMixedServer(engine)
  try {
    const rate = USUAL * (await findCapacity(mixed))
    const usual = await soakUsual(mixed, rate, minutes)
    await showLoad(mixed, '200 %', (TOO_MUCH / USUAL) * rate, OVERLOAD_MILLISECONDS)
    const seconds = await recovery(mixed, rate)
    console.log(`${engine}: nothing was refused ${seconds} s after the overload`)
    return usual && seconds <= MOST_RECOVERY_SECONDS
  } finally {
    await mixed.stop()
  }
}

async function soakUsual(mixed: MixedServer, rate: number, minutes: number): Promise<boolean> {
  const memory: number[] = []
  let isGood = true
  for (let part = 0; part * PART_MILLISECONDS < minutes * 60_000; part++) {
    const figures = await showLoad(mixed, '80 %', rate, PART_MILLISECONDS)
    memory.push(memoryOf(mixed.server.pid))
    const slowest = Math.max(...figures.classes.map(({ p50, p99 }) => p99 / p50))
    console.log(`  p99 is at most ${slowest.toFixed(1)} times p50; memory ${memory.at(-1)?.toFixed(0)} MB`)
    isGood &&= sum(figures, 'failed') + sum(figures, 'refused') === 0 && slowest <= MOST_TIMES_P50
  }
  const half = Math.floor(memory.length / 2)
  const growth = Math.max(...memory.slice(half)) / Math.max(...memory.slice(0, half + 1))
  console.log(`memory grew by a factor of ${growth.toFixed(2)} in the second half`)
  return isGood && growth <= MOST_GROWTH
}

/** Seconds until a second without a refusal ends. */
async function recovery({ send }: MixedServer, rate: number): Promise<number> {
  for (let seconds = 0; seconds < MOST_RECOVERY_SECONDS; seconds++) {
    const figures: MixedFigures = await send({ rate, milliseconds: 1000 })
    if (refusedPart(figures) === 0) return seconds
  }
  return Number.POSITIVE_INFINITY
}
