import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { BodyAt } from '../support/body-types.ts'
import { getBugRow } from '../support/bug-rows.ts'
import { cast } from '../support/cast.ts'
import { countQueries } from '../support/count-queries.ts'
import { changeType, file, flagsOf, inWords, newBug, newPlace, newType, wordsOf } from '../support/flags.ts'
import { newMember } from '../support/new-member.ts'
import { inOneWorld } from '../support/one-world.ts'
import { assertRefused } from '../support/refusal.ts'
import { itOnPostgres } from '../support/sample.ts'
import { sure } from '../support/sure.ts'
import { type Client, itOnOneEngine, type World } from '../support/world.ts'

const describeTogether = inOneWorld()

const LONG_AGO = '2020-02-02T02:02:02Z'

async function ccOf(world: World, bug: number): Promise<string[]> {
  return (await world.ada.get(`/rest/bug/${bug}?include_fields=cc`)).body.bugs[0].cc
}

async function countBugs(world: World) {
  return (await world.db.query((q) => q.selectFrom('bugs').select('id'))).length
}

/** Lets the flags of a bug, and the bug, have been as they are for a long time. */
async function backdate(world: World, bug: number) {
  await world.db.query((q) =>
    q.updateTable('flags').set({ created_at: LONG_AGO, modified_at: LONG_AGO }).where('bug_id', '=', bug),
  )
  await world.db.query((q) => q.updateTable('bugs').set({ changed_at: LONG_AGO }).where('id', '=', bug))
}

