import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { Client, everyEvent } from '../../client/index.ts'
import { cast } from '../support/cast.ts'
import { HttpReceiver } from '../support/http-receiver.ts'
import { isEveryCombination, itInSoak } from '../support/sample.ts'
import { newInstallation, ServerProcess, stopAll } from '../support/server-process.ts'

const KEY = cast.ada.apiKey
const FILED = { product: 'TestProduct', component: 'TestComponent', version: 'unspecified' }

// In parallel: each test spends most of its time waiting until jobs of the killed server may be retried.
describe('A server process', { concurrency: true }, () => {
  after(stopAll)

  for (const engine of isEveryCombination ? (['sqlite', 'postgres'] as const) : (['sqlite'] as const))
    it(`notifies webhooks, also of changes before a kill, and ends in good order, on ${engine}`, async (t) => {
      const receiver = new HttpReceiver()
      await receiver.open()
      t.after(() => receiver.close())
      const environment = await newInstallation(engine)
      const server = new ServerProcess(environment)
      const { url } = await server.listening()
      const ask = (path: string, body: object, method = 'POST', at = url) =>
        fetch(at + path, {
          method,
          headers: { 'Content-Type': 'application/json', 'X-TRACKER-API-KEY': KEY },
          body: JSON.stringify(body),
        })
      await ask('/rest/parameters', { webhook_networks: '127.0.0.1' }, 'PUT')
      assert.equal((await ask('/rest/webhook', { url: `${receiver.url}/hook` })).status, 201)
      const bug = { product: 'TestProduct', component: 'TestComponent', summary: 'Something is wrong' }
      assert.equal((await ask('/rest/bug', bug)).status, 200)
      await receiver.until('/hook', 1, 60_000)

      // The server is killed after the response and before the delivery.
      const changed = await Promise.all(
        Array.from({ length: 10 }, (_, count) => ask('/rest/bug/1001', { whiteboard: `Round ${count}` }, 'PUT')),
      )
      await server.stop('SIGKILL')
      assert.ok(changed.every(({ status }) => status === 200))
      const next = new ServerProcess(environment)
      await next.listening()
      // A delivery that was in progress at the kill may arrive twice.
      const ids = () => [...new Set(receiver.at('/hook').map(({ body }) => body.id as number))]
      for (let count = 1; ids().length < 11; count++) await receiver.until('/hook', 10 + count, 60_000)
      assert.deepEqual(
        ids(),
        Array.from({ length: 11 }, (_, index) => index + 1),
      )
      assert.equal(await next.stop(), 0)
    })

  itInSoak('is followed by the client while it is away, which loses and repeats no event', async () => {
    const environment = await newInstallation('sqlite')
    const server = new ServerProcess(environment)
    const { url } = await server.listening()
    let failures = 0
    const counting: typeof fetch = (...request) =>
      fetch(...request).catch((fault) => {
        failures++
        throw fault
      })
    const client = new Client({ url, apiKey: KEY, retries: 0, fetch: counting })
    const abort = new AbortController()
    const { next_cursor } = await client.get('/event')
    const { id } = await client.post('/bug', { ...FILED, summary: 'Before the restart' })
    const events = everyEvent(client, next_cursor, { signal: abort.signal })
    const seen = [(await events.next()).value?.bug_id]
    const next = events.next()
    await client.post('/bug', { ...FILED, summary: 'Just before the restart' })
    seen.push((await next).value?.bug_id)
    const away = events.next()
    await server.stop('SIGKILL')
    await assert.rejects(everyEvent(client, next_cursor, { giveUpAfterSeconds: 0 }).next(), { name: 'TypeError' })
    while (failures < 4) await Promise.race([away, new Promise((resolve) => setTimeout(resolve, 20))])
    const again = new ServerProcess({ ...environment, LACEWING_PORT: new URL(url).port })
    await again.listening()
    await client.post('/bug', { ...FILED, summary: 'After the restart' })
    seen.push((await away).value?.bug_id)
    assert.deepEqual(seen, [id, id + 1, id + 2])
    const last = events.next()
    await again.stop('SIGKILL')
    abort.abort()
    await assert.rejects(last, { name: 'AbortError' })
  })
})
