import { type MixedFigures, type MixedServer, startMixedServer } from './mixed-server.ts'
import { answeringTimeOf } from './processes.ts'

const FIRST_RATE = 100
const STEP = 1.25
const STEP_MILLISECONDS = 4000
const MOST_REFUSED = 0.01
const SHARES = [0.4, 0.8, 1, 2]
const SHOWN_MILLISECONDS = 10_000

/**
 * `npm run bench -- mixed`: a load as trackers see it (see mix.ts), sent at a fixed rate whether earlier requests are answered or not. First the
 * rate that the server carries is searched for, then it is shown at parts and multiples of that rate. The sender runs on the same machine:
 * its processor time is shown beside that of the thread that serves requests. `postgres` for the other engine.
 */
export async function showMixed(args: readonly string[]) {
  const mixed = await startMixedServer(args.includes('postgres') ? 'postgres' : 'sqlite')
  try {
    const capacity = await findCapacity(mixed)
    for (const share of SHARES) await showLoad(mixed, `${share * 100} %`, share * capacity, SHOWN_MILLISECONDS)
  } finally {
    await mixed.stop()
  }
}

/** The highest rate, in steps of a quarter, at which hardly anything is refused. */
export async function findCapacity({ send }: MixedServer): Promise<number> {
  await send({ rate: FIRST_RATE, milliseconds: STEP_MILLISECONDS })
  let carried = FIRST_RATE
  for (let rate = FIRST_RATE; ; rate *= STEP) {
    const figures = await send({ rate, milliseconds: STEP_MILLISECONDS })
    if (refusedPart(figures) > MOST_REFUSED || sum(figures, 'failed') > 0 || figures.unsent > 0) break
    carried = rate
  }
  console.log(`capacity: ${carried.toFixed(0)} requests a second`)
  return carried
}

/** Sends and prints a load. */
export async function showLoad(
  { server, send }: MixedServer,
  title: string,
  rate: number,
  milliseconds: number,
): Promise<MixedFigures> {
  const before = answeringTimeOf(server.pid)
  const figures = await send({ rate, milliseconds })
  const cores = (answeringTimeOf(server.pid) - before) / figures.seconds
  const sender = figures.processorSeconds / figures.seconds
  console.log(
    `${title}, ${rate.toFixed(0)} requests a second for ${figures.seconds.toFixed(0)} s: the serving thread used ${cores.toFixed(2)} of a core, the sender ${sender.toFixed(2)}; ${figures.unsent} not sent`,
  )
  for (const { kind, answered, refused, failed, p50, p99, refusedP99 } of figures.classes.toSorted(byKind)) {
    const counts = [answered, refused, failed].map((count) => String(count).padStart(9)).join('')
    const times = [p50, p99, refusedP99].map((time) => time.toFixed(1).padStart(10)).join('')
    console.log(`  ${kind.padEnd(18)}answered, refused, failed:${counts}   p50, p99, p99 of refusals (ms):${times}`)
  }
  if (figures.firstFailure !== undefined) console.log(`  the first failure: ${figures.firstFailure}`)
  return figures
}

export function refusedPart(figures: MixedFigures) {
  const refused = sum(figures, 'refused')
  return refused / Math.max(1, refused + sum(figures, 'answered'))
}

export function sum({ classes }: MixedFigures, part: 'answered' | 'refused' | 'failed'): number {
  return classes.reduce((all, own) => all + own[part], 0)
}

function byKind(one: { kind: string }, other: { kind: string }) {
  return one.kind.localeCompare(other.kind)
}
