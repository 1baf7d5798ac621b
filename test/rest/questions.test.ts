import assert from 'node:assert/strict'
import { it } from 'node:test'
import { cast } from '../support/cast.ts'
import { changeType, file, flagsOf, newPlace, newType, wordsOf } from '../support/flags.ts'
import { beforeCommit } from '../support/interleave.ts'
import { inOneWorld } from '../support/one-world.ts'
import { assertRefused } from '../support/refusal.ts'
import { itOnPostgres } from '../support/sample.ts'
import { sure } from '../support/sure.ts'
import type { Client, Reply, World } from '../support/world.ts'
import { itOnOneEngine } from '../support/world.ts'

const describeTogether = inOneWorld()
const { sven, stan, edna, rhea, ada } = cast

/** A question in a product of its own. */
async function newQuestion(world: World, more: object = {}) {
  const place = await newPlace(world)
  const type = await newType(world, { is_question: true, inclusions: [place.product], ...more })
  return { place, type }
}

function ask(name: string, requestee: string) {
  return { name, status: '?', requestee, new: true }
}

async function idOf(world: World, bug: number): Promise<number> {
  return sure((await flagsOf(world, bug))[0]).id
}

async function commentsOf(world: World, bug: number): Promise<string[]> {
  const { body } = await world.ada.get(`/rest/bug/${bug}/comment`)
  return sure(body.bugs[bug])
    .comments.map(({ text }) => text)
    .slice(1)
}

const answer = (bug: number, id: number, body: string) => ({
  path: `/rest/bug/${bug}` as const,
  change: { comment: { body }, flags: [{ id, status: 'X' }] },
})

describeTogether('A flag type that is a question', (world) => {
  itOnOneEngine(world, 'is created, read, changed and audited, and offers only ? and clearing', async () => {
    const { place, type } = await newQuestion(world)
    const [stored] = (await world.ada.get(`/rest/flag_type?ids=${type.id}`)).body.flagtypes
    assert.equal(stored.is_question, true)
    const offered = (await world.edna.get(`/rest/flag_type/${place.product}`)).body.bug.find(({ id }) => id === type.id)
    assert.deepEqual([offered?.values, offered?.is_question], [['X', '?'], true])
    const { body } = await world.ada.put(`/rest/flag_type/${type.id}`, { is_question: false })
    assert.deepEqual(body.flagtypes[0]?.changes, { is_question: { removed: '1', added: '0' } })
    assertRefused(
      await world.ada.put(`/rest/flag_type/${type.id}`, { is_question: true, is_requestable: false }),
      400,
      53,
    )
    assertRefused(await world.ada.put(`/rest/flag_type/${type.id}`, { is_question: 'perhaps' }), 400, 53)
  })

  itOnOneEngine(world, 'keeps flags with + and - until they are cleared or asked again', async () => {
    const { place, type } = await newQuestion(world, { is_question: false })
    const { name } = type
    const bug = await file(world.edna, {
      ...place,
      flags: [
        { name, status: '+' },
        { name, status: '-', new: true },
      ],
    })
    await changeType(world, type.id, { is_question: true })
    assert.deepEqual(await wordsOf(world, bug), [`${name}+`, `${name}-`])
    const [first, second] = await flagsOf(world, bug)
    assertRefused(await world.edna.put(`/rest/bug/${bug}`, { flags: [{ id: first.id, status: '-' }] }), 400, 129)
    const flags = [
      { id: first.id, status: '?' },
      { id: second.id, status: 'X' },
    ]
    assert.equal((await world.edna.put(`/rest/bug/${bug}`, { flags })).status, 200)
    assert.deepEqual(await wordsOf(world, bug), [`${name}?`])
  })
})

