import { startServer } from '../bench/processes.ts'
import { mustSend } from './client.ts'
import { type Engine, makeStorage } from './storage.ts'

const ROUNDS = 5
const UPDATES = 100

/**
 * A hundred clients change one bug at once, through two processes: every change must be in the history, in one order.
 */
export async function soakOneBug(engine: Engine): Promise<boolean> {
  const place = await makeStorage(engine)
  let wrong = 0
  let slowest = 0
  try {
    const server = await startServer(place.folder, { ...place.environment, LACEWING_PROCESSES: '2' })
    for (let round = 0; round < ROUNDS; round++) {
      const started = performance.now()
      wrong += await wrongAfterUpdates(server.port)
      slowest = Math.max(slowest, performance.now() - started)
    }
    await server.stop()
  } finally {
    await place.remove()
  }
  console.log(
    `${engine}: ${ROUNDS} times ${UPDATES} updates of one bug at once through 2 processes, ${wrong} changes lost or out of order; the slowest ${UPDATES} took ${slowest.toFixed(0)} ms`,
  )
  return wrong === 0
}

async function wrongAfterUpdates(port: number): Promise<number> {
  const place = { product: 'TestProduct', component: 'TestComponent' }
  const { id } = await mustSend(port, 'POST', '/bug', { ...place, summary: 'Everybody wants it otherwise' })
  const wanted = Array.from({ length: UPDATES }, (_, number) => `wish ${number}`)
  await Promise.all(
    wanted.map((whiteboard) => mustSend(port, 'PUT', `/bug/${id}`, { whiteboard, comment: { body: whiteboard } })),
  )
  const { history } = (await mustSend(port, 'GET', `/bug/${id}/history`)).bugs[0]
  const lines: { removed: string; added: string }[] = history
    .flatMap((entry) => entry.changes)
    .filter((line) => line.field_name === 'whiteboard')
  const comments = (await mustSend(port, 'GET', `/bug/${id}/comment`)).bugs[id]?.comments ?? []
  const said = comments.slice(1).map((comment) => comment.text)
  const now = (await mustSend(port, 'GET', `/bug/${id}`)).bugs[0].whiteboard
  const outOfOrder = lines.filter((line, place) => line.removed !== (lines[place - 1]?.added ?? ''))
  const lost = wanted.filter((it) => !lines.some((line) => line.added === it) || !said.includes(it))
  // Each comment has the same position as its change.
  const misplaced = lines.filter((line, place) => said[place] !== line.added)
  return (
    outOfOrder.length +
    lost.length +
    misplaced.length +
    Math.abs(lines.length - UPDATES) +
    (now === lines.at(-1)?.added ? 0 : 1)
  )
}