describeTogether('POST /rest/bug with flags', (world) => {
  itOnOneEngine(world, 'sets them, and returns them with the bug', async () => {
    const type = await newType(world)
    const granted = await newType(world, { sortkey: 2 })
    const bug = await newBug(world, [
      { name: type.name, status: '?', requestee: cast.sven.login },
      { type_id: granted.id, status: '+' },
    ])
    const [first, second] = await flagsOf(world, bug)
    const { creation_time } = (await world.ada.get(`/rest/bug/${bug}`)).body.bugs[0]
    assert.deepEqual(first, {
      id: first.id,
      name: type.name,
      type_id: type.id,
      creation_date: creation_time,
      modification_date: creation_time,
      status: '?',
      setter: cast.edna.login,
      requestee: cast.sven.login,
    })
    assert.deepEqual(second, {
      id: first.id + 1,
      name: granted.name,
      type_id: granted.id,
      creation_date: creation_time,
      modification_date: creation_time,
      status: '+',
      setter: cast.edna.login,
    })
  })

  it('creates two flags of a type at once when it is multiplicable, and refuses the second when it is not', async () => {
    const many = await newType(world)
    const once = await newType(world, { is_multiplicable: false })
    const two = (name: string) => [
      { name, status: '?', requestee: cast.sven.login },
      { name, status: '?', requestee: cast.stan.login },
    ]
    const bug = await newBug(world, two(many.name))
    assert.deepEqual(await wordsOf(world, bug), [
      `${many.name}?(${cast.sven.login})`,
      `${many.name}?(${cast.stan.login})`,
    ])
    const place = await newPlace(world)
    assertRefused(await world.edna.post('/rest/bug', { ...place, flags: two(once.name) }), 400, 32000)
  })

  itOnOneEngine(world, 'puts the requestee on the CC list, and no other user', async () => {
    const { name } = await newType(world)
    const bug = await newBug(world, [
      { name, status: '?', requestee: cast.sven.login },
      { name, status: '+', requestee: cast.stan.login },
      { name, status: '?', requestee: cast.sven.login },
    ])
    assert.deepEqual(await ccOf(world, bug), [cast.sven.login])
    const flagText = `${name}?(${cast.sven.login})`
    assert.deepEqual(await wordsOf(world, bug), [flagText, `${name}+`, flagText])
    const place = await newPlace(world)
    const flags = [{ name, status: '?', requestee: cast.sven.login }]
    const copied = await file(world.edna, { ...place, cc: [cast.sven.login], flags })
    assert.deepEqual(await ccOf(world, copied), [cast.sven.login])
  })

  itOnOneEngine(
    world,
    'is open to every caller who may file a bug, where the type does not say otherwise',
    async () => {
      const { name } = await newType(world)
      const bug = await newBug(world, [{ name, status: '+' }], world.rhea)
      assert.deepEqual(await wordsOf(world, bug), [`${name}+`])
    },
  )

  itOnOneEngine(world, 'clears nothing where there is nothing', async () => {
    const { name } = await newType(world)
    assert.deepEqual(await wordsOf(world, await newBug(world, [{ name, status: 'X' }])), [])
  })

  itOnOneEngine(world, 'refuses flags that cannot be, and then files no bug', async () => {
    const place = await newPlace(world)
    const other = await newPlace(world)
    const type = await newType(world)
    const unrequestable = await newType(world, { is_requestable: false })
    const general = await newType(world, { is_specifically_requestable: false })
    const inactive = await newType(world, { is_active: false })
    const attachment = await newType(world, { target_type: 'attachment' })
    const elsewhere = await newType(world, { inclusions: [other.product] })
    const inUi = await newType(world, { inclusions: [{ [place.product]: ['UI'] }] })
    const group = await world.newGroup()
    const guarded = await newType(world, { grant_group: group.name, request_group: group.name })
    const twice = world.unique('flag')
    await newType(world, { name: twice })
    await newType(world, { name: twice })
    const ask = { status: '?' }
    const cases: [unknown, number, number][] = [
      [{ name: 'no-such-flag', ...ask }, 404, 51],
      [{ type_id: 99_999, ...ask }, 404, 51],
      [{ type_id: 99_999_999_999, ...ask }, 404, 51],
      [{ type_id: -1, ...ask }, 404, 51],
      [{ id: 1, ...ask }, 404, 51],
      [{ name: attachment.name, ...ask }, 404, 51],
      [{ type_id: attachment.id, ...ask }, 404, 51],
      [{ name: elsewhere.name, ...ask }, 404, 51],
      [{ name: inUi.name, ...ask }, 404, 51],
      [{ name: type.name, requestee: 'no-such-person', ...ask }, 404, 51],
      [{ name: type.name }, 400, 129],
      [{ name: type.name, status: null }, 400, 129],
      [{ name: type.name, status: '!' }, 400, 129],
      [{ name: type.name, status: 1 }, 400, 129],
      [{ name: unrequestable.name, ...ask }, 400, 129],
      [{ name: guarded.name, ...ask }, 400, 130],
      [{ name: guarded.name, status: '+' }, 400, 130],
      [{ name: guarded.name, status: '-' }, 400, 130],
      [{ name: general.name, requestee: cast.sven.login, ...ask }, 400, 131],
      [{ name: twice, ...ask }, 400, 133],
      [{ name: inactive.name, ...ask }, 400, 134],
      [ask, 400, 50],
      [{ name: '', ...ask }, 400, 50],
      [{ name: ['x'], ...ask }, 400, 53],
      [{ name: type.name, status: ['?'] }, 400, 53],
      [{ name: type.name, requestee: {}, ...ask }, 400, 53],
      [{ name: type.name, new: 'perhaps', ...ask }, 400, 53],
      [{ type_id: 'one', ...ask }, 400, 52],
      ['review?', 400, 53],
      [null, 400, 53],
      [[], 400, 53],
    ]
    const before = await countBugs(world)
    for (const [flag, status, code] of cases) {
      const reply = await world.edna.post('/rest/bug', { ...place, flags: [{ name: type.name, status: '+' }, flag] })
      assert.deepEqual([reply.status, reply.body.code], [status, code], `${JSON.stringify(flag)}: ${reply.text}`)
    }
    for (const flags of ['review?', 1, true, {}, { name: type.name, status: '?' }])
      assertRefused(await world.edna.post('/rest/bug', { ...place, flags }), 400, 53)
    assert.equal(await countBugs(world), before)
  })

  itOnOneEngine(
    world,
    'refuses a requestee who is disabled, may not grant the flag, or does not see the bug',
    async () => {
      const place = await newPlace(world)
      const { name } = await newType(world)
      const disabled = await world.newUser()
      await world.ada.put(`/rest/user/${disabled.id}`, { login_denied_text: 'Gone' })
      const group = await world.newGroup()
      const guarded = await newType(world, { grant_group: group.name })
      const granter = await newMember(world, group.name)
      const path = `/rest/product/${place.product}/group_control/security`
      await world.ada.put(path, { membercontrol: 'Shown', othercontrol: 'NA' })
      const asking = (of: string, flag: string, more: object = {}) =>
        world.sven.post('/rest/bug', { ...place, ...more, flags: [{ name: flag, status: '?', requestee: of }] })

      assertRefused(await asking(disabled.login, name), 400, 32000)
      assertRefused(await asking(cast.stan.login, guarded.name), 400, 32000)
      assert.equal((await asking(granter.login, guarded.name)).status, 200)
      const secret = { groups: ['security'] }
      assertRefused(await asking(cast.stan.login, name, secret), 400, 32000)
      assert.equal((await asking(cast.stan.login, name)).status, 200)
      for (const more of [{ cc: [cast.stan.login] }, { assigned_to: cast.stan.login }, { qa_contact: cast.stan.login }])
        assert.equal((await asking(cast.stan.login, name, { ...secret, ...more })).status, 200, JSON.stringify(more))
      const closedToCc = { ...secret, cc: [cast.stan.login], is_cc_accessible: false }
      assertRefused(await asking(cast.stan.login, name, closedToCc), 400, 32000)
    },
  )

  itOnOneEngine(world, 'prefers an active type to an inactive one of the same name', async () => {
    const name = world.unique('flag')
    await newType(world, { name, is_active: false })
    const { id } = await newType(world, { name })
    const [flag] = await flagsOf(world, await newBug(world, [{ name, status: '?' }]))
    assert.equal(flag.type_id, id)
  })
})