describeTogether('Asking a question', (world) => {
  itOnOneEngine(
    world,
    'with BMO’s parameters asks the users with these roles, of several bugs each its own',
    async () => {
      const { place, type } = await newQuestion(world)
      const bugs = [
        await file(world.rhea, place),
        await file(world.edna, { ...place, assigned_to: sven.login, qa_contact: stan.login }),
      ]
      const [first, second] = bugs as [number, number]
      const asked = async (role: string, client: Client = world.edna, ids = bugs) => {
        const { status, text } = await client.put(`/rest/bug/${first}`, { ids, needinfo: true, needinfo_role: role })
        assert.equal(status, 200, text)
      }
      await asked('reporter')
      await asked('user', world.stan)
      await asked('assigned_to')
      await asked('')
      await asked('qa_contact', world.edna, [second]).catch(() => undefined)
      const of = (...logins: string[]) => logins.map((login) => `${type.name}?(${login})`)
      assert.deepEqual(await wordsOf(world, first), [...of(rhea.login, stan.login, ada.login), `${type.name}?`])
      assert.deepEqual(await wordsOf(world, second), [...of(edna.login, stan.login, sven.login), `${type.name}?`])
    },
  )

  itOnOneEngine(
    world,
    'of the triage owner of the component asks who it is now, and is refused without one',
    async () => {
      const { place, type } = await newQuestion(world)
      const bug = await file(world.edna, place)
      const question = { needinfo: true, needinfo_role: 'triage_owner' }
      assertRefused(await world.edna.put(`/rest/bug/${bug}`, question), 400, 53)
      const path = `/rest/component/${place.product}/${place.component}` as const
      assert.equal((await world.ada.put(path, { triage_owner: stan.login })).status, 200)
      assert.equal((await world.edna.put(`/rest/bug/${bug}`, question)).status, 200)
      const other = await file(world.edna, { ...place, ...question })
      for (const id of [bug, other]) assert.deepEqual(await wordsOf(world, id), [`${type.name}?(${stan.login})`])
    },
  )

  it('of several people at once, of a new bug too, asks none twice', async () => {
    const { place, type } = await newQuestion(world)
    const bug = await file(world.edna, { ...place, needinfo_from: `${sven.login}, ${stan.login}` })
    const words = [sven, stan].map(({ login }) => `${type.name}?(${login})`)
    assert.deepEqual(await wordsOf(world, bug), words)
    const again = { needinfo: 1, needinfo_from: [stan.login.toUpperCase(), sven.login, stan.login] }
    const { body } = await world.edna.put(`/rest/bug/${bug}`, again)
    assert.deepEqual(body.bugs[0]?.changes, {})
    const flags = [ask(type.name, sven.login), ask(type.name, rhea.login), ask(type.name, rhea.login)]
    await world.edna.put(`/rest/bug/${bug}`, { flags })
    assert.deepEqual(await wordsOf(world, bug), [...words, `${type.name}?(${rhea.login})`])
    const cc = (await world.ada.get(`/rest/bug/${bug}?include_fields=cc`)).body.bugs[0]?.cc
    assert.deepEqual(cc, [rhea.login, stan.login, sven.login])
  })

  itOnOneEngine(world, 'prefers the type needinfo, and names what had no effect', async () => {
    const { place, type } = await newQuestion(world, { sortkey: 1 })
    await newType(world, { name: 'needinfo', is_question: true, inclusions: [place.product], sortkey: 9 })
    const bug = await file(world.edna, { ...place, needinfo: true })
    assert.deepEqual(await wordsOf(world, bug), ['needinfo?'])
    const { body } = await world.edna.put(`/rest/bug/${bug}`, { needinfo_from: sven.login, needinfo_role: 'other' })
    assert.deepEqual(body.ignored, ['needinfo_from', 'needinfo_role'])
    assert.deepEqual(await wordsOf(world, bug), ['needinfo?'])
    await changeType(world, type.id, { is_active: false })
  })

  it('is refused where it cannot be, and then changes nothing', async () => {
    const { place } = await newQuestion(world)
    const blocking = await world.newUser()
    const mine = `/rest/user/${blocking.id}/requests` as const
    assert.equal((await blocking.client.put(mine, { block_needinfo: true })).status, 200)
    const gone = await world.newUser()
    await world.ada.put(`/rest/user/${gone.id}`, { login_denied_text: 'Gone' })
    const bug = await file(world.edna, place)
    const many = Array.from({ length: 21 }, (_, index) => `user-${index}@lacewing.test`)
    const cases: [object, number, number][] = [
      [{ needinfo: true, needinfo_role: 'other' }, 400, 50],
      [{ needinfo: true, needinfo_role: 'boss' }, 400, 53],
      [{ needinfo: true, needinfo_role: 'qa_contact' }, 400, 53],
      [{ needinfo: 'perhaps' }, 400, 53],
      [{ needinfo: true, needinfo_role: {} }, 400, 53],
      [{ needinfo: true, needinfo_from: {} }, 400, 58],
      [{ needinfo: true, needinfo_from: 'nobody-here' }, 404, 51],
      [{ needinfo: true, needinfo_from: many }, 400, 53],
      [{ needinfo: true, needinfo_from: many.join() }, 400, 53],
      [{ needinfo: true, needinfo_from: gone.login }, 400, 32000],
      [{ needinfo: true, needinfo_from: [sven.login, blocking.login] }, 400, 32000],
    ]
    for (const [change, status, code] of cases) {
      const reply = await world.edna.put(`/rest/bug/${bug}`, { comment: { body: 'Lost' }, ...change })
      assert.deepEqual([reply.status, reply.body.code], [status, code], `${JSON.stringify(change)}: ${reply.text}`)
    }
    const reply = await world.edna.put(`/rest/bug/${bug}`, { needinfo: true, needinfo_from: blocking.login })
    assert.match(reply.text, new RegExp(blocking.login))
    assertRefused(await world.edna.post('/rest/bug', { ...place, needinfo_from: blocking.login }), 400, 32000)
    assert.deepEqual([await wordsOf(world, bug), await commentsOf(world, bug)], [[], []])
    const without = await newPlace(world)
    await world.ada.put('/rest/flag_type/needinfo', { is_active: false })
    assertRefused(await world.edna.post('/rest/bug', { ...without, needinfo_from: sven.login }), 404, 51)
    await world.ada.put('/rest/flag_type/needinfo', { is_active: true })
  })

  itOnOneEngine(world, 'of a user who cannot see the bug is refused', async () => {
    const { place } = await newQuestion(world)
    const control = `/rest/product/${place.product}/group_control/security` as const
    await world.ada.put(control, { membercontrol: 'Shown', othercontrol: 'NA' })
    const bug = await file(world.sven, { ...place, groups: ['security'] })
    const change = { needinfo: true, needinfo_from: stan.login }
    assertRefused(await world.sven.put(`/rest/bug/${bug}`, change), 400, 32000)
    assertRefused(await world.stan.put(`/rest/bug/${bug}`, change), 401, 102)
    assert.equal((await world.sven.put(`/rest/bug/${bug}`, { ...change, cc: { add: [stan.login] } })).status, 200)
  })
})

