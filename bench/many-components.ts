import { mkdtempSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../src/platform/config/config.ts'
import { openDatabase } from '../src/platform/database/open-database.ts'
import { clientOf, memoryOf, type Server, startServer } from './processes.ts'

const SIZES = [80, 8000] as const
const TIMES = 60
const FLAG_TYPES = 3

/** The same reads on a product with few and with many components, each on its own server. They take turns. */
export async function showManyComponents() {
  const servers = []
  try {
    for (const size of SIZES) servers.push({ size, ...(await serverWith(size)) })
    const [small, large] = servers as [Filled, Filled]
    console.log(
      `${'read'.padEnd(64)}${'80 ms'.padStart(9)}${'8000 ms'.padStart(9)}${'times'.padStart(8)}${'wanted'.padStart(8)}`,
    )
    for (const path of [
      '/rest/product/Many',
      '/rest/product/Many?exclude_fields=components.flag_types',
      '/rest/field/bug',
    ])
      await compare(path, small, large)
    const [few, many] = servers.map(({ server }) => memoryOf(server.pid))
    console.log(`memory: ${few?.toFixed(0)} MB with 80 components, ${many?.toFixed(0)} MB with 8000`)
  } finally {
    for (const { server, folder } of servers) {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

interface Filled {
  size: number
  server: Server
  folder: string
}

async function serverWith(size: number) {
  const folder = mkdtempSync(join(tmpdir(), 'lacewing-bench-'))
  const empty = await startServer(folder)
  const admin = clientOf(empty)
  const product = await admin.post('/product', { name: 'Many', description: 'Has many', version: '1' })
  for (let number = 0; number < FLAG_TYPES; number++)
    await admin.post('/flag_type', { name: `flag${number}`, description: 'Applies everywhere' })
  await empty.stop()
  await insertComponents(folder, product.id, size)
  return { folder, server: await startServer(folder) }
}

/** Directly in the database, because the API would take a minute. */
async function insertComponents(folder: string, product_id: number, size: number) {
  const db = openDatabase(readConfig({ LACEWING_DATA: folder }).databaseUrl)
  await db.transaction(async (tx) => {
    for (let number = 0; number < size; number++)
      await tx.query((q) =>
        q.insertInto('components').values({
          product_id,
          name: `Component ${number}`,
          name_key: `component ${number}`,
          description: `What belongs into component number ${number}`,
          default_assignee_id: 1,
          default_qa_contact_id: null,
          is_active: 1,
        }),
      )
  })
  await db.close()
}

async function compare(path: string, small: Filled, large: Filled) {
  const times = { small: [] as number[], large: [] as number[] }
  for (let time = 0; time < TIMES; time++) {
    times.small.push(await timeOf(small.server, path))
    times.large.push(await timeOf(large.server, path))
  }
  const [few, many] = [medianOf(times.small), medianOf(times.large)]
  console.log(
    `${`GET ${path}`.padEnd(64)}${few.toFixed(2).padStart(9)}${many.toFixed(2).padStart(9)}${(many / few).toFixed(1).padStart(8)}${'10.0'.padStart(8)}`,
  )
}

/** The time until the last byte has arrived. */
function timeOf({ port }: Server, path: string): Promise<number> {
  const started = performance.now()
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, headers: { Accept: 'application/json' } }, (response) => {
      response.resume()
      response.on('end', () => resolve(performance.now() - started))
    }).on('error', reject)
  })
}

function medianOf(times: number[]) {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
}
