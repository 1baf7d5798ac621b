import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { ADMIN, memoryOf, startServer } from '../bench/processes.ts'
import { mustSend } from './client.ts'
import { type Engine, makeStorage } from './storage.ts'

const LISTENERS = 5000
const CHANGES = 20

/** Thousands of clients listen to one server while it is idle, and then changes happen. */
export async function soakListeners(engine: Engine): Promise<boolean> {
  const place = await makeStorage(engine)
  const server = await startServer(place.folder, place.environment)
  try {
    const params = { product: 'TestProduct', component: 'TestComponent', summary: 'Listened to' }
    const { id } = await mustSend(server.port, 'POST', '/bug', params)
    // All listeners belong to one user.
    await mustSend(server.port, 'PUT', '/parameters', { feed_listeners: 0 })
    const before = memoryOf(server.pid)
    const listeners: StreamListener[] = []
    // In batches, because the system refuses more pending connections than its backlog allows.
    while (listeners.length < LISTENERS)
      listeners.push(...(await Promise.all(Array.from({ length: 100 }, () => listen(server.port)))))
    const perListener = (memoryOf(server.pid) - before) / LISTENERS
    const idle = await processorTime(server.pid, 10)
    const times: number[] = []
    for (let change = 1; change <= CHANGES; change++) {
      const began = performance.now()
      await mustSend(server.port, 'PUT', `/bug/${id}`, { whiteboard: `Change ${change}` })
      const answered = performance.now()
      while (listeners.some((listener) => listener.count < change)) await sleep(2)
      times.push(performance.now() - answered)
      if (change === 1) console.log(`listeners: the first change was answered in ${(answered - began).toFixed(0)} ms`)
    }
    const doubles = listeners.filter(({ count }) => count !== CHANGES).length
    console.log(
      `listeners: ${LISTENERS} on one server (${engine}): ${(perListener * 1024).toFixed(1)} KB each, ${idle.toFixed(1)} % of a processor while idle, ` +
        `a change delivered to all of them in ${Math.max(...times).toFixed(0)} ms at most and ${(times.reduce((a, b) => a + b) / times.length).toFixed(0)} ms on average, ${doubles} with too many`,
    )
    for (const { stop } of listeners) stop()
    return doubles === 0
  } finally {
    await server.kill()
    await place.remove()
  }
}

interface StreamListener {
  count: number
  stop(): void
}

function listen(port: number): Promise<StreamListener> {
  return new Promise((resolve, reject) => {
    const headers = { Accept: 'text/event-stream', 'X-TRACKER-API-KEY': ADMIN.LACEWING_ADMIN_API_KEY }
    const context = request({ host: '127.0.0.1', port, path: '/rest/event', headers, agent: false }, (response) => {
      const listener = { count: 0, stop: () => context.destroy() }
      response.on('data', (bytes: Buffer) => {
        listener.count += bytes.toString().split('\ndata: ').length - 1
        resolve(listener)
      })
      response.on('error', () => {})
    })
    context.on('error', reject)
    context.end()
  })
}

/** In percent of one processor. */
async function processorTime(pid: number, seconds: number) {
  const before = ticksOf(pid)
  await sleep(seconds * 1000)
  return (ticksOf(pid) - before) / seconds
}

/** Hundredths of a second, as Linux counts them. */
function ticksOf(pid: number) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return Number(fields[11]) + Number(fields[12])
}
