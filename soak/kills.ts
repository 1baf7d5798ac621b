import { setTimeout as sleep } from 'node:timers/promises'
import { type Server, startServer } from '../bench/processes.ts'
import { halves } from './halves.ts'
import { Ledger } from './ledger.ts'
import { lostFrom } from './lost.ts'
import { type Engine, makeStorage, type Storage, wrongFiles } from './storage.ts'
import { type WriterState, write } from './writer.ts'

const WRITERS = 6

/**
 * Kills the server again and again in the middle of writing, and restarts it. Everything that it acknowledged must
 * exist afterwards, and nothing may be incomplete.
 */
export async function soakKills(engine: Engine, kills: number): Promise<boolean> {
  const place = await makeStorage(engine)
  const ledger = new Ledger()
  const writers: WriterState[] = Array.from({ length: WRITERS }, () => ({}))
  const found = { halves: new Set<string>(), lost: new Set<string>() }
  let slowest = 0
  try {
    for (let kill = 1; kill <= kills; kill++) {
      const server = await startServer(place.folder, place.environment)
      slowest = Math.max(slowest, server.startMilliseconds)
      await writeUntilKilled(server, ledger, writers)
      for (const half of await halvesIn(place)) found.halves.add(half)
      if (kill % 10 === 0 || kill === kills) {
        const last = await startServer(place.folder, place.environment)
        for (const lost of await lostFrom(place, last.port, ledger)) found.lost.add(lost)
        await last.kill()
        console.log(
          `${engine}: ${kill} of ${kills} kills, ${ledger.acknowledged} acknowledged writes, ${found.lost.size} lost, ${found.halves.size} half-made`,
        )
      }
    }
  } finally {
    await place.remove()
  }
  for (const wrong of [...found.halves, ...found.lost, ...ledger.failures].slice(0, 20)) console.log(`  ${wrong}`)
  console.log(
    `${engine}: ${kills} kills, ${ledger.acknowledged} acknowledged writes (${ledger.bugs.length} bugs, ${ledger.comments.length} comments, ${ledger.changes.length} changes, ${ledger.attachments.length} attachments), ` +
      `${found.lost.size} lost, ${found.halves.size} half-made; ${ledger.unanswered} unanswered, ${ledger.repeated} sent again, ${ledger.refused} refused, ${ledger.failures.length} failures; slowest start ${slowest.toFixed(0)} ms`,
  )
  return found.halves.size + found.lost.size + ledger.failures.length === 0
}

async function writeUntilKilled(server: Server, ledger: Ledger, writers: readonly WriterState[]) {
  let isOver = false
  const writing = writers.map((writer) => write(server.port, ledger, writer, () => isOver))
  await randomMoment(ledger)
  isOver = true
  await server.kill()
  await Promise.all(writing)
}

/** At some point of the load, independent of the speed of the machine. */
async function randomMoment(ledger: Ledger) {
  const until = ledger.acknowledged + Math.random() * MOST_WRITES
  const latest = performance.now() + LONGEST_MILLISECONDS
  while (ledger.acknowledged < until && performance.now() < latest) await sleep(1)
  await sleep(Math.random() * 10)
}

const MOST_WRITES = 100
const LONGEST_MILLISECONDS = 5000

async function halvesIn(place: Storage): Promise<string[]> {
  const found = [...(await place.damage()), ...(await wrongFiles(place))]
  for (const { says, sql } of halves) {
    for (const row of await place.rows(sql)) found.push(`${says}: ${JSON.stringify(row)}`)
  }
  return found
}
