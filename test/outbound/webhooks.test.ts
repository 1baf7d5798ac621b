import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { cast } from '../support/cast.ts'
import { fileBug } from '../support/file-bug.ts'
import { HttpReceiver, type Manner, type Received, type WebhookMessage } from '../support/http-receiver.ts'
import { newMember } from '../support/new-member.ts'
import { assertRefused } from '../support/refusal.ts'
import type { SureList } from '../support/sure-list.ts'
import { until } from '../support/until.ts'
import {
  type Client,
  describeDeliveryOnOneEngine,
  describeWithDelivery,
  itOnOneEngine,
  type World,
} from '../support/world.ts'

/** The receiver is on a private network, which webhooks may not reach without this setting. */
const HERE = '127.0.0.1/32'

/** A receiver, and a function that registers webhooks to it. */
function hooksIn(world: World) {
  const receiver = new HttpReceiver()
  before(async () => {
    await receiver.open()
    await world.ada.put('/rest/parameters', { webhook_networks: HERE })
    await world.ada.put('/rest/product/TestProduct/group_control/security', { membercontrol: 'Shown' })
  })
  after(() => receiver.close())

  const hookOf = async (owner: Client, format: Manner = 204, more: object = {}) => {
    const path = `/${world.unique('hook')}`
    receiver.manners.set(path, format)
    const { body } = await owner.post('/rest/webhook', { url: receiver.url + path, ...more })
    const own = `/rest/webhook/${body.id}` as const
    return {
      id: Number(body.id),
      path,
      secret: body.secret as string,
      own,
      state: async () => (await owner.get(own)).body.webhooks[0],
      log: async () => (await owner.get(`${own}/delivery`)).body.deliveries,
      received: (count: number) => receiver.until(path, count),
      /** Waits until the log has this number of attempts. */
      logged: (count: number) =>
        until(async () => {
          const { deliveries } = (await owner.get(`${own}/delivery`)).body
          return deliveries.length >= count && deliveries
        }),
    }
  }
  return { receiver, hookOf }
}