describeTogether('Answering a question', (world) => {
  it('clears it in the change with the comment, also for a user without rights; a comment alone clears nothing', async () => {
    const { place, type } = await newQuestion(world)
    const bug = await file(world.edna, { ...place, needinfo_from: [stan.login, rhea.login] })
    await world.stan.post(`/rest/bug/${bug}/comment`, { comment: 'Thinking' })
    await world.stan.put(`/rest/bug/${bug}`, { comment: { body: 'Still thinking' } })
    assert.equal((await flagsOf(world, bug)).length, 2)
    const [own, other] = await flagsOf(world, bug)
    const { path, change } = answer(bug, own.id, 'It is 42')
    const { body } = await world.stan.put(path, change)
    assert.deepEqual(body.bugs[0]?.changes['flagtypes.name'], { removed: `${type.name}?(${stan.login})`, added: '' })
    assertRefused(await world.stan.put(path, answer(bug, other.id, 'For Rhea').change), 400, 130)
    assert.deepEqual(await commentsOf(world, bug), ['Thinking', 'Still thinking', 'It is 42'])
    assertRefused(
      await world.stan.put(path, { flags: [{ id: other.id, status: '?', requestee: stan.login }] }),
      400,
      130,
    )
    assert.deepEqual(await wordsOf(world, bug), [`${type.name}?(${rhea.login})`])
  })

  itOnOneEngine(
    world,
    'is open to every user who sees the bug if it is to anyone, and is passed on with its setter',
    async () => {
      const { place, type } = await newQuestion(world)
      const bug = await file(world.edna, { ...place, flags: [{ name: type.name, status: '?' }] })
      const id = await idOf(world, bug)
      assert.equal(
        (await world.rhea.put(`/rest/bug/${bug}`, { flags: [{ id, status: '?', requestee: stan.login }] })).status,
        200,
      )
      const [passed] = await flagsOf(world, bug)
      assert.deepEqual([passed.id, passed.setter, passed.requestee], [id, edna.login, stan.login])
      assert.equal((await world.stan.put(`/rest/bug/${bug}`, { flags: [{ id, status: 'X' }] })).status, 200)
      const anyone = await file(world.edna, { ...place, flags: [{ name: type.name, status: '?' }] })
      const { path, change } = answer(anyone, await idOf(world, anyone), 'Easy')
      assert.equal((await world.rhea.put(path, change)).status, 200)
      assert.deepEqual(await flagsOf(world, anyone), [])
    },
  )

  itOnOneEngine(world, 'on an attachment of another user is possible with a comment', async () => {
    const { place, type } = await newQuestion(world, { target_type: 'attachment' })
    const bug = await file(world.edna, place)
    const { body } = await world.edna.post(`/rest/bug/${bug}/attachment`, {
      data: 'eA==',
      file_name: 'x.txt',
      summary: 'A file',
      content_type: 'text/plain',
      flags: [{ name: type.name, status: '?', requestee: stan.login }],
    })
    const [id] = body.ids
    const read = async () =>
      sure((await world.ada.get(`/rest/bug/attachment/${id}`)).body.attachments[String(id)]).flags
    const flags = [{ id: sure((await read())[0]).id, status: 'X' }]
    assertRefused(await world.rhea.put(`/rest/bug/attachment/${id}`, { comment: 'No', flags }), 400, 32000)
    assert.equal((await world.stan.put(`/rest/bug/attachment/${id}`, { comment: 'Yes', flags })).status, 200)
    assert.deepEqual(await read(), [])
  })

  itOnPostgres(world, 'happens once when two clear it, and not when it was passed on before', async () => {
    const { place } = await newQuestion(world)
    const bug = await file(world.edna, { ...place, needinfo_from: stan.login })
    const one = answer(bug, await idOf(world, bug), 'First')
    const codes = async (
      ...[first, second]: [() => Promise<Reply<{ code: number }>>, () => Promise<Reply<{ code: number }>>]
    ) =>
      (await beforeCommit(world, 'bug_changes', first, second)).map(({ status, body }) =>
        status === 200 ? 'done' : body.code,
      )
    const both = await codes(
      () => world.stan.put(one.path, one.change),
      () => world.edna.put(one.path, { ...one.change, comment: { body: 'Second' } }),
    )
    assert.deepEqual(both, ['done', 51])
    assert.deepEqual(await commentsOf(world, bug), ['First'])
    await world.edna.put(one.path, { needinfo: true, needinfo_from: stan.login })
    const id = await idOf(world, bug)
    const passed = await codes(
      () => world.edna.put(one.path, { flags: [{ id, status: '?', requestee: rhea.login }] }),
      () => world.stan.put(one.path, answer(bug, id, 'Late').change),
    )
    assert.deepEqual(passed, ['done', 130])
    assert.deepEqual(await commentsOf(world, bug), ['First'])
  })

  it('to a user leaves no trace on a bug that moves to where the type does not apply, but in the history', async () => {
    const { place, type } = await newQuestion(world)
    const bug = await file(world.edna, { ...place, needinfo_from: stan.login })
    const other = await newPlace(world)
    const { product, component } = other
    await world.edna.put(`/rest/bug/${bug}`, { product, component, version: '1.0' })
    assert.deepEqual(await flagsOf(world, bug), [])
    const { history } = (await world.ada.get(`/rest/bug/${bug}/history`)).body.bugs[0]
    assert.ok(JSON.stringify(history).includes(`${type.name}?(${stan.login})`))
  })
})

