import assert from 'node:assert/strict'
import { LIST_LIMITS } from '../../src/access/list-limits.ts'
import { beforeCommit } from '../support/interleave.ts'
import { newAdministratorOf } from '../support/new-member.ts'
import { newHiddenProduct, newProduct } from '../support/new-product.ts'
import { inOneWorld } from '../support/one-world.ts'
import { assertRefused } from '../support/refusal.ts'
import { itOnPostgres } from '../support/sample.ts'
import { type Client, itOnOneEngine, type World } from '../support/world.ts'

const describeTogether = inOneWorld()
const TEXT = 'Please attach a log.'

async function newReply(world: World, more: object = {}, client: Client = world.ada): Promise<number> {
  const wanted = { name: world.unique('reply'), text: TEXT, ...more }
  const { status, body, text } = await client.post('/rest/canned_reply', wanted)
  assert.equal(status, 201, text)
  return body.id
}

async function idsOf(client: Client, product: string, forEditing = 0) {
  const { body } = await client.get(`/rest/canned_reply?product=${product}&for_editing=${forEditing}&include_fields=id`)
  return body.canned_replies.map(({ id }) => id)
}

describeTogether('canned replies', (world) => {
  itOnOneEngine(
    world,
    'are returned to those who can use them: of the product first, then of all, by name',
    async () => {
      const { name: product } = await newProduct(world)
      const common = await newReply(world, { name: 'A common one' })
      const own = await newReply(world, { product, name: 'zebra' })
      const first = await newReply(world, { product, name: 'Ant' })
      const secret = await newReply(world, { product, group: 'security' })
      await newReply(world, { product: 'TestProduct' })
      assert.deepEqual((await idsOf(world.rhea, product)).slice(0, 3), [first, own, common])
      assert.equal((await idsOf(world.rhea, product, 1)).includes(secret), false)
      assert.equal((await idsOf(world.sven, product)).includes(secret), true)
      await world.withParameters({ insidergroup: 'security' }, async () => {
        const internal = await newReply(world, { product, is_private: true })
        assert.equal((await idsOf(world.sven, product)).includes(internal), true)
        assert.equal((await idsOf(world.edna, product)).includes(internal), false)
      })
      assertRefused(await world.nobody.get('/rest/canned_reply'), 401, 410)
      await world.ada.delete(`/rest/canned_reply/${common}`)
    },
  )

  itOnOneEngine(
    world,
    'are changed by those who edit the components of the product, with a line in the audit log',
    async () => {
      const { name: product } = await newProduct(world)
      const administrator = await newAdministratorOf(world, product)
      const id = await newReply(world, { product, name: 'One' }, administrator.client)
      const { body } = await administrator.client.put(`/rest/canned_reply/${id}`, { text: ' Two \r\n', name: ' Two ' })
      assert.deepEqual(body.canned_replies[0]?.changes, {
        name: { removed: 'One', added: 'Two' },
        text: { removed: TEXT, added: ' Two' },
      })
      assert.equal((await administrator.client.delete(`/rest/canned_reply/${id}`)).status, 200)
      const { body: log } = await world.ada.get(`/rest/audit?class=Tracker::CannedReply&id=${id}`)
      assert.deepEqual(log.audit.map(({ field }) => field).reverse(), ['__create__', 'name', 'text', '__remove__'])
      assertRefused(await administrator.client.post('/rest/canned_reply', { name: 'All', text: TEXT }), 401, 304)
    },
  )

  itOnOneEngine(world, 'refuse wrong input and change nothing', async () => {
    const { name: product } = await newProduct(world)
    const id = await newReply(world, { product, name: 'One' })
    const good = { product, name: 'New', text: TEXT }
    const cases: [body: object, status: number, code: number][] = [
      [{ ...good, name: ' ' }, 400, 50],
      [{ ...good, text: '\n' }, 400, 50],
      [{ ...good, name: 'x'.repeat(65) }, 400, 53],
      [{ ...good, name: 'two\nlines' }, 400, 53],
      [{ ...good, text: 'x'.repeat(5001) }, 400, 53],
      [{ ...good, text: ['a'] }, 400, 53],
      [{ ...good, is_private: 'perhaps' }, 400, 53],
      [{ ...good, name: 'ONE' }, 400, 32000],
      [{ ...good, product: 'NoSuch' }, 401, 106],
      [{ ...good, group: 'nosuch' }, 400, 804],
    ]
    for (const [body, status, code] of cases)
      assertRefused(await world.ada.post('/rest/canned_reply', body), status, code)
    assertRefused(await world.ada.put(`/rest/canned_reply/${id}`, { product }), 400, 32601)
    assert.deepEqual(
      (await idsOf(world.rhea, product)).filter((it) => it === id),
      [id],
    )
  })

  itOnOneEngine(world, 'of hidden products and groups look like those that do not exist', async () => {
    const hidden = await newHiddenProduct(world)
    const { name: product } = await newProduct(world)
    const administrator = await newAdministratorOf(world, product)
    const id = await newReply(world, { product: hidden.name })
    const common = await newReply(world, { group: 'security' })
    for (const ref of [id, common, 999_999, 'x'])
      for (const reply of [
        await administrator.client.put(`/rest/canned_reply/${ref}`, { name: 'Mine' }),
        await administrator.client.delete(`/rest/canned_reply/${ref}`),
      ])
        assertRefused(reply, 404, 51)
    assertRefused(await world.rhea.put(`/rest/canned_reply/${id}`, { name: 'Mine' }), 404, 51)
    assertRefused(await world.rhea.get(`/rest/canned_reply?product=${hidden.name}`), 401, 106)
    const wanted = { product, name: 'Theirs', text: TEXT, group: 'security' }
    assertRefused(await administrator.client.post('/rest/canned_reply', wanted), 400, 804)
    await world.ada.delete(`/rest/canned_reply/${common}`)
  })

  itOnPostgres(world, 'have a limit, also for two administrators at once', async () => {
    const { name: product } = await newProduct(world)
    const limit = LIST_LIMITS.cannedReplies as { most: number }
    const { most } = limit
    limit.most = 1
    try {
      const add = () => world.ada.post('/rest/canned_reply', { product, name: world.unique('reply'), text: TEXT })
      const replies = await beforeCommit(world, 'canned_replies', add, add)
      assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 400])
    } finally {
      limit.most = most
    }
  })
})