interface Changed {
  status: number
  changes: Record<string, { removed: string; added: string }>
  body: BodyAt<'PUT', '/rest/bug/1'>
}

async function put(client: Client, bug: number, change: Record<string, unknown>): Promise<Changed> {
  const { status, body, text } = await client.put(`/rest/bug/${bug}`, change)
  assert.equal(status, 200, text)
  return { status, body, changes: body.bugs[0].changes }
}

describeTogether('PUT /rest/bug/(id) with flags', (world) => {
  itOnOneEngine(
    world,
    'grants a request: the setter, the date and the history change, and the requestee is removed',
    async () => {
      const { name } = await newType(world)
      const bug = await newBug(world, [{ name, status: '?', requestee: cast.sven.login }])
      await backdate(world, bug)
      const { changes, body } = await put(world.sven, bug, { flags: [{ name, status: '+' }] })
      const change = { removed: `${name}?(${cast.sven.login})`, added: `${name}+` }
      assert.deepEqual(changes, { 'flagtypes.name': change })
      const [flag] = await flagsOf(world, bug)
      const at = body.bugs[0].last_change_time
      assert.notEqual(at, LONG_AGO)
      assert.deepEqual(
        { ...flag, id: 0, type_id: 0 },
        {
          id: 0,
          type_id: 0,
          name,
          status: '+',
          setter: cast.sven.login,
          creation_date: LONG_AGO,
          modification_date: at,
        },
      )
      const { history } = await getBugRow(world, bug)
      const { who, field, removed, added } = sure(history.at(-1))
      assert.deepEqual({ who, field, removed, added }, { who: cast.sven.login, field: 'flagtypes.name', ...change })
    },
  )

  it('keeps the setter of a request that is passed on, and puts the new person on the CC list', async () => {
    const { name } = await newType(world)
    const bug = await newBug(world, [{ name, status: '?', requestee: cast.sven.login }])
    await backdate(world, bug)
    const { changes } = await put(world.sven, bug, { flags: [{ name, status: '?', requestee: cast.stan.login }] })
    assert.deepEqual(changes['flagtypes.name'], {
      removed: `${name}?(${cast.sven.login})`,
      added: `${name}?(${cast.stan.login})`,
    })
    assert.deepEqual(changes.cc, { removed: '', added: cast.stan.login })
    const [flag] = await flagsOf(world, bug)
    assert.equal(flag.setter, cast.edna.login)
    assert.notEqual(flag.modification_date, LONG_AGO)
    assert.deepEqual(await ccOf(world, bug), [cast.stan.login, cast.sven.login])
    const twice = { name, status: '?', requestee: cast.rhea.login, new: true }
    assert.deepEqual((await put(world.edna, bug, { flags: [twice, twice] })).changes.cc, {
      removed: '',
      added: cast.rhea.login,
    })
    await world.db.query((q) => q.deleteFrom('flags').where('bug_id', '=', bug).where('id', '>', flag.id))
    await put(world.sven, bug, { flags: [{ name, status: '?', requestee: '' }] })
    assert.deepEqual(await wordsOf(world, bug), [`${name}?`])
  })

  itOnOneEngine(world, 'changes nothing, not even a date, when nothing is different', async () => {
    const { name } = await newType(world)
    const bug = await newBug(world, [{ name, status: '?', requestee: cast.sven.login }])
    await backdate(world, bug)
    for (const flag of [
      { name, status: '?' },
      { name, status: '?', requestee: cast.sven.login.toUpperCase() },
    ]) {
      const { changes, body } = await put(world.sven, bug, { flags: [flag] })
      assert.deepEqual(changes, {})
      assert.equal(body.bugs[0].last_change_time, LONG_AGO)
    }
    const [flag] = await flagsOf(world, bug)
    assert.deepEqual([flag.setter, flag.modification_date], [cast.edna.login, LONG_AGO])
  })

  itOnOneEngine(world, 'clears a flag with X, also for a user who may not set it', async () => {
    const group = await world.newGroup()
    const granter = await newMember(world, group.name, 'editbugs')
    const { name } = await newType(world, { grant_group: group.name })
    const bug = await newBug(world, [{ name, status: '+' }], granter.client)
    assertRefused(await world.edna.put(`/rest/bug/${bug}`, { flags: [{ name, status: '-' }] }), 400, 130)
    const { changes } = await put(world.edna, bug, { flags: [{ name, status: 'X' }] })
    assert.deepEqual(changes, { 'flagtypes.name': { removed: `${name}+`, added: '' } })
    assert.deepEqual(await flagsOf(world, bug), [])
  })

  itOnOneEngine(world, 'lets a user without any right set flags on a bug that they see', async () => {
    const { name } = await newType(world)
    const bug = await newBug(world)
    await put(world.stan, bug, { flags: [{ name, status: '?' }] })
    assert.equal((await flagsOf(world, bug))[0].setter, cast.stan.login)
  })

  itOnOneEngine(
    world,
    'needs the id where there are several flags, and the type_id where there are several types',
    async () => {
      const { name, id: typeId } = await newType(world)
      const bug = await newBug(world, [
        { name, status: '?' },
        { name, status: '+' },
      ])
      for (const which of [{ name }, { type_id: typeId }])
        assertRefused(await world.edna.put(`/rest/bug/${bug}`, { flags: [{ ...which, status: '-' }] }), 400, 132)
      const [first] = await flagsOf(world, bug)
      await put(world.edna, bug, { flags: [{ id: first.id, status: '-' }] })
      assert.deepEqual(await wordsOf(world, bug), [`${name}-`, `${name}+`])
      await put(world.edna, bug, { flags: [{ name, new: true, status: '?' }] })
      assert.deepEqual(await wordsOf(world, bug), [`${name}-`, `${name}+`, `${name}?`])

      const second = await newType(world, { name })
      const another = await newBug(world)
      assertRefused(await world.edna.put(`/rest/bug/${another}`, { flags: [{ name, status: '?' }] }), 400, 133)
      await put(world.edna, another, { flags: [{ type_id: second.id, status: '?' }] })
      assert.equal((await flagsOf(world, another))[0].type_id, second.id)
    },
  )

  itOnOneEngine(world, 'refuses the id of a flag on another bug like one that does not exist', async () => {
    const { name } = await newType(world)
    const [other] = await flagsOf(world, await newBug(world, [{ name, status: '?' }]))
    const bug = await newBug(world)
    const first = await world.edna.put(`/rest/bug/${bug}`, { flags: [{ id: other.id, status: 'X' }] })
    assertRefused(first, 404, 51)
    const second = await world.edna.put(`/rest/bug/${bug}`, { flags: [{ id: 999_999, status: 'X' }] })
    assertRefused(second, 404, 51)
  })

  itOnOneEngine(
    world,
    'updates the only flag of the type, and makes no second of a type that is not multiplicable',
    async () => {
      const { name } = await newType(world, { is_multiplicable: false })
      const bug = await newBug(world, [{ name, status: '?' }])
      await put(world.edna, bug, { flags: [{ name, status: '+' }] })
      assert.deepEqual(await wordsOf(world, bug), [`${name}+`])
      assertRefused(await world.edna.put(`/rest/bug/${bug}`, { flags: [{ name, status: '?', new: true }] }), 400, 32000)
      const [{ id }] = await flagsOf(world, bug)
      await put(world.edna, bug, {
        flags: [
          { id, status: 'X' },
          { name, status: '?', new: true },
        ],
      })
      assert.deepEqual(await wordsOf(world, bug), [`${name}?`])
    },
  )

  itOnOneEngine(world, 'still changes flags of a type that takes no new ones, or no requests, any more', async () => {
    const inactive = await newType(world)
    const unrequestable = await newType(world)
    const bug = await newBug(world, [
      { name: inactive.name, status: '?' },
      { name: unrequestable.name, status: '?' },
    ])
    await changeType(world, inactive.id, { is_active: false })
    await changeType(world, unrequestable.id, { is_requestable: false })
    await put(world.edna, bug, {
      flags: [
        { name: inactive.name, status: '+' },
        { name: unrequestable.name, status: '?', requestee: cast.sven.login },
      ],
    })
    assert.deepEqual(await wordsOf(world, bug), [`${inactive.name}+`, `${unrequestable.name}?(${cast.sven.login})`])
    const again = (name: string) => world.edna.put(`/rest/bug/${bug}`, { flags: [{ name, status: '?', new: true }] })
    assertRefused(await again(inactive.name), 400, 134)
    assertRefused(await again(unrequestable.name), 400, 129)
  })

  itOnOneEngine(world, 'checks the requestee against the bug as it is after the change', async () => {
    const place = await newPlace(world)
    const path = `/rest/product/${place.product}/group_control/security`
    await world.ada.put(path, { membercontrol: 'Shown', othercontrol: 'NA' })
    const { name } = await newType(world)
    const flags = [{ name, status: '?', requestee: cast.stan.login }]
    for (const more of [{ cc: { add: [cast.stan.login] } }, { assigned_to: cast.stan.login }]) {
      const bug = await file(world.sven, { ...place, groups: ['security'] })
      assertRefused(await world.sven.put(`/rest/bug/${bug}`, { flags }), 400, 32000)
      await put(world.sven, bug, { flags, ...more })
      assert.deepEqual(await wordsOf(world, bug), [`${name}?(${cast.stan.login})`])
    }
    const open = await file(world.sven, place)
    const hiding = { flags, groups: { add: ['security'] } }
    assertRefused(await world.sven.put(`/rest/bug/${open}`, hiding), 400, 32000)
  })

  itOnOneEngine(world, 'does not check an existing requestee again', async () => {
    const { name } = await newType(world)
    const user = await world.newUser()
    const bug = await newBug(world, [{ name, status: '?', requestee: user.login }])
    await world.ada.put(`/rest/user/${user.id}`, { login_denied_text: 'Gone' })
    await put(world.edna, bug, { flags: [{ name, status: '?', requestee: user.login }], whiteboard: 'x' })
    assert.deepEqual(await wordsOf(world, bug), [`${name}?(${user.login})`])
  })

  itOnOneEngine(world, 'changes nothing at all when one flag, or one of several bugs, refuses', async () => {
    const { name } = await newType(world, { is_multiplicable: false })
    const [free, taken] = [await newBug(world), await newBug(world, [{ name, status: '+' }])]
    const change = { ids: [free, taken], summary: 'Changed', flags: [{ name, status: '?', new: true }] }
    assertRefused(await world.edna.put(`/rest/bug/${free}`, change), 400, 32000)
    const bad = {
      summary: 'Changed',
      flags: [
        { name, status: '?' },
        { name, status: '!' },
      ],
    }
    assertRefused(await world.edna.put(`/rest/bug/${free}`, bad), 400, 129)
    assert.deepEqual(await flagsOf(world, free), [])
    assert.deepEqual((await getBugRow(world, free)).history, [])
  })

  itOnPostgres(
    world,
    'creates one flag of a type that is not multiplicable, for many concurrent requests',
    async () => {
      const { name } = await newType(world, { is_multiplicable: false })
      const bug = await newBug(world)
      const clients = [world.edna, world.sven, world.rhea, world.stan, world.ada]
      const replies = await Promise.all(
        [...clients, ...clients].map((client) => client.put(`/rest/bug/${bug}`, { flags: [{ name, status: '?' }] })),
      )
      assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200])
      assert.deepEqual(await wordsOf(world, bug), [`${name}?`])
      const returned = (await getBugRow(world, bug)).history.filter(({ field }) => field === 'flagtypes.name')
      assert.equal(returned.length, 1)
    },
  )

  itOnOneEngine(world, 'needs as many queries for many bugs as for two', async () => {
    const { name } = await newType(world)
    const place = await newPlace(world)
    const bugs: number[] = []
    for (let made = 0; made < 12; made++) bugs.push(await file(world.edna, place))
    const people = [cast.sven.login, cast.stan.login]
    let turn = 0
    const asking = (ids: number[]) => () => {
      const requestee = people[turn++ % 2]
      return put(world.edna, ids[0] as number, { ids, flags: [{ name, status: '?', requestee }] })
    }
    const few = await countQueries(world, asking(bugs.slice(0, 2)))
    assert.equal(await countQueries(world, asking(bugs)), few)
  })

  itOnOneEngine(world, 'sets flags on several bugs, each in its own history', async () => {
    const { name } = await newType(world)
    const bugs = [await newBug(world), await newBug(world, [{ name, status: '?' }])]
    await put(world.sven, bugs[0] as number, { ids: bugs, flags: [{ name, status: '+' }] })
    for (const [index, bug] of bugs.entries()) {
      assert.deepEqual(await wordsOf(world, bug), [`${name}+`])
      const { removed, added } = sure((await getBugRow(world, bug)).history.at(-1))
      assert.deepEqual({ removed, added }, { removed: index === 0 ? '' : `${name}?`, added: `${name}+` })
    }
  })
})

