import assert from 'node:assert/strict'
import { it } from 'node:test'
import { cast } from '../support/cast.ts'
import { changeBug, historyOf } from '../support/change-bug.ts'
import { countQueries } from '../support/count-queries.ts'
import { readComments, withInsiders } from '../support/discussion.ts'
import { fileBug, readBug, readField } from '../support/file-bug.ts'
import { newMember, setControl } from '../support/new-member.ts'
import { newProduct } from '../support/new-product.ts'
import { assertRefused } from '../support/refusal.ts'
import { isEveryCombination } from '../support/sample.ts'
import { sure } from '../support/sure.ts'
import { describeOnEachEngine, itOnOneEngine } from '../support/world.ts'

/** A time at which nothing happened. */
const LONG_AGO = '2001-01-01T00:00:00Z'

describeOnEachEngine('PUT /rest/bug/(id_or_alias)', (world) => {
  const file = (more: object = {}) => fileBug(world.edna, { ...more })

  /** Sets the clock of a bug back, so that a change of its last change shows. */
  async function age(id: number) {
    await world.db.query((q) => q.updateTable('bugs').set({ changed_at: LONG_AGO }).where('id', '=', id))
  }

  const SINGLE: Record<string, [value: unknown, removed: string, added: string, read?: unknown]> = {
    summary: ['  Better\nwords ', 'Something is wrong', 'Better words'],
    url: ['http://example.com/', '', 'http://example.com/'],
    whiteboard: ['[triaged]', '', '[triaged]'],
    priority: ['high', '---', 'High'],
    severity: ['MAJOR', 'normal', 'major'],
    op_sys: ['linux', 'All', 'Linux'],
    platform: ['pc', 'All', 'PC'],
    assigned_to: [cast.stan.login.toUpperCase(), cast.ada.login, cast.stan.login],
    qa_contact: [cast.stan.login, '', cast.stan.login],
    is_cc_accessible: [false, '1', '0', false],
    is_creator_accessible: [0, '1', '0', false],
    deadline: ['2027-1-2', '', '2027-01-02'],
    estimated_time: ['12.50', '0.00', '12.5', 12.5],
    remaining_time: [3, '0.00', '3', 3],
  }

  itOnOneEngine(world, 'skips what is empty or null in lists', async () => {
    await world.ada.post('/rest/keyword', { name: 'skipper', description: 'For a test' })
    const [id, other] = [await file(), await file()]
    const link = 'https://github.com/a/b/issues/1'
    const reply = await world.edna.put(`/rest/bug/${id}`, {
      cc: { add: ['', null, cast.stan.login], remove: [null] },
      keywords: { set: [null, 'skipper', ' '] },
      see_also: { add: ['', link, null], remove: [''] },
      depends_on: { add: [null, other, ''] },
      blocks: { set: [null] },
    })
    assert.equal(reply.status, 200, reply.text)
    const { cc, keywords, see_also, depends_on, blocks } = await readBug(world.edna, id)
    assert.deepEqual(
      { cc, keywords, see_also, depends_on, blocks },
      { cc: [cast.stan.login], keywords: ['skipper'], see_also: [link], depends_on: [other], blocks: [] },
    )
  })

  for (const [field, [value, removed, added, read = added]] of Object.entries(SINGLE)) {
    itOnOneEngine(world, `changes ${field}, and says so in the answer and in history`, async () => {
      const id = await file()
      await age(id)
      const reply = await world.edna.put(`/rest/bug/${id}`, { [field]: value })
      assert.equal(reply.status, 200, reply.text)
      const [bug] = reply.body.bugs
      assert.deepEqual(bug.changes, { [field]: { removed, added } })
      assert.deepEqual(Object.keys(bug).sort(), ['alias', 'changes', 'id', 'last_change_time'])
      assert.notEqual(bug.last_change_time, LONG_AGO)
      const after = await readBug(world.edna, id)
      assert.equal(await readField(world.edna, id, field), read)
      assert.equal(after.last_change_time, bug.last_change_time)
      assert.deepEqual(await historyOf(world.edna, id), [`edna: ${field} ${removed} → ${added}`])
    })

    itOnOneEngine(world, `finds that ${field} is as it should be, and changes nothing`, async () => {
      const id = await file()
      await changeBug(world.edna, id, { [field]: value })
      await age(id)
      const { body } = await world.edna.put(`/rest/bug/${id}`, { [field]: value })
      assert.deepEqual(body, { bugs: [{ id, alias: [], last_change_time: LONG_AGO, changes: {} }] })
    })
  }

  const BAD: [change: object, status: number, code: number][] = [
    [{ summary: ' \n ' }, 400, 107],
    [{ summary: null }, 400, 107],
    [{ summary: 'x'.repeat(256) }, 400, 104],
    [{ alias: 12 }, 400, 103],
    [{ summary: ['a', 'b'] }, 400, 53],
    [{ summary: { a: 1 } }, 400, 53],
    [{ priority: 'P99' }, 404, 51],
    [{ priority: '' }, 400, 50],
    [{ priority: null }, 400, 50],
    [{ severity: 'dreadful' }, 404, 51],
    [{ op_sys: 'BeOS' }, 404, 51],
    [{ platform: 'Abacus' }, 404, 51],
    [{ status: 'NOPE' }, 404, 51],
    [{ component: 'Nothing' }, 404, 51],
    [{ component: '' }, 400, 105],
    [{ version: '99' }, 404, 51],
    [{ version: '' }, 400, 50],
    [{ version: ' ' }, 400, 50],
    [{ target_milestone: 'M99' }, 404, 51],
    [{ target_milestone: '' }, 400, 50],
    [{ product: 'Nothing' }, 401, 106],
    [{ product: '' }, 400, 50],
    [{ assigned_to: '' }, 400, 50],
    [{ assigned_to: 'nobody@nowhere.test' }, 404, 51],
    [{ assigned_to: 1 }, 404, 51],
    [{ qa_contact: 'nobody@nowhere.test' }, 404, 51],
    [{ cc: { add: ['nobody@nowhere.test'] } }, 404, 51],
    [{ cc: { remove: ['nobody@nowhere.test'] } }, 404, 51],
    [{ cc: [cast.stan.login] }, 400, 53],
    [{ cc: cast.stan.login }, 400, 53],
    [{ cc: { add: cast.stan.login } }, 400, 53],
    [{ cc: { add: [{}] } }, 400, 58],
    [{ keywords: ['a'] }, 400, 53],
    [{ keywords: 'a' }, 400, 53],
    [{ keywords: { add: ['nosuch'] } }, 404, 51],
    [{ keywords: { remove: ['nosuch'] } }, 404, 51],
    [{ keywords: { set: ['nosuch'] } }, 404, 51],
    [{ groups: ['security'] }, 400, 53],
    [{ groups: { add: ['nosuch'] } }, 401, 120],
    [{ groups: { remove: ['nosuch'] } }, 401, 120],
    [{ depends_on: [1] }, 400, 53],
    [{ depends_on: 1 }, 400, 53],
    [{ blocks: '1' }, 400, 53],
    [{ depends_on: { add: [99999999] } }, 404, 101],
    [{ depends_on: { add: ['no-such-alias'] } }, 400, 100],
    [{ blocks: { set: [99999999] } }, 404, 101],
    [{ see_also: 'http://example.com' }, 400, 53],
    [{ see_also: { add: ['http://example.com/whatever'] } }, 400, 112],
    [{ see_also: { add: ['no-such-alias'] } }, 400, 100],
    [{ comment: 'words' }, 400, 53],
    [{ comment: ['words'] }, 400, 53],
    [{ comment: { body: { a: 1 } } }, 400, 53],
    [{ comment: { body: 'x', is_private: 'maybe' } }, 400, 53],
    [{ comment: { body: 'x'.repeat(65_536) } }, 400, 114],
    [{ comment: { body: 'x', is_private: true } }, 401, 113],
    [{ comment_is_private: [1] }, 400, 53],
    [{ comment_is_private: { one: true } }, 400, 57],
    [{ comment_is_private: { 1: true } }, 401, 113],
    [{ is_cc_accessible: 'maybe' }, 400, 53],
    [{ deadline: 'soon' }, 400, 56],
    [{ deadline: '2027-02-30' }, 400, 56],
    [{ estimated_time: 'long' }, 400, 52],
    [{ estimated_time: 100_000 }, 400, 54],
    [{ estimated_time: -1 }, 400, 55],
    [{ remaining_time: -0.5 }, 400, 55],
    [{ remaining_time: {} }, 400, 53],
    [{ work_time: 'long' }, 400, 52],
    [{ work_time: 100_000 }, 400, 54],
    [{ dupe_of: '' }, 400, 50],
    [{ dupe_of: 99999999 }, 404, 101],
    [{ dupe_of: 'no-such-alias' }, 400, 100],
    [{ dupe_of: [1] }, 400, 53],
    [{ alias: '12' }, 400, 103],
    [{ alias: 'x'.repeat(41) }, 400, 103],
    [{ alias: { add: ['a b'] } }, 400, 103],
    [{ flags: 'review?' }, 400, 53],
    [{ flags: [{ name: 'nosuch', status: '?' }] }, 404, 51],
    [{ reset_assigned_to: 'perhaps' }, 400, 53],
  ]

  itOnOneEngine(world, 'refuses wrong values with the number that each has, and changes nothing', async () => {
    const id = await file({ alias: 'kept-as-it-is' })
    const before = await readBug(world.edna, id)
    for (const [change, status, code] of BAD) {
      const reply = await world.edna.put(`/rest/bug/${id}`, { whiteboard: 'never', ...change })
      assert.deepEqual([reply.status, reply.body.code], [status, code], `${JSON.stringify(change)}: ${reply.text}`)
    }
    assert.deepEqual(await readBug(world.edna, id), before)
    assert.deepEqual(await historyOf(world.edna, id), [])
    assert.equal((await readComments(world.edna, id)).length, 1)
  })

  it('is not for anonymous callers, and not for bugs that are not there', async () => {
    const id = await file()
    const hidden = await fileBug(world.sven, { summary: 'Hidden' })
    await world.db.query((q) =>
      q
        .insertInto('bug_groups')
        .columns(['bug_id', 'group_id'])
        .expression(
          q
            .selectFrom('groups')
            .select([(it) => it.val(hidden).as('bug'), 'id'])
            .where('name', '=', 'security'),
        ),
    )
    assertRefused(await world.nobody.put(`/rest/bug/${id}`, { summary: 'x' }), 401, 410)
    assertRefused(await world.nobody.put(`/rest/bug/${hidden}`, { summary: 'x' }), 401, 410)
    assertRefused(await world.edna.put(`/rest/bug/${hidden}`, { summary: 'x' }), 401, 102)
    assertRefused(await world.edna.put('/rest/bug/99999999', { summary: 'x' }), 404, 101)
    assertRefused(await world.edna.put('/rest/bug/no-such-alias', { summary: 'x' }), 400, 100)
  })

  itOnOneEngine(world, 'takes an alias for the bug, and more bugs in ids, each once', async () => {
    const alias = world.unique('alias')
    const [one, two] = [await file({ alias }), await file()]
    const { body } = await world.edna.put(`/rest/bug/${alias}`, { ids: [two, String(one), two], priority: 'Low' })
    assert.deepEqual(
      body.bugs.map((bug) => [bug.id, bug.alias, bug.changes.priority?.added]),
      [
        [one, [alias], 'Low'],
        [two, [], 'Low'],
      ],
    )
  })

  itOnOneEngine(world, 'changes no bug when one of several refuses', async () => {
    const [one, two] = [await file(), await file()]
    await changeBug(world.edna, two, { status: 'RESOLVED', resolution: 'FIXED' })
    const change = { ids: [two, 99999999], summary: 'Better words', comment: { body: 'Said' } }
    assertRefused(await world.edna.put(`/rest/bug/${one}`, change), 404, 101)
    assertRefused(await world.edna.put(`/rest/bug/${one}`, { ids: [two], resolution: 'FIXED', summary: 'B' }), 400, 122)
    for (const id of [one, two]) {
      assert.equal((await readBug(world.edna, id)).summary, 'Something is wrong')
      assert.equal((await readComments(world.edna, id)).length, 1)
    }
  })

  itOnOneEngine(world, 'is also to be had as PUT /rest/bug/update, with the bugs in ids', async () => {
    const [one, two] = [await file(), await file()]
    const { status, body } = await world.edna.put('/rest/bug/update', { ids: [one, two], priority: 'Low' })
    assert.equal(status, 200)
    assert.deepEqual(
      body.bugs.map((bug) => bug.id),
      [one, two],
    )
    assertRefused(await world.edna.put('/rest/bug/update', { priority: 'Low' }), 400, 50)
    await changeBug(world.edna, one, { cc: { add: [cast.stan.login] } })
    await world.edna.put('/rest/bug/update', { ids: [one, two], cc: { add: [cast.stan.login] } })
    assert.deepEqual((await readBug(world.edna, two)).cc, [cast.stan.login], 'also if another bug has them already')
  })

  itOnOneEngine(world, 'names the parameters that it does not know, and does the rest', async () => {
    const id = await file()
    const typos = { sumary: 'typo', cf_nosuch: 1, cc: { set: ['x'] }, groups: { set: ['y'] } }
    const change = { summary: 'New', comment_is_private: null, include_fields: 'bugs', ...typos }
    const { status, body } = await world.edna.put(`/rest/bug/${id}`, change)
    assert.equal(status, 200)
    assert.deepEqual(body.ignored, ['cc.set', 'cf_nosuch', 'groups.set', 'sumary'])
    assert.equal(body.bugs[0].changes.summary?.added, 'New')
  })

  itOnOneEngine(world, 'lets the query string override the body', async () => {
    const id = await file()
    const { body } = await world.edna.put(`/rest/bug/${id}?summary=From%20the%20query`, { summary: 'From the body' })
    assert.equal(body.bugs[0].changes.summary?.added, 'From the query')
  })

  it('makes no change in a dry run, and returns the changes', async () => {
    const [id, other] = [await file(), await file()]
    const before = await readBug(world.edna, id)
    const change = {
      summary: 'New',
      status: 'RESOLVED',
      resolution: 'FIXED',
      comment: { body: 'Words' },
      depends_on: { add: [other] },
      cc: { add: [cast.stan.login] },
      alias: world.unique('dry'),
    }
    const dry = await world.edna.put(`/rest/bug/${id}?dry_run=1`, change)
    assert.equal(dry.status, 200, dry.text)
    assert.deepEqual(await readBug(world.edna, id), before)
    assert.deepEqual(await historyOf(world.edna, id), [])
    assert.deepEqual(await historyOf(world.edna, other), [])
    assert.equal((await readComments(world.edna, id)).length, 1)
    assert.deepEqual(await eventsOf(id), ['bug.create'])
    assert.deepEqual(dry.body.bugs[0].changes, await changeBug(world.edna, id, change))
    assertRefused(await world.edna.put(`/rest/bug/${id}`, { dry_run: true, status: 'IN_PROGRESS' }), 400, 123)
  })

  itOnOneEngine(
    world,
    'refuses with 412 when the bug was changed since it was read, even in the same second',
    async () => {
      const id = await file()
      const read = async (query = '') => (await world.edna.get(`/rest/bug/${id}${query}`)).headers.get('etag') ?? ''
      const [etag, narrow] = [await read(), await read('?include_fields=summary')]
      assert.notEqual(etag, narrow)
      const put = (ifMatch: string, summary: string) =>
        world.edna.put(`/rest/bug/${id}`, { summary }, { 'If-Match': ifMatch })
      assert.equal((await put(narrow, 'First')).status, 200)
      assertRefused(await put(etag, 'Second'), 412, 32_000)
      assertRefused(await put(narrow, 'Second'), 412, 32_000)
      assertRefused(await put('"anything"', 'Second'), 412, 32_000)
      assert.equal((await put('*', 'Second')).status, 200)
      const current = await read()
      await world.edna.post(`/rest/bug/${id}/comment`, { comment: 'Something else' })
      assertRefused(await put(current, 'Third'), 412, 32_000)
      assert.equal((await put(`"other", ${await read()}`, 'Third')).status, 200)
    },
  )

  itOnOneEngine(world, 'gives the bug another update_token each time, even in the same second', async () => {
    const id = await file()
    const tokens = new Set<string>()
    for (const summary of ['One', 'Two', 'Three']) {
      await changeBug(world.edna, id, { summary })
      tokens.add((await readBug(world.edna, id)).update_token)
    }
    assert.equal(tokens.size, 3)
  })

  itOnOneEngine(world, 'writes an event of every change for the delivery', async () => {
    const [id, other] = [await file(), await file()]
    await changeBug(world.edna, id, { priority: 'High', comment: { body: 'Words' }, depends_on: { add: [other] } })
    await changeBug(world.edna, id, { priority: 'High' })
    assert.deepEqual(await eventsOf(id), ['bug.create', 'bug.update'])
    assert.deepEqual(await eventsOf(other), ['bug.create', 'bug.update'])
    const [, event] = await world.db.query((q) =>
      q.selectFrom('outbox').selectAll().where('bug_id', '=', id).orderBy('id'),
    )
    const facts = JSON.parse(event?.facts ?? '{}')
    assert.deepEqual(facts.changes.priority, { removed: '---', added: 'High' })
    assert.equal(facts.comment_id, (await readComments(world.edna, id))[1].id)
  })

  async function eventsOf(id: number): Promise<string[]> {
    const rows = await world.db.query((q) =>
      q.selectFrom('outbox').select('kind').where('bug_id', '=', id).orderBy('id'),
    )
    return rows.map((row) => row.kind)
  }

  itOnOneEngine(world, 'changes bugs of a product only for those whom its groups let', async () => {
    const product = await newProduct(world)
    const group = await world.newGroup()
    const id = await file({ product: product.name, component: 'Core' })
    const elsewhere = await file()
    await setControl(world, product.name, group.name, { canedit: true })
    assertRefused(await world.edna.put(`/rest/bug/${id}`, { summary: 'x' }), 401, 109)
    assertRefused(await world.edna.put(`/rest/bug/${elsewhere}`, { ids: [id], comment: { body: 'x' } }), 401, 109)
    const member = await newMember(world, 'editbugs', group.name)
    await changeBug(member.client, id, { summary: 'x' })
  })

  itOnOneEngine(world, 'adds and removes people on the CC list', async () => {
    const id = await file()
    assert.deepEqual(
      await changeBug(world.edna, id, { cc: { add: [cast.stan.login, cast.rhea.login.toUpperCase()] } }),
      {
        cc: { removed: '', added: `${cast.stan.login}, ${cast.rhea.login}` },
      },
    )
    const change = { cc: { add: [cast.uma.login, cast.stan.login], remove: [cast.rhea.login, cast.greta.login] } }
    assert.deepEqual(await changeBug(world.edna, id, change), {
      cc: { removed: cast.rhea.login, added: cast.uma.login },
    })
    assert.deepEqual((await readBug(world.edna, id)).cc, [cast.stan.login, cast.uma.login])
  })

  itOnOneEngine(
    world,
    'lets every user add users to the CC list and leave it, but remove others only if they work on the bug',
    async () => {
      const id = await file({ cc: [cast.rhea.login] })
      await changeBug(world.stan, id, { cc: { add: [cast.stan.login, cast.uma.login] } })
      assertRefused(await world.stan.put(`/rest/bug/${id}`, { cc: { remove: [cast.uma.login] } }), 400, 32_000)
      await changeBug(world.stan, id, { cc: { remove: [cast.stan.login, cast.greta.login] } })
      await changeBug(world.ada, id, { cc: { remove: [cast.uma.login] } })
      assert.deepEqual((await readBug(world.edna, id)).cc, [cast.rhea.login])
    },
  )

  itOnOneEngine(world, 'adds, removes and sets keywords', async () => {
    const [a, b, c] = [world.unique('kwa'), world.unique('kwb'), world.unique('kwc')]
    for (const name of [a, b, c]) await world.ada.post('/rest/keyword', { name, description: 'For a test' })
    const id = await file()
    const kept = async () => (await readBug(world.edna, id)).keywords
    assert.deepEqual(await changeBug(world.edna, id, { keywords: { add: [b.toUpperCase(), a] } }), {
      keywords: { removed: '', added: `${a}, ${b}` },
    })
    assert.deepEqual(await changeBug(world.edna, id, { keywords: { add: [c], remove: [a, c] } }), {
      keywords: { removed: a, added: '' },
    })
    assert.deepEqual(await kept(), [b])
    assert.deepEqual(await changeBug(world.edna, id, { keywords: { set: [c, a], add: [b], remove: [c] } }), {
      keywords: { removed: b, added: `${a}, ${c}` },
    })
    assert.deepEqual(await changeBug(world.edna, id, { keywords: { set: [a, c, a] } }), {})
    await changeBug(world.edna, id, { keywords: { set: [] } })
    assert.deepEqual(await changeBug(world.edna, id, { keywords: { add: [a, c, b] } }), {
      keywords: { removed: '', added: `${a}, ${b}, ${c}` },
    })
    await changeBug(world.edna, id, { keywords: { set: [] } })
    assert.deepEqual(await kept(), [])
  })

  itOnOneEngine(world, 'adds, removes and sets aliases; text is the same as set', async () => {
    const [a, b, c] = [world.unique('One'), world.unique('Two'), world.unique('Three')]
    const id = await file()
    assert.deepEqual(await changeBug(world.edna, id, { alias: a }), { alias: { removed: '', added: a } })
    assert.deepEqual(await changeBug(world.edna, id, { alias: { add: [b, a.toLowerCase()], remove: ['unknown'] } }), {
      alias: { removed: '', added: b },
    })
    const reply = await world.edna.put(`/rest/bug/${a.toUpperCase()}`, { alias: { set: [c, b], add: [a] } })
    assert.deepEqual(reply.body.bugs[0].alias, [b, c])
    assert.deepEqual(reply.body.bugs[0].changes, { alias: { removed: a, added: c } })
    assert.deepEqual(await changeBug(world.edna, id, { alias: null }), {})
    assert.deepEqual(await changeBug(world.edna, id, { alias: [c] }), { alias: { removed: b, added: '' } })
    assert.deepEqual(await changeBug(world.edna, id, { alias: '' }), { alias: { removed: c, added: '' } })
  })

  itOnOneEngine(world, 'refuses an alias that another bug has, and one for several bugs', async () => {
    const alias = world.unique('taken')
    const [one, two] = [await file({ alias }), await file()]
    assertRefused(await world.edna.put(`/rest/bug/${two}`, { alias: { add: [alias.toUpperCase()] } }), 400, 103)
    assertRefused(await world.edna.put(`/rest/bug/${one}`, { ids: [two], alias: { remove: [alias] } }), 400, 103)
    assert.deepEqual((await readBug(world.edna, one)).alias, [alias])
  })

  itOnOneEngine(
    world,
    'adds and removes URLs in See Also, and links bugs of the installation in both directions',
    async () => {
      const [id, other] = [await file(), await file()]
      const url = 'https://github.com/lacewing/lacewing/issues/7'
      await age(other)
      const change = { see_also: { add: [url, String(other)], remove: ['gibberish://'] } }
      const { added } = sure((await changeBug(world.edna, id, change)).see_also)
      const own = (await readBug(world.edna, other)).see_also[0]
      assert.match(own, new RegExp(`\\?id=${id}$`))
      assert.deepEqual(added.split(', '), [url, own.replace(/\d+$/, String(other))])
      assert.notEqual((await readBug(world.edna, other)).last_change_time, LONG_AGO)
      assert.deepEqual(await historyOf(world.edna, other), [`edna: see_also  → ${own}`])
      const remove = [url, String(other), 'https://github.com/x/y/issues/1']
      const { see_also } = await changeBug(world.edna, id, { see_also: { remove } })
      assert.deepEqual(see_also, { removed: added, added: '' })
      assert.deepEqual((await readBug(world.edna, id)).see_also, [])
      assert.deepEqual((await readBug(world.edna, other)).see_also, [])
      assertRefused(await world.edna.put(`/rest/bug/${id}`, { see_also: { add: [String(id)] } }), 400, 32_000)
    },
  )

  itOnOneEngine(world, 'adds a comment, under either of its two names, and leaves out a blank one', async () => {
    const id = await file()
    await age(id)
    const blank = { body: ' \n ', is_private: true, is_markdown: true }
    assert.deepEqual(await changeBug(world.stan, id, { comment: blank, work_time: '', remaining_time: null }), {})
    assert.equal((await readComments(world.edna, id)).length, 1)
    assert.equal((await readBug(world.edna, id)).last_change_time, LONG_AGO)
    assert.deepEqual(await changeBug(world.stan, id, { comment: { body: ' First\r\nline \n\n' } }), {})
    await changeBug(world.stan, id, { comment: { comment: 'Second' } })
    const [, first, second] = await readComments(world.edna, id)
    assert.deepEqual([first.text, first.creator, first.count], [' First\nline', cast.stan.login, 1])
    assert.equal(second.text, 'Second')
    assert.notEqual((await readBug(world.edna, id)).last_change_time, LONG_AGO)
    assert.deepEqual(await historyOf(world.edna, id), [])
  })

  itOnOneEngine(world, 'puts the same comment on every bug', async () => {
    const ids = [await file(), await file(), await file()]
    await world.edna.put('/rest/bug/update', { ids, comment: { body: 'To all' }, work_time: 2 })
    for (const id of ids) {
      assert.deepEqual(
        (await readComments(world.edna, id)).map((comment) => [comment.count, comment.text]),
        [
          [0, ''],
          [1, 'To all'],
        ],
      )
      assert.equal((await readBug(world.edna, id)).actual_time, 2)
    }
  })

  it('lets insiders write private comments, and make comments private and public', async () => {
    await withInsiders(world, async () => {
      const [id, other] = [await file(), await file()]
      await changeBug(world.sven, id, { comment: { body: 'Psst', is_private: true } })
      const [description, secret] = await readComments(world.sven, id)
      assert.equal(secret.is_private, true)
      assert.equal((await readComments(world.edna, id)).length, 1)
      const change = { comment_is_private: { [description.id]: true, [secret.id]: false } }
      assertRefused(await world.edna.put(`/rest/bug/${id}`, change), 401, 113)
      assertRefused(await world.sven.put(`/rest/bug/${other}`, change), 400, 117)
      assertRefused(await world.sven.put(`/rest/bug/${id}`, { comment_is_private: { 99999999: true } }), 400, 117)
      assert.deepEqual(await changeBug(world.sven, id, change), {})
      assert.deepEqual(
        (await readComments(world.sven, id)).map((comment) => comment.is_private),
        [true, false],
      )
      assert.deepEqual(await historyOf(world.sven, id), [
        'sven: longdescs.isprivate 0 → 1',
        'sven: longdescs.isprivate 1 → 0',
      ])
      assert.deepEqual(await changeBug(world.sven, id, change), {})
      assert.equal((await historyOf(world.sven, id)).length, 2)
      await changeBug(world.sven, id, { comment_is_private: { [` ${description.id} `]: null } })
      assert.equal((await readComments(world.edna, id))[0].is_private, false)
    })
  })

  itOnOneEngine(world, 'subtracts the hours worked from the remaining ones, unless these are set too', async () => {
    const id = await file({ estimated_time: 10 })
    const hours = async () => {
      const { actual_time, estimated_time, remaining_time } = await readBug(world.edna, id)
      return [actual_time, estimated_time, remaining_time]
    }
    assert.deepEqual(await changeBug(world.edna, id, { work_time: 2.5 }), {
      remaining_time: { removed: '10.00', added: '7.5' },
    })
    assert.deepEqual(await hours(), [2.5, 10, 7.5])
    await changeBug(world.edna, id, { work_time: '1', remaining_time: 9, comment: { body: 'Hard' } })
    assert.deepEqual(await hours(), [3.5, 10, 9])
    await changeBug(world.edna, id, { work_time: -1 })
    assert.deepEqual(await hours(), [2.5, 10, 10])
    await changeBug(world.edna, id, { work_time: 99 })
    assert.deepEqual(await hours(), [101.5, 10, 0])
    assert.deepEqual(await changeBug(world.edna, id, { work_time: 0 }), {})
    assert.deepEqual(
      (await historyOf(world.edna, id)).filter((line) => line.includes('work_time')),
      ['2.50', '1.00', '-1.00', '99.00'].map((added) => `edna: work_time  → ${added}`),
    )
  })

  itOnOneEngine(world, 'shows hours only to users who track time, also when closing a bug sets them to 0', async () => {
    const id = await fileBug(world.rhea)
    await changeBug(world.edna, id, { remaining_time: 5 })
    const changes = await changeBug(world.rhea, id, { status: 'RESOLVED', resolution: 'INVALID' })
    assert.deepEqual(Object.keys(changes).sort(), ['resolution', 'status'])
    assert.equal((await readBug(world.edna, id)).remaining_time, 0)
    assert.ok((await historyOf(world.edna, id)).includes('rhea: remaining_time 5.00 → 0'))
  })

  it('resets the assignee and the QA contact to those of the component, the new one if it changes', async () => {
    const product = await newProduct(world, ['Old'])
    await world.ada.post('/rest/component', {
      product: product.name,
      name: 'New',
      description: 'A part',
      default_assignee: cast.uma.login,
      default_qa_contact: cast.greta.login,
    })
    const id = await file({ product: product.name, component: 'Old', assigned_to: cast.stan.login })
    await changeBug(world.edna, id, { reset_assigned_to: true, reset_qa_contact: true })
    assert.equal((await readBug(world.edna, id)).assigned_to, cast.ada.login)
    await changeBug(world.edna, id, { component: 'New', reset_assigned_to: 1, reset_qa_contact: 1 })
    const { assigned_to, qa_contact } = await readBug(world.edna, id)
    assert.deepEqual([assigned_to, qa_contact], [cast.uma.login, cast.greta.login])
    assert.deepEqual(await changeBug(world.edna, id, { component: 'Old', reset_assigned_to: false, qa_contact: '' }), {
      component: { removed: 'New', added: 'Old' },
      qa_contact: { removed: cast.greta.login, added: '' },
    })
    assert.deepEqual(
      await changeBug(world.edna, id, { assigned_to: cast.stan.login, component: 'New', reset_assigned_to: true }),
      { component: { removed: 'Old', added: 'New' } },
    )
    // Each in a statement of its own.
    for (const change of [{ qa_contact: cast.stan.login }, { op_sys: 'Linux' }, { platform: 'PC' }])
      assert.deepEqual(Object.keys(await changeBug(world.edna, id, change)), Object.keys(change))
  })

  itOnOneEngine(world, 'copies those whom a component copies when the bug comes into it', async () => {
    const product = await newProduct(world, ['Old'])
    await world.ada.post('/rest/component', {
      product: product.name,
      name: 'New',
      description: 'A part',
      default_assignee: cast.uma.login,
      default_cc: [cast.greta.login],
    })
    const id = await file({ product: product.name, component: 'Old', cc: [cast.rhea.login] })
    assert.deepEqual(await changeBug(world.edna, id, { component: 'new' }), {
      component: { removed: 'Old', added: 'New' },
      cc: { removed: '', added: cast.greta.login },
    })
    assert.equal((await readBug(world.edna, id)).assigned_to, cast.ada.login)
  })

  it('refuses a component, version or milestone that is no longer in use, but keeps one', async () => {
    const product = await newProduct(world, ['Core', 'Attic'])
    const at = `/rest/product/${product.name}`
    await world.ada.post(`${at}/version`, { name: '0.1' })
    await world.ada.post(`${at}/milestone`, { name: 'M0' })
    const place = { product: product.name, component: 'Attic', version: '0.1', target_milestone: 'M0' }
    const id = await file(place)
    await world.ada.put(`/rest/component/${product.name}/Attic`, { is_open: false })
    await world.ada.put(`${at}/version/0.1`, { is_active: false })
    await world.ada.put(`${at}/milestone/M0`, { is_active: false })
    assert.deepEqual(await changeBug(world.edna, id, place), {})
    await changeBug(world.edna, id, { component: 'Core', version: '1.0', target_milestone: '---' })
    for (const name of ['component', 'version', 'target_milestone'] as const)
      assertRefused(await world.edna.put(`/rest/bug/${id}`, { [name]: place[name] }), 400, 32_000)
  })

  itOnOneEngine(world, 'sets, grants and clears flags, and adds the requestee to the CC list', async () => {
    const name = world.unique('review')
    await world.ada.post('/rest/flag_type', { name, description: 'For a test', target_type: 'bug' })
    const id = await file()
    const flag = { name, status: '?', requestee: cast.stan.login }
    assert.deepEqual(await changeBug(world.edna, id, { flags: [flag], cc: { add: [cast.rhea.login] } }), {
      'flagtypes.name': { removed: '', added: `${name}?(${cast.stan.login})` },
      cc: { removed: '', added: `${cast.rhea.login}, ${cast.stan.login}` },
    })
    assert.deepEqual(await changeBug(world.stan, id, { flags: [{ name, status: '+' }] }), {
      'flagtypes.name': { removed: `${name}?(${cast.stan.login})`, added: `${name}+` },
    })
    assert.equal((await readBug(world.edna, id)).flags[0].setter, cast.stan.login)
    const events = await world.db.query((q) =>
      q.selectFrom('outbox').select('facts').where('bug_id', '=', id).orderBy('id'),
    )
    const [, asked, granted] = events.map(({ facts }) => JSON.parse(facts))
    assert.deepEqual(
      [asked, granted].map(({ flags: [{ before, after }] }) => [before, after]),
      [
        [null, `${name}?(${cast.stan.login})`],
        [`${name}?(${cast.stan.login})`, `${name}+`],
      ],
    )
    await changeBug(world.edna, id, { flags: [{ name, status: 'X' }] })
    assert.deepEqual((await readBug(world.edna, id)).flags, [])
    assert.deepEqual(
      (await historyOf(world.edna, id)).filter((line) => line.includes('flagtypes.name')),
      [
        `edna: flagtypes.name  → ${name}?(${cast.stan.login})`,
        `stan: flagtypes.name ${name}?(${cast.stan.login}) → ${name}+`,
        `edna: flagtypes.name ${name}+ → `,
      ],
    )
  })

  itOnOneEngine(world, 'restricts a bug to groups, and frees it, for their members', async () => {
    const product = await newProduct(world)
    const group = await world.newGroup()
    await setControl(world, product.name, group.name, { membercontrol: 'Shown', othercontrol: 'Shown' })
    const member = await newMember(world, 'editbugs', group.name)
    const id = await file({ product: product.name, component: 'Core' })
    assertRefused(await world.edna.put(`/rest/bug/${id}`, { groups: { add: [group.name] } }), 401, 120)
    assert.deepEqual(await changeBug(member.client, id, { groups: { add: [group.name.toUpperCase()] } }), {
      groups: { removed: '', added: group.name },
    })
    assertRefused(await world.stan.put(`/rest/bug/${id}`, { comment: { body: 'x' } }), 401, 102)
    assertRefused(await world.edna.put(`/rest/bug/${id}`, { groups: { remove: [group.name] } }), 401, 120)
    await changeBug(member.client, id, { groups: { remove: [group.name] } })
    await changeBug(world.stan, id, { comment: { body: 'x' } })
  })

  itOnOneEngine(world, 'gives no role to a user without access to the product with strict_isolation', async () => {
    const product = await newProduct(world)
    const group = await world.newGroup()
    await setControl(world, product.name, group.name, { membercontrol: 'Shown', canedit: true })
    const member = await newMember(world, 'editbugs', group.name)
    const colleague = await newMember(world, group.name)
    const id = await fileBug(member.client, { product: product.name, component: 'Core' })
    await world.withParameters({ strict_isolation: 1 }, async () => {
      for (const change of [
        { cc: { add: [cast.stan.login] } },
        { assigned_to: cast.stan.login },
        { qa_contact: cast.stan.login },
      ]) {
        const reply = await member.client.put(`/rest/bug/${id}`, change)
        assertRefused(reply, 401, 504)
        assert.deepEqual([reply.body.field, reply.body.values], [Object.keys(change)[0], { login: cast.stan.login }])
      }
      await changeBug(member.client, id, { cc: { add: [colleague.login] }, assigned_to: colleague.login })
    })
    const open = await newProduct(world)
    const elsewhere = await file({ product: open.name, component: 'Core', cc: [cast.stan.login], version: '1.0' })
    await world.withParameters({ strict_isolation: 1 }, async () => {
      const moves = { product: product.name, assigned_to: colleague.login }
      assertRefused(await member.client.put(`/rest/bug/${elsewhere}`, moves), 401, 504)
      await changeBug(member.client, elsewhere, { ...moves, cc: { remove: [cast.stan.login] } })
    })
    await changeBug(member.client, id, { cc: { add: [cast.stan.login] } })
    await world.withParameters({ strict_isolation: 1 }, async () => {
      await changeBug(member.client, id, { cc: { add: [member.login] }, summary: 'With those who were there before' })
    })
  })

  itOnOneEngine(world, 'changes hundreds of bugs with few statements', async () => {
    const count = isEveryCombination ? 1000 : 200
    const first = await file()
    const [row] = await world.db.query((q) => q.selectFrom('bugs').selectAll().where('id', '=', first))
    assert.ok(row)
    const { id: _, ...copy } = row
    const ids = [first]
    // SQLite takes 32,766 values in one statement.
    while (ids.length < count) {
      const length = Math.min(200, count - ids.length)
      const made = await world.db.query((q) =>
        q
          .insertInto('bugs')
          .values(Array.from({ length }, () => copy))
          .returning('id'),
      )
      ids.push(...made.map((bug) => bug.id))
    }
    const [keyword] = [world.unique('many')]
    await world.ada.post('/rest/keyword', { name: keyword, description: 'For a test' })
    let turn = 0
    const update = async (count: number) => {
      const { status, body, text } = await world.edna.put('/rest/bug/update', {
        ids: ids.slice(0, count),
        summary: `All alike ${++turn}`,
        priority: turn % 2 === 0 ? 'Low' : 'High',
        status: turn % 2 === 0 ? 'CONFIRMED' : 'IN_PROGRESS',
        comment: { body: 'All alike' },
        cc: turn % 2 === 0 ? { add: [cast.stan.login] } : { remove: [cast.stan.login] },
        keywords: turn % 2 === 0 ? { add: [keyword] } : { set: [] },
        work_time: 1,
      })
      assert.equal(status, 200, text)
      assert.ok(body.bugs.every((bug) => bug.changes.summary?.added === `All alike ${turn}`))
    }
    const [few, many] = [await countQueries(world, () => update(2)), await countQueries(world, () => update(count))]
    // SQLite has one for each hundred bugs, so that other requests need not wait for long.
    const most = world.db.dialect.engine === 'sqlite' ? (few * count) / 100 : few + 2
    assert.ok(many <= most, `${few} statements for two bugs, ${many} for ${count}`)
    const lines = await world.db.query((q) =>
      q
        .selectFrom('bug_changes')
        .select('field')
        .where('bug_id', '=', ids.at(-1) ?? 0)
        .where('field', '=', 'summary'),
    )
    assert.equal(lines.length, 4)
  })
})
