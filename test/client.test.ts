import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it, mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { addressOf, Client, everyBug, everyEvent, RestError } from '../client/index.ts'
import { cast } from './support/cast.ts'
import { describeOnEachEngine, type World } from './support/world.ts'

const FILED = { product: 'TestProduct', component: 'TestComponent', version: 'unspecified' }

const clientOf = ({ url }: World, more: { apiKey?: string } = {}) =>
  new Client({ url, apiKey: cast.ada.apiKey, ...more })

describeOnEachEngine('the typed client', (world) => {
  it('files, changes, reads and refuses', async () => {
    const client = clientOf(world)
    const { id } = await client.post('/bug', { ...FILED, summary: 'From a program', cc: [cast.edna.login] })
    await client.put('/bug/:ref', { ref: id, cc: { remove: [cast.edna.login] }, whiteboard: 'typed' })
    const { bugs } = await client.get('/bug/:ref', { ref: id, include_fields: 'id,whiteboard,cc' })
    assert.deepEqual(bugs, [{ id, whiteboard: 'typed', cc: [] }])
    // @ts-expect-error: the summary was not requested.
    assert.equal(bugs[0]?.summary, undefined)
    await client.post('/bug/:ref/comment', { ref: id, comment: 'A & B' })
    const comments = await client.read(addressOf('/bug/:ref/comment', { ref: id, include_fields: 'count,text' }))
    assert.deepEqual(comments.bugs[id]?.comments, [
      { count: 0, text: '' },
      { count: 1, text: 'A & B' },
    ])
    const refusal = await client.get('/bug/:ref', { ref: 'no/such alias' }).catch((fault: unknown) => fault)
    assert.ok(refusal instanceof RestError)
    assert.deepEqual([refusal.status, refusal.code, refusal.reason], [400, 100, 'no_such_alias'])
    assert.deepEqual(refusal.values, { ref: 'no/such alias' })
    // @ts-expect-error: a call that does not exist.
    await assert.rejects(client.get('/bugs'), { code: 32614 })
    // @ts-expect-error: a parameter that does not exist.
    await client.get('/product', { typ: 'accessible' })
  })

  it('gives the clients of tests the types of what they read', async () => {
    const { id } = (await world.ada.post('/rest/bug', { ...FILED, summary: 'Read by a test' })).body
    const query = '?include_fields=id'
    const { bugs } = (await world.ada.get(`/rest/bug/${id}${query}`)).body
    // @ts-expect-error: a field that no bug has.
    assert.deepEqual([bugs[0].id, bugs[0].sumary], [id, undefined])
    const { body: history } = await world.ada.get(`/rest/bug/${id}/history${query}`)
    // @ts-expect-error: a field that no history has.
    assert.equal(history.bugs[0].changes, undefined)
    const { body: refused } = await world.ada.put('/rest/bug/4711', {})
    assert.equal(refused.reason, 'no_such_bug')
    const { body: nowhere } = await world.ada.get('/rest/bugs')
    // @ts-expect-error: only an error is where no call is.
    assert.deepEqual([nowhere.code, nowhere.bugs], [32614, undefined])
  })

  it('reads every bug of a search, page by page', async () => {
    const client = clientOf(world)
    const summary = `paged ${world.url}`
    const ids: number[] = []
    for (let made = 0; made < 5; made++) ids.push((await client.post('/bug', { ...FILED, summary })).id)
    const found: number[] = []
    const search = { short_desc: summary, short_desc_type: 'equals', order: 'bug_id', limit: 2, include_fields: 'id' }
    for await (const bug of everyBug(client, search)) found.push(Number(bug.id))
    assert.deepEqual(found, ids)
  })

  it('reads events as they happen, from where it stopped', async () => {
    const client = clientOf(world)
    const abort = new AbortController()
    const { next_cursor } = await client.get('/event')
    const { id } = await client.post('/bug', { ...FILED, summary: 'An event' })
    const events = everyEvent(client, next_cursor, { signal: abort.signal })
    assert.equal((await events.next()).value?.bug_id, id)
    const next = events.next()
    await client.post('/bug/:ref/comment', { ref: id, comment: 'Another event' })
    assert.ok((await next).value?.comment_id)
    const last = events.next()
    abort.abort()
    await assert.rejects(last, { name: 'AbortError' })
  })

  it('sends a request again only if that is safe, and carries out each once', async () => {
    const proxy = await unreliableProxy(world.url)
    try {
      const client = new Client({ url: proxy.url, apiKey: cast.ada.apiKey })
      const summary = `once ${proxy.url}`
      proxy.faults.push('lose the response', 'lose the response', 'busy')
      const { id } = await client.post('/bug', { ...FILED, summary }, { once: true })
      const found = await client.get('/bug', { short_desc: summary, short_desc_type: 'equals', include_fields: 'id' })
      assert.deepEqual(found.bugs, [{ id }])
      proxy.faults.push('lose the response')
      await assert.rejects(client.post('/bug/:ref/comment', { ref: id, comment: 'Lost' }), { name: 'TypeError' })
      proxy.faults.push('busy')
      await assert.rejects(client.post('/bug/:ref/comment', { ref: id, comment: 'Perhaps' }), { status: 503 })
      proxy.faults.push('redirect')
      await assert.rejects(client.put('/bug/:ref', { ref: id, priority: 'High' }), { status: 301, code: 0 })
      await assert.rejects(
        client.delete('/product/:product/version/:version', { product: 'TestProduct', version: '..' }),
        {
          code: 51,
        },
      )
      proxy.faults.push('busy', 'lose the response', 'busy')
      assert.equal((await client.get('/bug/:ref', { ref: id })).bugs[0]?.id, id)
      proxy.faults.push('busy', 'busy', 'busy', 'busy')
      await assert.rejects(client.get('/version'), { status: 503 })
      assert.deepEqual(proxy.faults, [])
    } finally {
      await proxy.close()
    }
  })
})

