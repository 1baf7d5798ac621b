import { memoryOf, startServer } from '../bench/processes.ts'
import { mustSend } from './client.ts'
import { makeStorage } from './storage.ts'

const REQUESTS = 100_000
const BUGS = 200
const AT_ONCE = 16
const MOST_MEGABYTES = 150

/** Typical reads and writes of a day, and the memory that the server uses afterwards. */
export async function soakMemory(): Promise<boolean> {
  const place = await makeStorage('sqlite')
  try {
    const server = await startServer(place.folder, place.environment)
    for (let number = 0; number < BUGS; number++)
      await mustSend(server.port, 'POST', '/bug', {
        product: 'TestProduct',
        component: 'TestComponent',
        summary: `Bug number ${number}`,
      })
    const tell = (made: number) => console.log(`memory after ${made} requests: ${memoryOf(server.pid).toFixed(0)} MB`)
    tell(0)
    let made = 0
    const askOn = async () => {
      while (made < REQUESTS) {
        if (++made % (REQUESTS / 5) === 0) tell(made)
        await askOnce(server.port, made)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, askOn))
    const megabytes = memoryOf(server.pid)
    await server.stop()
    console.log(`memory: ${megabytes.toFixed(0)} MB after ${REQUESTS} requests (wanted: under ${MOST_MEGABYTES})`)
    return megabytes < MOST_MEGABYTES
  } finally {
    await place.remove()
  }
}

function askOnce(port: number, number: number) {
  const bug = `/bug/${1 + (number % BUGS)}`
  if (number % 50 === 0) return mustSend(port, 'PUT', bug, { whiteboard: `changed by ${number}` })
  if (number % 50 === 1) return mustSend(port, 'POST', `${bug}/comment`, { comment: `said by ${number}` })
  return mustSend(port, 'GET', READS[number % READS.length]?.(bug) ?? bug)
}

const READS: readonly ((bug: string) => string)[] = [
  (bug) => bug,
  (bug) => `${bug}?include_fields=id,summary,_extra`,
  (bug) => `${bug}/comment`,
  (bug) => `${bug}/history`,
  (bug) => `${bug}/attachment`,
  () => '/version',
]