describeTogether.onOneEngine('a bug with flags that comes into another product or component', (world) => {
  it('keeps flags whose type applies there', async () => {
    const { name } = await newType(world)
    const bug = await newBug(world, [{ name, status: '+' }])
    const { changes } = await put(world.edna, bug, { component: 'UI' })
    assert.deepEqual(Object.keys(changes), ['component'])
    assert.deepEqual(await wordsOf(world, bug), [`${name}+`])
  })

  it('gets flags of another type of the same name, and loses those for which there is none', async () => {
    const place = await newPlace(world)
    const name = world.unique('flag')
    await newType(world, { name, inclusions: [{ [place.product]: ['Core'] }] })
    const there = await newType(world, { name, inclusions: [{ [place.product]: ['UI'] }] })
    const only = await newType(world, { inclusions: [{ [place.product]: ['Core'] }] })
    const bug = await file(world.edna, {
      ...place,
      flags: [
        { name, status: '?', requestee: cast.sven.login },
        { name: only.name, status: '+' },
      ],
    })
    const { changes } = await put(world.edna, bug, { component: 'UI' })
    assert.deepEqual(changes['flagtypes.name'], { removed: `${only.name}+`, added: '' })
    const flags = await flagsOf(world, bug)
    assert.deepEqual(flags.map(inWords), [`${name}?(${cast.sven.login})`])
    assert.equal(flags[0].type_id, there.id)
    const returned = (await getBugRow(world, bug)).history.filter(({ field }) => field === 'flagtypes.name')
    assert.deepEqual(
      returned.map(({ removed, added }) => ({ removed, added })),
      [{ removed: `${only.name}+`, added: '' }],
    )
  })

  it('takes flags that apply to the new place in the same change, and none of the old', async () => {
    const place = await newPlace(world)
    const here = await newType(world, { inclusions: [{ [place.product]: ['Core'] }] })
    const there = await newType(world, { inclusions: [{ [place.product]: ['UI'] }] })
    const bug = await file(world.edna, place)
    const moving = (name: string) => ({ component: 'UI', flags: [{ name, status: '?' }] })
    assertRefused(await world.edna.put(`/rest/bug/${bug}`, moving(here.name)), 404, 51)
    await put(world.edna, bug, moving(there.name))
    assert.deepEqual(await wordsOf(world, bug), [`${there.name}?`])
  })

  it('does the same between products', async () => {
    const [from, to] = [await newPlace(world), await newPlace(world)]
    const { name } = await newType(world, { inclusions: [from.product] })
    const bug = await file(world.edna, { ...from, flags: [{ name, status: '?' }] })
    const { changes } = await put(world.edna, bug, { product: to.product })
    assert.deepEqual(changes['flagtypes.name'], { removed: `${name}?`, added: '' })
    assert.deepEqual(await flagsOf(world, bug), [])
  })
})
