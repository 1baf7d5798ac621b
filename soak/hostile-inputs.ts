import { join } from 'node:path'
import { ADMIN } from '../bench/processes.ts'
import { openDatabase } from '../src/platform/database/open-database.ts'
import { fillWithBugs } from '../test/support/hostile-bugs.ts'
import type { HostileBugs, HostileRequest } from '../test/support/hostile-requests.ts'
import { largestInputs } from '../test/support/largest-inputs.ts'
import { ServerProcess } from '../test/support/server-process.ts'
import { AT_ONCE, askTurns, excessOf, TURN_MONITOR } from '../test/support/turn-meter.ts'
import { mustSend } from './client.ts'
import { sendHostile } from './hostile-client.ts'
import { HostileTally } from './hostile-tally.ts'
import { type Engine, makeStorage, type Storage } from './storage.ts'

const SIZES = { bugs: 3000, comments: 3000, changes: 3000 }
const KIND = 'the largest inputs, twenty at once'
/** One short turn is enough, because a turn can also be long for other reasons, such as the collection of garbage. */
const MOST_TRIES = 3
const SHOWN = 20
const KEY = ADMIN.LACEWING_ADMIN_API_KEY

/**
 * Sends the largest allowed input of every parameter of every call twenty times at once, as an administrator, who gets furthest. Fails if the
 * main thread is occupied for more than 300 ms without a turn, or if there is a response of 5xx.
 */
export async function soakHostileInputs(engine: Engine): Promise<boolean> {
  const place = await makeStorage(engine)
  const environment = { ...place.environment, LACEWING_DATA: place.folder, ...ADMIN }
  const server = new ServerProcess(environment, [], { preload: TURN_MONITOR })
  try {
    const port = Number(new URL((await server.listening()).url).port)
    const bugs = await fill(place, port)
    const tally = new HostileTally()
    const turns: { title: string; longest: number }[] = []
    for (const input of largestInputs(bugs)) {
      const longest = await longestTurn(server, port, input, tally)
      turns.push({ title: input.title, longest })
    }
    await mustSend(port, 'GET', '/whoami')
    return report(engine, turns, tally)
  } finally {
    await server.stop()
    await place.remove()
  }
}

async function longestTurn({ child }: ServerProcess, port: number, input: HostileRequest, tally: HostileTally) {
  let shortest = Number.POSITIVE_INFINITY
  let excess: string | undefined
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    await askTurns(child, 'longest')
    const sent = Array.from({ length: AT_ONCE }, () => sendHostile(port, { ...input, kind: KIND }, KEY))
    for (const outcome of await Promise.all(sent)) tally.note({ ...input, kind: KIND }, outcome)
    const longest = await askTurns(child, 'longest')
    shortest = Math.min(shortest, longest)
    excess = await excessOf(child, longest)
    if (excess === undefined) return shortest
  }
  tally.fail(KIND, `${input.title}: ${excess}`)
  return shortest
}

async function fill(place: Storage, port: number): Promise<HostileBugs> {
  await mustSend(port, 'PUT', '/parameters', { rate_limit_anonymous: 0, rate_limit_signed_in: 0 })
  const bug = { product: 'TestProduct', component: 'TestComponent', summary: 'A bug' }
  const { id } = await mustSend(port, 'POST', '/bug', bug)
  const db = openDatabase(place.environment.LACEWING_DATABASE_URL ?? join(place.folder, 'lacewing.db'))
  const bugs = await fillWithBugs(db, id, SIZES)
  await db.close()
  return bugs
}

function report(engine: Engine, turns: { title: string; longest: number }[], tally: HostileTally): boolean {
  const worst = turns.toSorted((one, other) => other.longest - one.longest).slice(0, SHOWN)
  console.log(`${engine}: the longest turns of ${turns.length} inputs, each sent ${AT_ONCE} times at once`)
  for (const { title, longest } of worst) console.log(`  ${String(longest).padStart(5)} ms  ${title}`)
  for (const line of tally.table()) console.log(line)
  for (const failure of tally.failures.slice(0, 30)) console.log(`  FAILED ${failure}`)
  console.log(`${engine}: ${tally.failures.length} failures`)
  return tally.failures.length === 0
}
