import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { attach } from '../support/attach.ts'
import { changeBug } from '../support/change-bug.ts'
import { EventSource, type FeedEvent } from '../support/event-source.ts'
import { fileBug } from '../support/file-bug.ts'
import { newType } from '../support/flags.ts'
import { newProduct } from '../support/new-product.ts'
import { type Client, describeOnEachEngine, itOnOneEngine } from '../support/world.ts'

describeOnEachEngine('GET /rest/event', (world) => {
  before(async () => {
    await world.ada.put('/rest/product/TestProduct/group_control/security', { membercontrol: 'Shown' })
  })

  it('returns only a cursor at first, for events from now on', async () => {
    await fileBug(world.edna)
    const { status, body } = await world.edna.get('/rest/event')
    assert.equal(status, 200)
    assert.deepEqual(body.events, [])
    assert.match(body.next_cursor, /^\d+$/)
  })

  it('returns every change once and in order, in pages', async () => {
    const start = await now(world.edna)
    const id = await fileBug(world.edna)
    for (const priority of ['High', 'Low', 'Normal']) await changeBug(world.edna, id, { priority })
    const events = []
    for (let after = start; ; ) {
      const { body } = await world.edna.get(`/rest/event?after=${after}&limit=3`)
      if (body.events.length === 0) break
      events.push(...body.events)
      after = body.next_cursor
    }
    assert.deepEqual(
      events.map(({ type, bug_id, user, changes }) => [type, bug_id, user, changes.map(({ added }) => added)]),
      [
        ['bug.create', id, 'edna@lacewing.test', []],
        ['bug.update', id, 'edna@lacewing.test', ['High']],
        ['bug.update', id, 'edna@lacewing.test', ['Low']],
        ['bug.update', id, 'edna@lacewing.test', ['Normal']],
      ],
    )
    const ids = events.map((event) => event.id)
    assert.deepEqual(
      ids,
      [...new Set(ids)].toSorted((a, b) => a - b),
    )
  })

  itOnOneEngine(world, 'waits for an event, at most as long as requested', async () => {
    const start = await now(world.edna)
    const began = performance.now()
    const waiting = world.edna.get(`/rest/event?after=${start}&wait=60`)
    await sleep(100)
    const id = await fileBug(world.edna)
    const { body } = await waiting
    assert.deepEqual(
      body.events.map(({ bug_id }) => bug_id),
      [id],
    )
    assert.ok(performance.now() - began < 60_000)

    const { body: empty } = await world.edna.get(`/rest/event?after=${body.next_cursor}&wait=1`)
    assert.deepEqual(empty, { events: [], next_cursor: body.next_cursor })
  })

  it('leaves out bugs that the caller may not see now, whatever they could see then', async () => {
    const start = await now(world.edna)
    const open = await fileBug(world.edna)
    const hidden = await fileBug(world.sven, { groups: ['security'] })
    assert.deepEqual(await bugsInFeedOf(world.stan, start), [open])
    assert.deepEqual(await bugsInFeedOf(world.sven, start), [open, hidden])
    await changeBug(world.sven, open, { groups: { add: ['security'] } })
    assert.deepEqual(await bugsInFeedOf(world.stan, start), [])
    assert.deepEqual(await bugsInFeedOf(world.nobody, start), [])
    assert.deepEqual(await bugsInFeedOf(world.sven, start), [open, hidden, open])
  })

  it('shows private comments and attachments only to insiders', async () => {
    await world.withParameters({ insidergroup: 'security' }, async () => {
      const id = await fileBug(world.edna)
      const start = await now(world.edna)
      await world.sven.post(`/rest/bug/${id}/comment`, { comment: 'Between us', is_private: true })
      await changeBug(world.sven, id, { priority: 'High', comment: { body: 'Between us', is_private: true } })
      await attach(world.sven, id, { is_private: true })
      const insider = await eventsFor(world.sven, start)
      assert.deepEqual(insider.map(shape), [
        ['comment.create', true, false, 0],
        ['bug.update', true, false, 1],
        ['attachment.create', true, true, 0],
      ])
      assert.deepEqual((await eventsFor(world.edna, start)).map(shape), [['bug.update', false, false, 1]])
    })
  })

  it('shows hours only to users who track time, and never the number of a hidden bug', async () => {
    await world.withParameters({ timetrackinggroup: 'security' }, async () => {
      const [id, hidden] = [await fileBug(world.edna), await fileBug(world.sven, { groups: ['security'] })]
      const start = await now(world.edna)
      await changeBug(world.sven, id, { estimated_time: 5 })
      await changeBug(world.sven, id, { depends_on: { add: [hidden] }, priority: 'High' })
      const fields = (events: readonly FeedEvent[]) => events.map(({ changes }) => changes.map((it) => it.field_name))
      assert.deepEqual(fields(await eventsFor(world.edna, start)), [['priority']])
      const all = fields(await eventsFor(world.sven, start)).flat()
      assert.ok(all.includes('estimated_time') && all.includes('depends_on') && all.includes('blocks'))
    })
  })

  itOnOneEngine(world, 'has events of bugs that a change of the configuration changes', async () => {
    const product = await newProduct(world)
    const place = { product: product.name, component: 'Core' }
    await world.ada.post(`/rest/product/${product.name}/milestone`, { name: 'M1' })
    const type = await newType(world, { target_type: 'bug', inclusions: [product.name] })
    const id = await fileBug(world.ada, {
      ...place,
      target_milestone: 'M1',
      flags: [{ type_id: type.id, status: '?' }],
    })
    const start = await now(world.edna)
    await world.ada.delete(`/rest/product/${product.name}/milestone/M1`)
    await world.ada.put(`/rest/flag_type/${type.id}`, { inclusions: ['TestProduct'] })
    await world.ada.put(`/rest/product/${product.name}/group_control/security`, {
      membercontrol: 'Mandatory',
      othercontrol: 'Mandatory',
    })
    const events = await eventsFor(world.sven, start)
    assert.deepEqual(
      events.map(({ bug_id, type, user, changes }) => [bug_id, type, user, changes[0].field_name]),
      ['target_milestone', 'flagtypes.name', 'groups'].map((field) => [id, 'bug.update', 'ada@lacewing.test', field]),
    )
    assert.deepEqual(await eventsFor(world.edna, start), [])
  })

  itOnOneEngine(world, 'refuses a cursor of another feed, and invalid waits and limits', async () => {
    for (const [query, code] of [
      ['after=x', 53],
      ['after=-1', 53],
      ['after=999999999', 53],
      ['after=99999999999999999999', 53],
      ['wait=-1', 55],
      ['wait=long', 52],
      ['limit=0', 55],
    ] as const) {
      const { status, body } = await world.edna.get(`/rest/event?${query}`)
      assert.deepEqual([query, status, body.code], [query, 400, code])
    }
  })

  itOnOneEngine(world, 'requires a login if requirelogin is on', async () => {
    await world.withParameters({ requirelogin: true }, async () => {
      const { status, body } = await world.nobody.get('/rest/event')
      assert.deepEqual([status, body.code], [401, 410])
    })
  })

  itOnOneEngine(world, 'streams events, and resumes where a stream was cut', async () => {
    const first = await EventSource.open(world, world.edna)
    const bugs = [await fileBug(world.edna), await fileBug(world.edna)]
    const events = await first.take(2)
    assert.deepEqual(
      events.map(({ bug_id }) => bug_id),
      bugs,
    )
    first.close()
    await changeBug(world.edna, bugs[0] as number, { priority: 'High' })
    const second = await EventSource.open(world, world.edna, { 'Last-Event-ID': first.lastEventId })
    assert.deepEqual(
      (await second.take(1)).map(({ type, bug_id }) => [type, bug_id]),
      [['bug.update', bugs[0]]],
    )
    second.close()
  })

  it('streams to each what they may see, and moves their place past what they may not', async () => {
    const [stan, sven] = [await EventSource.open(world, world.stan), await EventSource.open(world, world.sven)]
    const hidden = await fileBug(world.sven, { groups: ['security'] })
    const open = await fileBug(world.edna)
    assert.deepEqual(
      (await sven.take(2)).map(({ bug_id }) => bug_id),
      [hidden, open],
    )
    assert.deepEqual(
      (await stan.take(1)).map(({ bug_id }) => bug_id),
      [open],
    )
    stan.close()
    sven.close()
  })

  itOnOneEngine(world, 'ends the stream of a revoked key, and sends it no more events', async () => {
    const person = await world.newUser()
    const source = await EventSource.open(world, person.client)
    const keys = await world.ada.get(`/rest/user/${person.id}/api_key`)
    await world.ada.delete(`/rest/user/${person.id}/api_key/${keys.body.api_keys[0].id}`)
    await fileBug(world.edna)
    await source.ended
    assert.deepEqual(source.events, [])
  })

  it('ends the stream of a key or session that has ended, also if nothing happens', async () => {
    const person = await world.newUser({ password: 'a quiet afternoon' })
    const { body } = await world.nobody.get(`/rest/login?login=${person.login}&password=a+quiet+afternoon`)
    const session = await EventSource.open(world, world.as({ 'X-TRACKER-TOKEN': body.token }))
    const key = await EventSource.open(world, person.client)
    const password = { password: 'another afternoon', old_password: 'a quiet afternoon' }
    assert.equal((await person.client.put(`/rest/user/${person.id}`, password)).status, 200)
    await session.ended
    const keys = await world.ada.get(`/rest/user/${person.id}/api_key`)
    await world.ada.delete(`/rest/user/${person.id}/api_key/${keys.body.api_keys[0].id}`)
    await key.ended
  })

  it('ends the stream of a session at once, however the session ends', async () => {
    const person = await world.newUser({ password: 'a quiet afternoon' })
    const logIn = async () => {
      const { body } = await world.nobody.get(`/rest/login?login=${person.login}&password=a+quiet+afternoon`)
      return world.as({ 'X-TRACKER-TOKEN': body.token })
    }
    const endings: ((session: Client) => Promise<unknown>)[] = [
      (session) => session.get('/rest/logout'),
      async (session) => {
        const { sessions } = (await session.get('/rest/session')).body
        return person.client.delete(`/rest/session/${sessions.find(({ is_current }) => is_current).id}`)
      },
      () => person.client.delete('/rest/session/others'),
      () => person.client.delete(`/rest/user/${person.id}/credential`),
    ]
    for (const end of endings) {
      const session = await logIn()
      const source = await EventSource.open(world, session)
      await end(session)
      // Otherwise it would end with the next sign of life, after 20 seconds.
      const isEnded = await Promise.race([source.ended.then(() => true), sleep(10_000, false, { ref: false })])
      assert.ok(isEnded, end.toString())
    }
  })

  const stream = (who: Pick<Client, 'headers'>, method = 'GET') =>
    fetch(`${world.url}/rest/event`, { method, headers: { ...who.headers, Accept: 'text/event-stream' } })

  /** Waits until a listener that has gone is noticed. */
  async function openSoon(who: Pick<Client, 'headers'>) {
    for (let tries = 0; ; tries++) {
      const source = await EventSource.open(world, who).catch((fault) => fault as Error)
      if (source instanceof EventSource) return source
      assert.ok(tries < 100, source.message)
      await sleep(50)
    }
  }

  itOnOneEngine(world, 'limits the listeners of one account over all keys, and sends Retry-After', async () => {
    const person = await world.newUser()
    const { body: key } = await world.ada.post(`/rest/user/${person.id}/api_key`, { description: 'Another' })
    const again = world.as({ 'X-TRACKER-API-KEY': key.api_key })
    await world.withParameters({ feed_listeners: 2 }, async () => {
      // A HEAD request does not count as a listener.
      for (let count = 0; count < 3; count++) assert.equal((await stream(person.client, 'HEAD')).status, 200)
      const sources = [await EventSource.open(world, person.client), await EventSource.open(world, again)]
      for (const who of [person.client, again]) {
        const refused = await stream(who)
        assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '10'])
        const { code, message } = (await refused.json()) as { code: number; message: string }
        assert.equal(code, 32000)
        assert.match(message, /^You have too many listeners: at most 2 are allowed at once\./)
        const poll = await who.get('/rest/event?wait=5')
        assert.deepEqual([poll.status, poll.body.code, poll.headers.get('retry-after')], [429, 32000, '10'])
      }
      // Who does not wait takes no place, and no other user's are taken.
      const start = await now(person.client)
      const other = await EventSource.open(world, world.stan)
      const id = await fileBug(world.edna)
      assert.deepEqual(await bugsInFeedOf(person.client, start), [id])
      assert.equal((await person.client.get(`/rest/event?after=${start}&wait=5`)).status, 200)
      for (const source of [...sources, other]) assert.equal((await source.take(1))[0]?.bug_id, id)

      sources[0]?.close()
      const next = await openSoon(again)
      assert.equal((await stream(again)).status, 429)
      for (const source of [...sources, next, other]) source.close()
    })
  })

  itOnOneEngine(world, 'counts a request that waits, only as long as it waits', async () => {
    const { client } = await world.newUser()
    await world.withParameters({ feed_listeners: 1 }, async () => {
      for (let count = 0; count < 3; count++) assert.equal((await client.get('/rest/event?wait=1')).status, 200)
      const waiting = client.get('/rest/event?wait=20')
      await sleep(300)
      assert.equal((await stream(client)).status, 429)
      assert.equal((await client.get('/rest/event?wait=1')).status, 429)
      const id = await fileBug(world.edna)
      assert.deepEqual(
        (await waiting).body.events.map(({ bug_id }) => bug_id),
        [id],
      )
      const source = await EventSource.open(world, client)
      source.close()
    })
  })

  itOnOneEngine(world, 'counts anonymous callers by address, and does not limit those on this machine', async () => {
    const from = (address: string) => world.as({ 'X-Forwarded-For': address })
    await world.withParameters({ feed_listeners: 1, inbound_proxies: '127.0.0.1,::1' }, async () => {
      const first = await EventSource.open(world, from('203.0.113.7'))
      assert.equal((await stream(from('203.0.113.7'))).status, 429)
      const second = await EventSource.open(world, from('203.0.113.8'))
      const sixth = await EventSource.open(world, from('2001:db8::1'))
      assert.equal((await stream(from('2001:db8::2'))).status, 429)
      const elsewhere = await EventSource.open(world, from('2001:db8:0:1::2'))
      const here = [await EventSource.open(world, world.nobody), await EventSource.open(world, world.nobody)]
      for (const source of [first, second, sixth, elsewhere, ...here]) source.close()
    })
    await world.withParameters({ feed_listeners: 0 }, async () => {
      const sources = await Promise.all(Array.from({ length: 120 }, () => EventSource.open(world, world.rhea)))
      for (const source of sources) source.close()
    })
  })
})

async function now(who: Client): Promise<string> {
  return (await who.get('/rest/event')).body.next_cursor
}

async function eventsFor(who: Client, after: string) {
  return (await who.get(`/rest/event?after=${after}`)).body.events
}

async function bugsInFeedOf(who: Client, after: string): Promise<number[]> {
  return (await eventsFor(who, after)).map(({ bug_id }) => bug_id)
}

function shape({ type, comment_id, attachment_id, changes }: FeedEvent) {
  return [type, comment_id !== undefined, attachment_id !== undefined, changes.length]
}
