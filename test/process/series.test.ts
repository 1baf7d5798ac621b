import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { cast } from '../support/cast.ts'
import { fileBug } from '../support/file-bug.ts'
import { ServerProcess, stopAll } from '../support/server-process.ts'
import { until } from '../support/until.ts'
import { describeOnEachEngine, type Json } from '../support/world.ts'

after(stopAll)

const HEADERS = { 'X-TRACKER-API-KEY': cast.ada.apiKey, Connection: 'close' }

describeOnEachEngine('servers that start', (world) => {
  it('count the series of the day themselves, once however many start', async () => {
    await fileBug(world.ada, { summary: 'One to count' })
    const series = { category: 'a', subcategory: 'b', name: 'c', query: 'summary=count', frequency: 1 }
    const { id } = (await world.ada.post('/rest/series', series)).body
    const settings = { LACEWING_DATA: world.dataFolder, LACEWING_DATABASE_URL: world.databaseUrl }

    // Only PostgreSQL lets two servers share a database; on SQLite two processes of one server do.
    const servers =
      world.engine === 'postgres'
        ? [new ServerProcess(settings), new ServerProcess(settings)]
        : [new ServerProcess({ ...settings, LACEWING_PROCESSES: '2' })]
    const urls = await Promise.all(servers.map(async (server) => (await server.listening()).url))
    const today = new Date().toISOString().slice(0, 10)
    assert.deepEqual(await counted(urls[0] as string, id), [{ date: today, bug_count: 1 }])
    for (const server of servers) assert.equal(await server.stop(), 0)
  })
})

function counted(url: string, id: number): Promise<Json> {
  return until(async () => {
    const { data }: Json = await (await fetch(`${url}/rest/series/${id}/data`, { headers: HEADERS })).json()
    return data
  })
}
