import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../../src/platform/database/open-database.ts'
import { cast } from '../support/cast.ts'
import { newInstallation, ServerProcess, stopAll } from '../support/server-process.ts'
import type { Engine, Json } from '../support/world.ts'

after(stopAll)

const HEADERS = {
  'X-TRACKER-API-KEY': cast.ada.apiKey,
  'Content-Type': 'application/json',
  Connection: 'close',
}

for (const engine of ['sqlite', 'postgres'] as const satisfies Engine[])
  describe(`servers on ${engine}`, () => {
    it('count the series of the day themselves, once however many start', async () => {
      const settings = await newInstallation(engine)
      const first = new ServerProcess(settings)
      const { url } = await first.listening()
      await post(url, '/rest/bug', { product: 'TestProduct', component: 'TestComponent', summary: 'One to count' })
      const series = { category: 'a', subcategory: 'b', name: 'c', query: 'summary=count', frequency: 1 }
      const { id } = await post(url, '/rest/series', series)
      await first.stop()
      // What the first server did when nothing was there to count is done for today; as if it were tomorrow:
      await forget(settings)

      // Two servers share a database only on PostgreSQL, but two processes of one do on both.
      const servers = [new ServerProcess({ ...settings, LACEWING_PROCESSES: '2' })]
      if (engine === 'postgres') servers.push(new ServerProcess(settings))
      const urls = await Promise.all(servers.map(async (server) => (await server.listening()).url))
      const today = new Date().toISOString().slice(0, 10)
      assert.deepEqual(await counted(urls[0] as string, id), [{ date: today, bug_count: 1 }])
      for (const server of servers) assert.equal(await server.stop(), 0)
    })
  })

async function post(url: string, path: string, body: object): Promise<Json> {
  const response = await fetch(url + path, { method: 'POST', headers: HEADERS, body: JSON.stringify(body) })
  const answer = await response.text()
  assert.ok(response.ok, answer)
  return JSON.parse(answer)
}

async function counted(url: string, id: number): Promise<Json> {
  for (;;) {
    const { data }: Json = await (await fetch(`${url}/rest/series/${id}/data`, { headers: HEADERS })).json()
    if (data.length > 0) return data
    await sleep(50)
  }
}

async function forget(settings: Record<string, string>) {
  const db = openDatabase(settings.LACEWING_DATABASE_URL ?? `${settings.LACEWING_DATA}/lacewing.db`)
  await db.query((q) => q.deleteFrom('chores'))
  await db.close()
}
