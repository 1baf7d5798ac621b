import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { type App, buildApp } from '../../src/app.ts'
import { deliverHere } from '../../src/outbound/delivery/deliver.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import type { Db } from '../../src/platform/database/db.ts'
import { openDatabase } from '../../src/platform/database/open-database.ts'
import type { Log } from '../../src/platform/monitoring/log.ts'
import { cast } from '../support/cast.ts'
import { changeBug } from '../support/change-bug.ts'
import { EventSource } from '../support/event-source.ts'
import { fileBug } from '../support/file-bug.ts'
import { describeWithDelivery, type World } from '../support/world.ts'

const SILENT: Log = { info() {}, error() {}, flush: async () => {} }

describeWithDelivery('the feed of several servers on one database', (world) => {
  let second: SecondServer
  before(async () => {
    second = await SecondServer.open(world)
  })
  after(() => second.close())

  it('sends events of all servers to listeners on every server, in one order', async () => {
    const here = await EventSource.open(world, world.edna)
    const there = await EventSource.open(second, world.edna)
    const id = await fileBug(world.edna)
    for (const [server, priority] of [
      [second, 'High'],
      [world, 'Low'],
      [second, 'Normal'],
    ] as const)
      await put(server, id, { priority })
    const [first, other] = [await here.take(4), await there.take(4)]
    assert.deepEqual(first, other)
    assert.deepEqual(
      first.slice(1).map(({ changes }) => changes[0].added),
      ['High', 'Low', 'Normal'],
    )
    here.close()
    there.close()
  })

  it('disconnects listeners when a server ends, and they continue at another', async () => {
    const third = await SecondServer.open(world)
    const source = await EventSource.open(third, world.edna)
    const polled = fetch(`${third.url}/rest/event?wait=60`, { headers: { 'X-TRACKER-API-KEY': cast.edna.apiKey } })
    const id = await fileBug(world.edna)
    await source.take(1)
    const began = performance.now()
    await third.close()
    await source.ended
    assert.equal((await polled).status, 200)
    assert.ok(performance.now() - began < 60_000)
    await changeBug(world.edna, id, { priority: 'High' })
    const again = await EventSource.open(world, world.edna, { 'Last-Event-ID': source.lastEventId })
    assert.deepEqual(
      (await again.take(1)).map(({ bug_id, type }) => [bug_id, type]),
      [[id, 'bug.update']],
    )
    again.close()
  })

  it('sends each event once to each of many listeners', async () => {
    const sources = await Promise.all(
      Array.from({ length: 60 }, (_, number) => EventSource.open(number % 2 ? world : second, world.stan)),
    )
    const id = await fileBug(world.edna)
    await put(second, id, { priority: 'High' })
    for (const source of sources) {
      const returned = await source.take(2)
      assert.deepEqual(
        returned.map(({ bug_id, type }) => [bug_id, type]),
        [
          [id, 'bug.create'],
          [id, 'bug.update'],
        ],
      )
      source.close()
      assert.deepEqual(source.events, [])
    }
  })
})

async function put({ url }: Pick<World, 'url'>, id: number, change: object) {
  const { status } = await fetch(`${url}/rest/bug/${id}`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json', 'X-TRACKER-API-KEY': cast.edna.apiKey },
    body: JSON.stringify(change),
  })
  assert.equal(status, 200)
}

/** Another server on the database of a world. */
class SecondServer {
  readonly url: string
  private readonly app: App
  private readonly db: Db

  private constructor(app: App, db: Db, url: string) {
    this.app = app
    this.db = db
    this.url = url
  }

  static async open(world: World) {
    const db = openDatabase(world.databaseUrl, true)
    const config = readConfig({ LACEWING_PORT: '0', LACEWING_DATA: world.dataFolder })
    const app = buildApp(db, config, SILENT, deliverHere)
    return new SecondServer(app, db, await app.listen({ host: '127.0.0.1', port: 0 }))
  }

  async close() {
    await this.app.close()
    await this.db.close()
  }
}