describeTogether('The settings of a user about requests', (world) => {
  it('are the caller’s own, and count in requests.needinfo of the user, of bugs that the reader may see', async () => {
    const user = await world.newUser()
    const mine = `/rest/user/${user.id}/requests` as const
    assert.deepEqual((await user.client.get(mine)).body, { block_needinfo: false, request_nagging: true })
    const { place } = await newQuestion(world)
    const control = `/rest/product/${place.product}/group_control/security` as const
    await world.ada.put(control, { membercontrol: 'Shown', othercontrol: 'NA' })
    await file(world.sven, { ...place, groups: ['security'], cc: [user.login], needinfo_from: user.login })
    await file(world.sven, { ...place, needinfo_from: user.login })
    const { body } = await user.client.put(mine, { block_needinfo: true })
    assert.deepEqual(body, { block_needinfo: true, request_nagging: true })
    const seen = async (client: Client) => {
      const { users } = (await client.get(`/rest/user/${user.id}?include_fields=requests`)).body
      return sure(users[0]).requests?.needinfo
    }
    assert.deepEqual(await seen(world.sven), { blocked: true, pending: 2 })
    assert.deepEqual(await seen(world.stan), { blocked: true, pending: 1 })
    assert.equal('requests' in sure((await world.sven.get(`/rest/user/${user.id}`)).body.users[0]), false)
    assertRefused(await world.ada.get(mine), 401, 304)
    assertRefused(await world.ada.put('/rest/user/999999/requests', {}), 401, 304)
    assertRefused(await world.nobody.get(mine), 401, 410)
    assertRefused(await user.client.put(mine, { block_needinfo: 'perhaps' }), 400, 53)
    assertRefused(await user.client.put(mine, { block: true }), 400, 32601)
  })
})
