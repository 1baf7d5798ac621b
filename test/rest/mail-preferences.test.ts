import assert from 'node:assert/strict'
import { it } from 'node:test'
import { fileBug } from '../support/file-bug.ts'
import { newHiddenProduct } from '../support/new-product.ts'
import { assertRefused } from '../support/refusal.ts'
import { describeOnEachEngine, itOnce, itOnOneEngine } from '../support/world.ts'

const SHIPPED = {
  other: true,
  role: true,
  comment: true,
  attachment: true,
  attachment_data: true,
  progress: true,
  resolution: true,
  keywords: true,
  cc: false,
  dependencies: true,
  created: true,
  component: true,
  unconfirmed: true,
  own_changes: false,
}

describeOnEachEngine('GET and PUT /rest/user/(self)/mail', (world) => {
  itOnOneEngine(world, 'returns the defaults to a user who chose nothing', async () => {
    const { id, login, client } = await world.newUser()
    const { status, body } = await client.get(`/rest/user/${login}/mail`)
    assert.equal(status, 200)
    assert.deepEqual(body, {
      preferences: {
        assigned_to: SHIPPED,
        qa_contact: SHIPPED,
        reporter: { ...SHIPPED, cc: true },
        cc: SHIPPED,
        voter: SHIPPED,
        watched_component: { ...SHIPPED, role: false },
        flags: { requested: true, answered: true, mentioned: true },
      },
      email_format: 'html',
      new_prefix: true,
      watched_users: [],
      watchers: [],
      ignored_bugs: [],
      times: {
        time_zone: 'UTC',
        digest_at: null,
        quiet_from: null,
        quiet_to: null,
        quiet_weekends: false,
        unseen_minutes: 0,
      },
    })
    assert.deepEqual((await client.get(`/rest/user/${id}/mail`)).body, body)
  })

  it('changes what is named, and leaves the rest', async () => {
    const { id, client } = await world.newUser()
    const { status, body } = await client.put(`/rest/user/${id}/mail`, {
      preferences: { cc: { comment: false, cc: true }, flags: { answered: '0' } },
      email_format: 'text_only',
    })
    assert.equal(status, 200)
    assert.deepEqual(body.preferences.cc, { ...SHIPPED, comment: false, cc: true })
    assert.deepEqual(body.preferences.flags, { requested: true, answered: false, mentioned: true })
    assert.deepEqual(body.preferences.assigned_to, SHIPPED)
    assert.equal(body.email_format, 'text_only')
    assert.equal(body.new_prefix, true)
    const again = await client.put(`/rest/user/${id}/mail`, {
      preferences: { cc: { comment: true } },
      new_prefix: false,
    })
    assert.deepEqual(again.body.preferences.cc, { ...SHIPPED, cc: true })
    assert.equal(again.body.email_format, 'text_only')
    assert.equal(again.body.new_prefix, false)
    assert.deepEqual((await client.get(`/rest/user/${id}/mail`)).body, again.body)
  })

  itOnOneEngine(world, 'keeps whom one watches, by login', async () => {
    const [one, two] = [await world.newUser(), await world.newUser()]
    const watches = async (change: object) =>
      (await one.client.put(`/rest/user/${one.id}/mail`, { watched_users: change })).body.watched_users
    assert.deepEqual(await watches({ add: [two.login.toUpperCase(), 'edna@lacewing.test'] }), [
      'edna@lacewing.test',
      two.login,
    ])
    assert.deepEqual((await two.client.get(`/rest/user/${two.id}/mail`)).body.watchers, [one.login])
    assert.deepEqual(await watches({ remove: ['edna@lacewing.test'] }), [two.login])
    assert.deepEqual(await watches({ set: [] }), [])
  })

  itOnOneEngine(world, 'refuses an unknown user, and a user who watches themselves', async () => {
    const { id, login, client } = await world.newUser()
    const watch = (name: string) => client.put(`/rest/user/${id}/mail`, { watched_users: { add: [name] } })
    assertRefused(await watch(login), 400, 53)
    assertRefused(await watch('nobody@nowhere.test'), 404, 51)
    // A number is not accepted as a login name, because the response would reveal the login name of that user.
    assertRefused(await watch('1'), 404, 51)
    assert.deepEqual((await client.get(`/rest/user/${id}/mail`)).body.watched_users, [])
  })

  itOnOneEngine(world, 'keeps the bugs that one ignores, by number or alias', async () => {
    const { id, client } = await world.newUser()
    const alias = world.unique('alias')
    const [first, second] = [await fileBug(world.edna), await fileBug(world.edna, { alias: [alias] })]
    const ignores = async (change: object) =>
      (await client.put(`/rest/user/${id}/mail`, { ignored_bugs: change })).body.ignored_bugs
    assert.deepEqual(await ignores({ add: [first, alias] }), [first, second])
    assert.deepEqual(await ignores({ add: [first] }), [first, second])
    assert.deepEqual(await ignores({ remove: [alias] }), [first])
    assert.deepEqual(await ignores({ set: [second] }), [second])
  })

  itOnOneEngine(world, 'ignores no bug that one may not see, but keeps one that was hidden later', async () => {
    const { id, client } = await world.newUser()
    const { name: product } = await newHiddenProduct(world)
    const hidden = await fileBug(world.ada, { product, component: 'Core' })
    const ignore = (ref: unknown) => client.put(`/rest/user/${id}/mail`, { ignored_bugs: { add: [ref] } })
    assertRefused(await ignore(hidden), 401, 102)
    assertRefused(await ignore(999_999), 404, 101)
    assertRefused(await ignore('no-such-alias'), 400, 100)
    const bug = await fileBug(world.ada)
    await ignore(bug)
    await world.ada.put(`/rest/bug/${bug}`, { product, component: 'Core', version: '1.0', target_milestone: '---' })
    const { status, body } = await client.put(`/rest/user/${id}/mail`, { ignored_bugs: { set: [bug] } })
    assert.equal(status, 200)
    assert.deepEqual(body.ignored_bugs, [bug])
  })

  for (const [what, wanted, code] of [
    ['an unknown relationship', { preferences: { owner: { comment: true } } }, 53],
    ['an unknown event', { preferences: { cc: { coment: true } } }, 53],
    ['an event that flags do not have', { preferences: { flags: { comment: true } } }, 53],
    ['what is neither yes nor no', { preferences: { cc: { comment: 'maybe' } } }, 53],
    ['a list instead of an object', { preferences: ['cc'] }, 53],
    ['an unknown format', { email_format: 'pdf' }, 53],
    ['an unknown parameter', { watched: [] }, 32_601],
  ] as const)
    itOnce(world, `refuses ${what}, and changes nothing`, async () => {
      const { id, client } = await world.newUser()
      const before = (await client.get(`/rest/user/${id}/mail`)).body
      const reply = await client.put(`/rest/user/${id}/mail`, { new_prefix: false, ...wanted })
      assertRefused(reply, 400, code)
      assert.deepEqual((await client.get(`/rest/user/${id}/mail`)).body, before)
    })

  itOnOneEngine(world, 'is for oneself and for administrators', async () => {
    const { id, login } = await world.newUser()
    for (const client of [world.stan, world.uma]) {
      assertRefused(await client.get(`/rest/user/${login}/mail`), 401, 304)
      assertRefused(await client.put(`/rest/user/${login}/mail`, { new_prefix: false }), 401, 304)
      // The same whether there is such an account or not.
      assertRefused(await client.get('/rest/user/nobody@nowhere.test/mail'), 401, 304)
    }
    assertRefused(await world.nobody.get(`/rest/user/${login}/mail`), 401, 410)
    assertRefused(await world.ada.get('/rest/user/nobody@nowhere.test/mail'), 404, 51)
    const { status, body } = await world.ada.put(`/rest/user/${login}/mail`, {
      preferences: { cc: { comment: false } },
    })
    assert.equal(status, 200)
    assert.equal(body.preferences.cc.comment, false)
    const { body: log } = await world.ada.get(`/rest/audit?class=User&limit=1`)
    const [entry] = log.audit
    assert.deepEqual(
      { id: entry.id, field: entry.field, removed: entry.removed, added: entry.added },
      { id, field: 'mail.cc.comment', removed: '1', added: '0' },
    )
  })
})