type Fault = 'lose the response' | 'busy' | 'redirect'

/** Passes requests on to a server, with one fault per request as long as there are any. */
async function unreliableProxy(target: string) {
  const faults: Fault[] = []
  const server = createServer((incoming: IncomingMessage, outgoing: ServerResponse) => {
    const fault = faults.shift()
    if (fault === 'busy') return outgoing.writeHead(503, { 'Retry-After': '0' }).end()
    if (fault === 'redirect') return outgoing.writeHead(301, { Location: `${target}/rest/version` }).end()
    const headers = { ...incoming.headers, host: new URL(target).host }
    const passed = request(target + incoming.url, { method: incoming.method, headers }, (response) => {
      if (fault === 'lose the response') {
        response.resume().on('end', () => incoming.socket.destroy())
        return
      }
      outgoing.writeHead(response.statusCode ?? 500, response.headers)
      response.pipe(outgoing)
    })
    incoming.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  }
  return { url: `http://127.0.0.1:${port}`, faults, close }
}

describe('the typed client, with servers that are strange', () => {
  /** A client whose server answers with this, in a later turn. */
  const clientOfBody = (body: () => string, calls: string[] = []) =>
    new Client({
      url: 'http://tracker.test',
      fetch: async (address, request) => {
        calls.push(String(address))
        await turn()
        request?.signal?.throwIfAborted()
        return new Response(body())
      },
    })

  it('takes an error with status 200 for one, as Bugzilla sends it', async () => {
    const client = clientOfBody(() => '{"error":true,"code":100500,"message":"It crashed."}')
    await assert.rejects(client.get('/version'), { code: 100500, status: 200, message: 'It crashed.' })
  })

  it('sends nothing again that failed for another reason than the connection', async () => {
    const calls: string[] = []
    const client = clientOfBody(() => {
      throw new Error('The answer is too large.')
    }, calls)
    await assert.rejects(client.get('/version'), { message: 'The answer is too large.' })
    assert.equal(calls.length, 1)
  })

  it('does not ask a feed that answers at once as often as it answers', async () => {
    const calls: string[] = []
    const stop = new AbortController()
    const client = clientOfBody(() => '{"events":[],"next_cursor":"5"}', calls)
    mock.timers.enable({ apis: ['setTimeout'] })
    try {
      const next = everyEvent(client, '0', { signal: stop.signal }).next()
      const ended = assert.rejects(next, { message: 'over' })
      for (let turns = 0; turns < 100; turns++) await turn()
      assert.equal(calls.length, 1)
      mock.timers.tick(1000)
      for (let turns = 0; turns < 100; turns++) await turn()
      assert.equal(calls.length, 2)
      stop.abort(new Error('over'))
      await ended
    } finally {
      stop.abort()
      mock.timers.reset()
    }
  })
})