function isSigned(secret: string, { headers, text }: Received) {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`
  const right = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
  return String(headers['webhook-signature']).split(' ').includes(right)
}

const kinds = (received: readonly Received[]) => received.map(({ body }) => body.type)

describeDeliveryOnOneEngine('A webhook', (world) => {
  const { receiver, hookOf } = hooksIn(world)

  it('gets all events of bugs, in order and signed', async () => {
    const hook = await hookOf(world.edna)
    const id = await fileBug(world.edna)
    await world.edna.put(`/rest/bug/${id}`, { whiteboard: 'one', comment: { body: 'Said' } })
    const comment = await world.edna.post(`/rest/bug/${id}/comment`, { comment: 'Hello' })
    const attached = await world.edna.post(`/rest/bug/${id}/attachment`, {
      data: Buffer.from('content').toString('base64'),
      file_name: 'a.txt',
      summary: 'A file',
      content_type: 'text/plain',
    })
    const [attachment] = attached.body.ids
    await world.edna.put(`/rest/bug/attachment/${attachment}`, { summary: 'Another name' })
    const received = await hook.received(5)
    assert.deepEqual(kinds(received), [
      'bug.create',
      'bug.update',
      'comment.create',
      'attachment.create',
      'attachment.update',
    ])
    const [, update, said, file, renamed] = received.map(({ body }) => body) as SureList<WebhookMessage>
    assert.deepEqual(Object.keys(update).sort(), ['data', 'id', 'timestamp', 'type', 'version'])
    assert.equal(update.version, 1)
    assert.deepEqual(update.data.changes, [{ field_name: 'whiteboard', removed: '', added: 'one' }])
    assert.equal(update.data.bug_id, id)
    assert.equal(update.data.user, cast.edna.login)
    assert.equal(said.data.comment_id, comment.body.id)
    assert.equal(file.data.attachment_id, attachment)
    assert.equal(renamed.data.attachment_id, attachment)
    const ids = received.map(({ body }) => Number(body.id))
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    )
    for (const it of received) {
      assert.ok(isSigned(hook.secret, it))
      assert.equal(it.headers['webhook-id'], `msg_${hook.id}_${it.body.id}`)
      assert.ok(Math.abs(Number(it.headers['webhook-timestamp']) - Date.now() / 1000) < 60)
      assert.equal(it.headers['content-type'], 'application/json')
      assert.match(String(it.headers['user-agent']), /^Lacewing\//)
    }
  })

  it('gets only the events, the product and the component of its filter', async () => {
    const product = world.unique('Filtered')
    await world.ada.post('/rest/product', { name: product, description: 'd', version: '1', is_open: true })
    for (const name of ['one', 'two'])
      await world.ada.post('/rest/component', { product, name, description: 'd', default_assignee: cast.ada.login })
    const all = await hookOf(world.edna)
    const ofKind = await hookOf(world.edna, 204, { events: ['comment.create'] })
    const ofProduct = await hookOf(world.edna, 204, { product })
    const ofComponent = await hookOf(world.edna, 204, { product, component: 'two' })
    await fileBug(world.edna)
    const one = await fileBug(world.edna, { product, component: 'one', version: '1' })
    const two = await fileBug(world.edna, { product, component: 'two', version: '1' })
    await world.edna.post(`/rest/bug/${one}/comment`, { comment: 'Hello' })
    await world.edna.put(`/rest/bug/${two}`, { component: 'one' })
    await all.received(5)
    await ofProduct.received(4)
    const shown = async (hook: typeof all, count: number) =>
      (await hook.received(count)).map(({ body }) => [body.type, body.data.bug_id])
    assert.deepEqual(await shown(ofKind, 1), [['comment.create', one]])
    assert.deepEqual(await shown(ofProduct, 4), [
      ['bug.create', one],
      ['bug.create', two],
      ['comment.create', one],
      ['bug.update', two],
    ])
    // Also the event that moves the bug away.
    assert.deepEqual(await shown(ofComponent, 2), [
      ['bug.create', two],
      ['bug.update', two],
    ])
  })

  it('gets exactly what its owner may see', async () => {
    await world.withParameters({ insidergroup: 'security' }, async () => {
      const [insider, outsider] = [await hookOf(world.sven), await hookOf(world.stan)]
      const hidden = await fileBug(world.sven, { groups: ['security'] })
      const open = await fileBug(world.edna)
      await world.sven.post(`/rest/bug/${open}/comment`, { comment: 'Secret', is_private: true })
      await world.sven.put(`/rest/bug/${open}`, { depends_on: { add: [hidden] }, estimated_time: 3 })
      await world.sven.put(`/rest/bug/${open}`, { depends_on: { remove: [hidden] } })
      await world.edna.put(`/rest/bug/${open}`, { whiteboard: 'last' })
      const seen = (received: Received[]) =>
        received.map(({ body }) => [body.type, body.data.bug_id, body.data.changes.map((it) => it.field_name).join()])
      const ofInsider = seen(
        await until(async () => receiver.at(insider.path).length >= 8 && receiver.at(insider.path)),
      )
      assert.deepEqual(ofInsider, [
        ['bug.create', hidden, ''],
        ['bug.create', open, ''],
        ['comment.create', open, ''],
        ['bug.update', open, 'estimated_time,depends_on'],
        ['bug.update', hidden, 'blocks'],
        ['bug.update', open, 'depends_on'],
        ['bug.update', hidden, 'blocks'],
        ['bug.update', open, 'whiteboard'],
      ])
      await outsider.received(2)
      assert.deepEqual(seen(receiver.at(outsider.path)), [
        ['bug.create', open, ''],
        ['bug.update', open, 'whiteboard'],
      ])
      assert.equal((await outsider.logged(2)).length, 2)
    })
  })

  it('gets nothing that its owner may no longer see when it is sent', async () => {
    const owner = await world.newUser({ groups: { add: ['security'] } })
    await world.ada.put(`/rest/user/${owner.id}`, { groups: { add: ['security'] } })
    const hook = await hookOf(owner.client, 500)
    const id = await fileBug(world.sven, { groups: ['security'] })
    await hook.received(1)
    await hook.logged(1)
    await world.ada.put(`/rest/user/${owner.id}`, { groups: { remove: ['security'] } })
    receiver.manners.set(hook.path, 204)
    await owner.client.put(hook.own, { is_active: true })
    const open = await fileBug(world.edna)
    const received = await hook.received(2)
    assert.deepEqual(
      received.map(({ body }) => body.data.bug_id),
      [id, open],
    )
  })

  it('gets nothing while its owner’s account is disabled', async () => {
    const owner = await world.newUser()
    const hook = await hookOf(owner.client)
    const other = await hookOf(world.edna)
    await world.ada.put(`/rest/user/${owner.id}`, { login_denied_text: 'Away' })
    await fileBug(world.edna)
    await other.received(1)
    await world.ada.put(`/rest/user/${owner.id}`, { login_denied_text: '' })
    const id = await fileBug(world.edna)
    const [first] = await hook.received(1)
    assert.equal(first?.body.data.bug_id, id)
  })

  it('gets nothing while its owner is not in the group that may have webhooks', async () => {
    const group = await world.newGroup()
    const owner = await newMember(world, group.name)
    const inGroup = (change: 'add' | 'remove') =>
      world.ada.put(`/rest/user/${owner.id}`, { groups: { [change]: [group.name] } })
    const edna = await newMember(world, group.name)
    await world.withParameters({ webhookgroup: group.name }, async () => {
      const [hook, other] = [await hookOf(owner.client), await hookOf(edna.client)]
      await inGroup('remove')
      const missed = await fileBug(world.edna)
      await other.received(1)
      const [attempt] = await hook.logged(1)
      assert.deepEqual(
        [attempt.outcome, attempt.bug_id, attempt.fault],
        ['dropped', missed, 'its owner is not in the group of the parameter webhookgroup'],
      )
      assert.equal((await hook.state()).state, 'owner_not_allowed')
      for (const change of [{ url: `${receiver.url}/elsewhere` }, { is_active: true }, { new_secret: true }])
        assertRefused(await owner.client.put(hook.own, change), 401, 304)
      assertRefused(await owner.client.post('/rest/webhook', { url: receiver.url }), 401, 304)
      const again = await owner.client.post(`${hook.own}/delivery/${attempt.id}/redeliver`)
      assert.equal(again.status, 201)
      assert.equal((await hook.logged(2))[0].outcome, 'dropped')
      assert.equal((await owner.client.put(hook.own, { is_active: false })).status, 200)
      await inGroup('add')
      assert.equal((await owner.client.put(hook.own, { is_active: true })).status, 200)
      assert.equal((await hook.state()).state, 'active')
      const id = await fileBug(world.edna)
      const [first] = await hook.received(1)
      assert.equal(first?.body.data.bug_id, id)
    })
  })

  it('does not get events from the time when it was off', async () => {
    const hook = await hookOf(world.edna, 204, { is_active: false })
    const other = await hookOf(world.edna)
    await fileBug(world.edna)
    await other.received(1)
    await world.edna.put(hook.own, { is_active: true })
    const id = await fileBug(world.edna)
    const [first] = await hook.received(1)
    assert.equal(first?.body.data.bug_id, id)
  })

  it('is also signed with the old secret for a while after a new one was created', async () => {
    const hook = await hookOf(world.edna)
    const { body } = await world.edna.put(hook.own, { new_secret: true })
    await fileBug(world.edna)
    const [first] = (await hook.received(1)) as [Received]
    assert.ok(isSigned(hook.secret, first))
    assert.ok(isSigned(body.webhooks[0].secret, first))
    assert.equal(String(first.headers['webhook-signature']).split(' ').length, 2)
  })
})

describeDeliveryOnOneEngine('A webhook whose receiver fails', (world) => {
  const { receiver, hookOf } = hooksIn(world)

  for (const [manner, status, fault] of [
    [500, 500, 'the receiver answered 500'],
    [302, 302, 'the receiver answered 302'],
    ['drop', null, 'the connection was dropped before the response'],
    ['not http', null, 'the response is not HTTP'],
  ] as const)
    it(`says so in its state and log, and is tried again: ${manner}`, async () => {
      const hook = await hookOf(world.edna, manner)
      const id = await fileBug(world.edna)
      const [attempt] = await hook.logged(1)
      const { id: _, event_id, message_id, time, milliseconds, ...rest } = attempt
      assert.deepEqual(rest, { event: 'bug.create', bug_id: id, attempt: 1, status, fault, outcome: 'failed' })
      assert.equal(message_id, `msg_${hook.id}_${event_id}`)
      assert.ok(milliseconds >= 0 && Math.abs(Date.parse(time) - Date.now()) < 20_000)
      const state = await hook.state()
      assert.deepEqual(
        [state.state, state.last_fault, state.waiting, state.is_active, state.failing_since],
        ['failing', fault, 1, true, time],
      )
      const wait = Date.parse(state.next_try_time) - Date.parse(time)
      assert.ok(wait > 3000 && wait < 15_000, `${wait}`)

      receiver.manners.set(hook.path, 204)
      await world.edna.put(hook.own, { is_active: true })
      const [again] = await hook.logged(2)
      assert.deepEqual([again.attempt, again.outcome, again.status], [2, 'delivered', 204])
      const [first, second] = receiver.at(hook.path)
      assert.equal(first?.headers['webhook-id'], second?.headers['webhook-id'])
      const healed = await until(async () => {
        const now = await hook.state()
        return now.waiting === 0 && now
      })
      assert.deepEqual(
        [healed.state, healed.last_fault, healed.failing_since, healed.next_try_time, healed.last_delivery_time],
        ['active', null, null, null, again.time],
      )
    })

  const inTwoHours = () => new Date(Date.now() + 7_200_000).toUTCString()
  for (const [status, retryAfter, least, most] of [
    [429, () => '3600', 3600, 3600],
    [503, inTwoHours, 7200, 7200],
    [503, () => '999999999', 86_400, 86_400],
    // Less than it would wait anyhow, or nothing to go by.
    [429, () => '1', 9, 11],
    [503, () => 'later', 9, 11],
    [500, () => '3600', 9, 11],
  ] as const)
    it(`leaves a receiver alone that answers ${status} and asks for it: ${retryAfter()}`, async () => {
      const hook = await hookOf(world.edna, { status, retryAfter: retryAfter() })
      await fileBug(world.edna)
      const [{ time }] = await hook.logged(1)
      const { next_try_time, state } = await hook.state()
      const waits = (Date.parse(next_try_time) - Date.parse(time)) / 1000
      assert.equal(state, 'failing')
      assert.ok(waits >= least - 2 && waits <= most + 5, `${waits} seconds`)
    })

  it('gets missed events in order, each once, when it works again', async () => {
    const hook = await hookOf(world.edna, 503)
    const id = await fileBug(world.edna)
    await hook.logged(1)
    for (let count = 0; count < 20; count++) await world.edna.put(`/rest/bug/${id}`, { whiteboard: `Round ${count}` })
    await until(async () => (await hook.state()).waiting === 21)
    receiver.manners.set(hook.path, 204)
    await world.edna.put(hook.own, { is_active: true })
    await until(async () => (await hook.state()).waiting === 0)
    // The first event was sent more than once. On a slow machine it was also retried during the changes.
    const changes = receiver.at(hook.path).filter(({ body }) => body.type === 'bug.update')
    assert.deepEqual(
      changes.map(({ body }) => body.data.changes[0].added),
      Array.from({ length: 20 }, (_, count) => `Round ${count}`),
    )
  })

  it('delays neither writes nor other webhooks', async () => {
    const hanging = await Promise.all(Array.from({ length: 5 }, () => hookOf(world.edna, 'hang')))
    const other = await hookOf(world.edna)
    const started = Date.now()
    const id = await fileBug(world.edna)
    for (let count = 0; count < 10; count++) await world.edna.put(`/rest/bug/${id}`, { whiteboard: `Round ${count}` })
    await other.received(11)
    assert.ok(Date.now() - started < 15_000, 'they hang for 15 seconds')
    for (const hook of hanging) assert.equal(receiver.at(hook.path).length, 1)
  })

  it('is disabled with a reason if the receiver is permanently gone', async () => {
    const hook = await hookOf(world.edna, 410)
    await fileBug(world.edna)
    await hook.logged(1)
    const state = await until(async () => {
      const now = await hook.state()
      return now.state === 'off' && now
    })
    assert.deepEqual([state.is_active, state.last_fault, state.waiting], [false, 'the receiver answered 410', 0])
  })

  it('is not sent to a forbidden address, even if it was created before the address was forbidden', async () => {
    const hook = await hookOf(world.edna)
    await world.withParameters({ webhook_networks: '' }, async () => {
      await fileBug(world.edna)
      const [attempt] = await hook.logged(1)
      assert.match(attempt.fault, /not a public one/)
    })
    assert.equal(receiver.at(hook.path).length, 0)
  })

  it('follows a redirect that keeps the body, but not to a private network', async () => {
    const end = `/${world.unique('end')}`
    const hook = await hookOf(world.edna, { redirect: end, status: 308 })
    const inside = await hookOf(world.edna, { redirect: 'http://127.0.0.2:1/', status: 307 })
    await fileBug(world.edna)
    const [attempt] = await hook.logged(1)
    assert.deepEqual([attempt.outcome, receiver.at(end).length], ['delivered', 1])
    const [refused] = await inside.logged(1)
    assert.match(refused.fault, /not a public one/)
  })
})

describeWithDelivery('The deliveries of a webhook', (world) => {
  const { receiver, hookOf } = hooksIn(world)

  describe('POST /rest/webhook/(id)/test', () => {
    it('sends a signed message about no bug, once, which is in the log and can be sent again', async () => {
      const hook = await hookOf(world.edna, 500)
      const { status, body } = await world.edna.post(`${hook.own}/test`)
      assert.equal(status, 201)
      const [first] = await hook.received(1)
      assert.ok(first && isSigned(hook.secret, first))
      assert.equal(first.headers['webhook-id'], body.message_id)
      assert.deepEqual([first.body.type, first.body.data], ['webhook.test', { user: cast.edna.login }])
      const [failed] = await hook.logged(1)
      assert.deepEqual(
        [failed?.event, failed?.event_id, failed?.bug_id, failed?.outcome, failed?.status, failed?.fault],
        ['webhook.test', null, null, 'failed', 500, 'the receiver answered 500'],
      )
      assert.equal((await hook.state()).state, 'failing')
      receiver.manners.set(hook.path, 204)
      assert.equal((await world.edna.post(`${hook.own}/delivery/${failed?.id}/redeliver`)).status, 201)
      const [delivered] = await hook.logged(2)
      assert.deepEqual([delivered?.outcome, delivered?.message_id], ['delivered', body.message_id])
      assert.notEqual((await world.edna.post(`${hook.own}/test`)).body.message_id, body.message_id)
      assert.deepEqual([(await hook.logged(3)).length, (await hook.state()).state], [3, 'active'])
    })

    it('is refused for others and for a webhook that is off, and is not sent for an owner outside webhookgroup', async () => {
      const owner = await world.newUser()
      const hook = await hookOf(owner.client, 204)
      assertRefused(await world.stan.post(`${hook.own}/test`), 404, 51)
      assertRefused(await world.nobody.post(`${hook.own}/test`), 401, 410)
      assert.equal((await owner.client.get('/rest/webhook')).body.may_create, true)
      await world.ada.put('/rest/parameters', { webhookgroup: 'editbugs' })
      try {
        assert.equal((await owner.client.get('/rest/webhook')).body.may_create, false)
        await owner.client.post(`${hook.own}/test`)
        const [dropped] = await hook.logged(1)
        assert.deepEqual([dropped?.outcome, dropped?.status], ['dropped', null])
      } finally {
        await world.ada.put('/rest/parameters', { webhookgroup: '' })
      }
      await owner.client.put(hook.own, { is_active: false })
      assertRefused(await owner.client.post(`${hook.own}/test`), 400, 32000)
    })
  })

  describe('POST /rest/webhook/(id)/delivery/(delivery)/redeliver', () => {
    itOnOneEngine(world, 'repeats a delivery with the same id and its own line in the log', async () => {
      const hook = await hookOf(world.edna)
      await fileBug(world.edna)
      const [delivery] = await hook.logged(1)
      const { status, body } = await world.edna.post(`${hook.own}/delivery/${delivery.id}/redeliver`)
      assert.equal(status, 201)
      assert.deepEqual(body, { id: delivery.id, message_id: delivery.message_id })
      const [first, second] = await hook.received(2)
      assert.equal(first?.headers['webhook-id'], second?.headers['webhook-id'])
      assert.equal(first?.text, second?.text)
      const log = await hook.logged(2)
      assert.deepEqual(
        log.map(({ outcome, event_id }) => [outcome, event_id]),
        [
          ['delivered', delivery.event_id],
          ['delivered', delivery.event_id],
        ],
      )
    })

    itOnOneEngine(world, 'does not wait for undeliverable messages, and makes one attempt', async () => {
      const hook = await hookOf(world.edna, 500)
      await fileBug(world.edna)
      await fileBug(world.edna)
      const [delivery] = await hook.logged(1)
      await world.edna.post(`${hook.own}/delivery/${delivery.id}/redeliver`)
      await hook.logged(2)
      assert.equal((await hook.state()).waiting, 2)
      receiver.manners.set(hook.path, 204)
      await world.edna.post(`${hook.own}/delivery/${delivery.id}/redeliver`)
      const [last] = await hook.logged(3)
      assert.equal(last.outcome, 'delivered')
    })

    itOnOneEngine(world, 'contains only what the owner may see now', async () => {
      const owner = await world.newUser()
      await world.ada.put(`/rest/user/${owner.id}`, { groups: { add: ['security'] } })
      const hook = await hookOf(owner.client)
      await fileBug(world.sven, { groups: ['security'] })
      const [delivery] = await hook.logged(1)
      await world.ada.put(`/rest/user/${owner.id}`, { groups: { remove: ['security'] } })
      await owner.client.post(`${hook.own}/delivery/${delivery.id}/redeliver`)
      await fileBug(world.edna)
      await hook.received(2)
      assert.deepEqual(receiver.at(hook.path).filter(({ body }) => body.id === delivery.event_id).length, 1)
    })

    it('needs the owner, an enabled webhook, and a delivery of this webhook', async () => {
      const [hook, other] = [await hookOf(world.edna), await hookOf(world.edna)]
      await fileBug(world.edna)
      const [delivery] = await hook.logged(1)
      const path = `/delivery/${delivery.id}/redeliver`
      assertRefused(await world.stan.post(hook.own + path), 404, 51)
      assertRefused(await world.nobody.post(hook.own + path), 401, 410)
      assertRefused(await world.edna.post(other.own + path), 404, 51)
      assertRefused(await world.edna.post(`${hook.own}/delivery/4711/redeliver`), 404, 51)
      // What administrators send for others is in the audit log, and what owners send is not.
      for (const who of [world.edna, world.ada])
        for (const sent of [path, '/test']) assert.equal((await who.post(hook.own + sent)).status, 201)
      const { body: log } = await world.ada.get(`/rest/audit?class=Tracker::Webhook&id=${hook.own.split('/').at(-1)}`)
      assert.deepEqual(
        log.audit.map(({ who, field, added }) => [who, field, added !== '']).sort(),
        ['sent_again', 'test_sent'].map((field) => [cast.ada.login, field, true]),
      )
      await world.edna.put(hook.own, { is_active: false })
      assertRefused(await world.edna.post(hook.own + path), 400, 32000)
    })
  })

  describe('GET /rest/webhook/(id)/delivery', () => {
    it('lists the attempts in pages, newest first, filtered by outcome and bug', async () => {
      const hook = await hookOf(world.edna)
      const bugs = [await fileBug(world.edna), await fileBug(world.edna), await fileBug(world.edna)]
      const log = await hook.logged(3)
      assert.deepEqual(
        log.map((it) => it.bug_id),
        bugs.toReversed(),
      )
      const get = async (query: string) => (await world.edna.get(`${hook.own}/delivery?${query}`)).body.deliveries
      assert.deepEqual(await get('limit=2'), log.slice(0, 2))
      assert.deepEqual(await get(`limit=2&before=${log[1]?.id}`), log.slice(2))
      assert.deepEqual(await get(`bug_id=${bugs[1]}`), [log[1]])
      assert.deepEqual(await get('outcome=failed'), [])
      assert.deepEqual(await get('outcome=delivered'), log)
      assertRefused(await world.edna.get(`${hook.own}/delivery?outcome=lost`), 400, 53)
    })
  })
})
