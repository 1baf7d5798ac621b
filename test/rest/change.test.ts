import assert from 'node:assert/strict'
import { it } from 'node:test'
import { cast, PASSWORD } from '../support/cast.ts'
import { countQueries } from '../support/count-queries.ts'
import { fileBug, readBug, readField } from '../support/file-bug.ts'
import { newType } from '../support/flags.ts'
import { newMember } from '../support/new-member.ts'
import { newHiddenProduct, newProduct } from '../support/new-product.ts'
import { inOneWorld } from '../support/one-world.ts'
import { assertRefused } from '../support/refusal.ts'
import { isEveryCombination } from '../support/sample.ts'
import { type Client, itOnce, itOnOneEngine, type World } from '../support/world.ts'

const describeTogether = inOneWorld()

async function put(who: Client, bugs: number | readonly number[], changes: object) {
  const ids = typeof bugs === 'number' ? [bugs] : bugs
  const { status, text } = await who.put(`/rest/bug/${ids[0]}`, { ids, ...changes })
  assert.equal(status, 200, text)
  return lastChange(who, ids[0] as number)
}

async function historyOf(who: Client, bug: number) {
  const { status, body, text } = await who.get(`/rest/bug/${bug}/history`)
  assert.equal(status, 200, text)
  return body.bugs[0].history
}

/** The number of the newest change of the bug. */
async function lastChange(who: Client, bug: number): Promise<number> {
  return (await historyOf(who, bug)).at(-1)?.change_id as number
}

async function undo(who: Client, change: number, more: object = {}, headers: Record<string, string> = {}) {
  const { status, body, text } = await who.post(`/rest/change/${change}/undo`, more, headers)
  assert.equal(status, 200, text)
  return body
}

async function undoBy(who: Client, by: object) {
  const { status, body, text } = await who.post('/rest/change/undo', by)
  assert.equal(status, 200, text)
  return body
}

/** A key of the user, as a caller. */
async function newKey(world: World, owner: { id: number; client: Client }, description = 'The robot') {
  const { body, text } = await owner.client.post(`/rest/user/${owner.id}/api_key`, { description })
  assert.ok(body.api_key, text)
  return { id: body.id as number, client: world.as({ 'X-TRACKER-API-KEY': body.api_key }) }
}

async function newEditor(world: World, ...more: string[]) {
  const user = await world.newUser()
  const { status, text } = await world.ada.put(`/rest/user/${user.id}`, { groups: { add: ['editbugs', ...more] } })
  assert.equal(status, 200, text)
  return user
}

describeTogether('By what a change was made', (world) => {
  it('is in the history: the name of a key only for its owner and administrators', async () => {
    const owner = await newEditor(world)
    const key = await newKey(world, owner)
    const bug = await fileBug(owner.client)
    await put(key.client, bug, { priority: 'High' })
    const named = { kind: 'key', id: key.id, name: 'The robot' }
    for (const [reader, source] of [
      [owner.client, named],
      [world.ada, named],
      [world.sven, { kind: 'key' }],
      [world.nobody, { kind: 'key' }],
    ] as const)
      assert.deepEqual((await historyOf(reader, bug))[0]?.source, source)
    const password = { 'X-TRACKER-LOGIN': cast.edna.login, 'X-TRACKER-PASSWORD': PASSWORD }
    await put(world.as(password), bug, { priority: 'Low' })
    assert.equal((await historyOf(world.ada, bug)).at(-1)?.source.kind, 'login')
  })

  it('is one change for all that a call does, also to several bugs, and is told apart from a login and from older lines', async () => {
    const bugs = [await fileBug(world.edna), await fileBug(world.edna)]
    const change = await put(world.edna, bugs, { priority: 'High', comment: { body: 'Soon' } })
    assert.equal(await lastChange(world.edna, bugs[1] as number), change)
    const { body } = await world.nobody.get(`/rest/change/${change}`)
    assert.deepEqual([body.id, body.total, body.next, body.who], [change, 2, null, cast.edna.login])
    assert.deepEqual(
      body.bugs.map((it) => [it.id, it.changes, it.kept.map(({ kind }) => kind)]),
      bugs.map((id) => [id, [{ field_name: 'priority', removed: '---', added: 'High' }], ['comment']]),
    )
    const [bug] = bugs as [number]
    const other = await put(world.sven, bug, { whiteboard: 'x' })
    assert.notEqual(other, change)
    await world.db.query((q) => q.updateTable('bug_changes').set({ change_id: null }).where('change_id', '=', change))
    await world.db.query((q) => q.updateTable('bug_changes').set({ change_id: 0 }).where('change_id', '=', other))
    assert.deepEqual(
      (await historyOf(world.ada, bug)).map(({ source, change_id }) => [source.kind, change_id]),
      [
        ['unknown', undefined],
        ['import', undefined],
      ],
    )
  })

  it('is in comments on request, and in the audit log', async () => {
    const bug = await fileBug(world.edna, { description: 'First' })
    const { body } = await world.ada.get(`/rest/bug/${bug}/comment?include_fields=id,source,change_id`)
    const [comment] = body.bugs[`${bug}`]?.comments ?? []
    assert.deepEqual(comment?.source?.kind, 'key')
    assert.equal(typeof comment?.change_id, 'number')
    const usual = (await world.ada.get(`/rest/bug/${bug}/comment`)).body.bugs[`${bug}`]?.comments[0]
    assert.equal(usual?.source, undefined)
    const name = world.unique('word')
    await world.ada.post('/rest/keyword', { name, description: 'A word' })
    const { audit } = (await world.ada.get('/rest/audit?class=Tracker::Keyword&limit=1')).body
    assert.equal(audit[0]?.source.kind, 'key')
  })

  itOnce(world, 'is read with the history in one query', async () => {
    const bug = await fileBug(world.edna)
    await put(world.edna, bug, { priority: 'High' })
    assert.equal(
      await countQueries(world, () => historyOf(world.nobody, bug)),
      2,
      'one for the caller, one for the history',
    )
  })
})

describeTogether('POST /rest/change/(id)/undo', (world) => {
  itOnOneEngine(world, 'changes a bug back in the name of the caller, says so, and can be undone', async () => {
    const bug = await fileBug(world.edna, { priority: 'Low' })
    const change = await put(world.edna, bug, { priority: 'High', summary: 'Other words' })
    const tried = await undo(world.sven, change, { dry_run: true })
    assert.equal(tried.dry_run, true)
    assert.equal(tried.change_id, undefined)
    assert.equal((await readBug(world.ada, bug)).priority, 'High')
    const done = await undo(world.sven, change, { comment: 'A mistake' })
    assert.deepEqual(done.undone, tried.undone)
    const { priority, summary } = await readBug(world.ada, bug)
    assert.deepEqual([priority, summary], ['Low', 'Something is wrong'])
    const entry = (await historyOf(world.ada, bug)).at(-1)
    assert.deepEqual([entry?.who, entry?.undoes, entry?.change_id], [cast.sven.login, change, done.change_id])
    const again = await undo(world.sven, change)
    assert.deepEqual([again.undone, again.conflicts, again.unchanged], [[], [], [bug]])
    await undo(world.edna, done.change_id as number)
    assert.equal((await readBug(world.ada, bug)).priority, 'High')
    await undo(world.edna, change)
    assert.equal((await readBug(world.ada, bug)).priority, 'Low')
  })

  it('leaves what was changed again, and takes back only the items that it added to lists', async () => {
    const [keyword, other] = [world.unique('word'), world.unique('word')]
    for (const name of [keyword, other]) await world.ada.post('/rest/keyword', { name, description: 'A word' })
    const linked = await fileBug(world.edna)
    const bug = await fileBug(world.edna, { cc: [cast.uma.login] })
    const change = await put(world.edna, bug, {
      cc: { add: [cast.stan.login, cast.sven.login], remove: [cast.uma.login] },
      keywords: { add: [keyword] },
      depends_on: { add: [linked] },
      see_also: { add: ['https://bugzilla.mozilla.org/show_bug.cgi?id=1'] },
      status: 'IN_PROGRESS',
      url: 'https://example.org',
    })
    await put(world.sven, bug, { keywords: { add: [other] }, cc: { remove: [cast.stan.login] } })
    await put(world.sven, bug, { cc: { add: [cast.stan.login] }, url: 'https://example.org/2' })
    const { conflicts } = await undo(world.edna, change)
    assert.deepEqual(conflicts.map(({ field, added, now, who }) => [field, added, now, who]).sort(), [
      ['cc', cast.stan.login, cast.stan.login, cast.sven.login],
      ['url', 'https://example.org', 'https://example.org/2', cast.sven.login],
    ])
    const after = await readBug(world.ada, bug)
    assert.deepEqual(after.cc, [cast.stan.login, cast.uma.login])
    assert.deepEqual(
      [after.keywords, after.depends_on, after.see_also, after.status, after.url],
      [[other], [], [], 'CONFIRMED', 'https://example.org/2'],
    )
    assert.deepEqual((await readBug(world.ada, linked)).blocks, [])
  })

  it('puts status and resolution back together, also of a duplicate, or neither', async () => {
    const [bug, original] = [await fileBug(world.edna), await fileBug(world.edna)]
    const marked = await put(world.edna, bug, { dupe_of: original })
    await undo(world.edna, marked)
    assert.deepEqual(
      [(await readBug(world.ada, bug)).status, await readField(world.ada, bug, 'dupe_of')],
      ['CONFIRMED', null],
    )
    await put(world.edna, bug, { dupe_of: original })
    const reopened = await put(world.edna, bug, { status: 'CONFIRMED' })
    await undo(world.edna, reopened)
    assert.equal(await readField(world.ada, bug, 'dupe_of'), original)
    const closed = await put(world.edna, original, { status: 'RESOLVED', resolution: 'FIXED' })
    await put(world.sven, original, { resolution: 'WONTFIX' })
    const { conflicts, undone } = await undo(world.edna, closed)
    assert.deepEqual(conflicts.map(({ field }) => field).sort(), ['resolution', 'status'])
    assert.deepEqual(undone, [])
  })

  itOnOneEngine(world, 'moves a bug back, with its component, version and milestone', async () => {
    const [from, to] = [await newProduct(world), await newProduct(world, ['Elsewhere'])]
    const bug = await fileBug(world.edna, { product: from.name, component: 'Core', version: '1.0' })
    const moved = await put(world.edna, bug, { product: to.name, component: 'Elsewhere', version: '1.0' })
    const { refused } = await undo(world.edna, moved)
    assert.deepEqual(refused, [])
    const { product, component } = await readBug(world.ada, bug)
    assert.deepEqual([product, component], [from.name, 'Core'])
  })

  itOnOneEngine(world, 'sets, clears and asks flags again', async () => {
    const type = await newType(world)
    const bug = await fileBug(world.ada)
    const flagsNow = async () =>
      (await readBug(world.ada, bug, '?include_fields=flags')).flags.map(({ status, requestee }) => [status, requestee])
    const asked = await put(world.ada, bug, { flags: [{ name: type.name, status: '?', requestee: cast.sven.login }] })
    const answered = await put(world.ada, bug, { flags: [{ name: type.name, status: '+' }] })
    await undo(world.ada, answered)
    assert.deepEqual(await flagsNow(), [['?', cast.sven.login]])
    await undo(world.ada, asked)
    assert.deepEqual(await flagsNow(), [])
    const { conflicts, unchanged } = await undo(world.ada, asked)
    assert.deepEqual([conflicts, unchanged], [[], [bug]])
  })

  it('needs the rights of an ordinary change: what is refused is listed, and the bug stays whole', async () => {
    const group = await world.newGroup()
    const product = await newProduct(world)
    const controls = { membercontrol: 'Shown', othercontrol: 'Shown' }
    await world.ada.put(`/rest/product/${product.name}/group_control/${group.name}`, controls)
    const member = await newEditor(world, group.name)
    const reporter = await newEditor(world)
    const bug = await fileBug(reporter.client, { product: product.name, component: 'Core', version: '1.0' })
    const change = await put(member.client, bug, { groups: { add: [group.name] }, priority: 'High' })
    const { refused, undone } = await undo(reporter.client, change)
    assert.deepEqual(
      refused.map(({ bug_id, reason }) => [bug_id, reason]),
      [[bug, 'group_not_settable']],
    )
    assert.deepEqual(undone, [])
    assert.deepEqual(await readField(world.ada, bug, 'groups'), [group.name])
    assert.equal((await readBug(world.ada, bug)).priority, 'High')
    const plain = await world.newUser()
    const open = await fileBug(world.edna)
    const theirs = await put(world.edna, open, { priority: 'High' })
    const tried = await undo(plain.client, theirs, { dry_run: true })
    assert.deepEqual([tried.refused.length, tried.undone], [1, []])
    assertRefused(await world.nobody.post(`/rest/change/${theirs}/undo`), 401, 410)
  })

  it('does not show a change of a hidden bug: the response is that for a missing change', async () => {
    const product = await newHiddenProduct(world)
    const bug = await fileBug(world.ada, { product: product.name, component: 'Core', version: '1.0' })
    const open = await fileBug(world.ada)
    const change = await put(world.ada, [bug, open], { priority: 'High' })
    const secret = await put(world.ada, bug, { priority: 'Low' })
    const missing = 2_000_000_000
    const same = (text: string) => text.replaceAll(String(missing), String(secret))
    for (const client of [world.edna, world.nobody])
      assert.equal(
        (await client.get(`/rest/change/${secret}`)).text,
        same((await client.get(`/rest/change/${missing}`)).text),
      )
    assert.equal(
      (await world.edna.post(`/rest/change/${secret}/undo`)).text,
      same((await world.edna.post(`/rest/change/${missing}/undo`)).text),
    )
    const seen = (await world.edna.get(`/rest/change/${change}`)).body
    assert.deepEqual([seen.total, seen.bugs.map(({ id }) => id)], [1, [open]])
    const done = await undo(world.edna, change)
    assert.deepEqual([done.total, done.bugs, done.undone.map((it) => it.bug_id)], [1, 1, [open]])
    assert.equal((await readBug(world.ada, bug)).priority, 'Low')
  })

  itOnce(world, 'shows nothing of private comments, hours and hidden numbers', async () => {
    const hidden = await newHiddenProduct(world)
    const secret = await fileBug(world.ada, { product: hidden.name, component: 'Core', version: '1.0' })
    const bug = await fileBug(world.ada)
    const linked = await put(world.ada, bug, { depends_on: { add: [secret] } })
    assertRefused(await world.edna.get(`/rest/change/${linked}`), 404, 51)
    const timed = await world.withParameters({ insidergroup: 'admin', timetrackinggroup: 'admin' }, async () => {
      const made = await put(world.ada, bug, { estimated_time: 5, comment: { body: 'Secret', is_private: true } })
      assertRefused(await world.edna.get(`/rest/change/${made}`), 404, 51)
      assertRefused(await world.edna.post(`/rest/change/${made}/undo`), 404, 51)
      return undo(world.ada, made)
    })
    assert.equal(timed.undone.length, 1)
    assert.equal(await readField(world.ada, bug, 'estimated_time'), 0)
  })

  it('of many bugs, after others changed some of them, leaves exactly those', async () => {
    const count = isEveryCombination ? 1000 : 20
    const others = count / 20
    const product = await newProduct(world)
    const where = { product: product.name, component: 'Core', version: '1.0' }
    const bugs: number[] = []
    for (let at = 0; at < count; at += 20)
      bugs.push(
        ...(await Promise.all(Array.from({ length: Math.min(20, count - at) }, () => fileBug(world.edna, where)))),
      )
    bugs.sort((one, other) => one - other)
    const change = await put(world.edna, bugs, { priority: 'High', whiteboard: 'all' })
    const changedAgain = bugs.filter((_, index) => index % 20 === 3)
    assert.equal(changedAgain.length, others)
    for (const bug of changedAgain) await put(world.sven, bug, { priority: 'Low' })
    const limit = isEveryCombination ? 100 : 7
    const results = []
    let slowest = 0
    let isDone = false
    const reading = (async () => {
      while (!isDone) {
        const begun = performance.now()
        await put(world.stan, await fileBug(world.stan), { cc: { add: [cast.uma.login] } })
        slowest = Math.max(slowest, performance.now() - begun)
      }
    })()
    for (let after: string | null | undefined; after !== null; after = results.at(-1)?.next)
      results.push(await undo(world.edna, change, { limit, ...(after !== undefined && { after }) }))
    isDone = true
    await reading
    assert.equal(new Set(results.map((it) => it.change_id)).size, 1, 'one change undoes all')
    assert.deepEqual(
      results.flatMap(({ conflicts }) => conflicts.map(({ bug_id, field, now }) => [bug_id, field, now])),
      changedAgain.map((id) => [id, 'priority', 'Low']),
    )
    assert.equal(results.flatMap(({ undone }) => undone).length, count)
    const rows = await world.db.query((q) =>
      q
        .selectFrom('bugs')
        .innerJoin('field_values', 'field_values.id', 'bugs.priority_id')
        .select(['bugs.id', 'field_values.name', 'bugs.whiteboard'])
        .where('bugs.product_id', '=', product.id)
        .orderBy('bugs.id'),
    )
    assert.deepEqual(
      rows.map(({ id, name, whiteboard }) => [id, name, whiteboard]),
      bugs.map((id) => [id, changedAgain.includes(id) ? 'Low' : '---', '']),
    )
    if (isEveryCombination) console.log(`${world.engine}: slowest of the other calls ${Math.round(slowest)} ms`)
    const redone = await undo(world.edna, results[0]?.change_id as number, { limit: 100, dry_run: true })
    assert.equal(redone.total, count)
  })

  it('at the same time changes each bug back once', async () => {
    const bugs = [await fileBug(world.edna), await fileBug(world.edna), await fileBug(world.edna)]
    const change = await put(world.edna, bugs, { priority: 'High', cc: { add: [cast.uma.login] } })
    const results = await Promise.all([undo(world.edna, change), undo(world.sven, change), undo(world.edna, change)])
    for (const bug of bugs) {
      assert.equal((await historyOf(world.ada, bug)).length, 2)
      assert.equal(results.filter(({ undone }) => undone.some(({ bug_id }) => bug_id === bug)).length, 1)
    }
    assert.deepEqual(
      results.flatMap(({ refused, conflicts }) => [...refused, ...conflicts]),
      [],
    )
  })

  it('with the tag of a dry run is refused after another change', async () => {
    const bug = await fileBug(world.edna)
    const change = await put(world.edna, bug, { priority: 'High' })
    const { tag } = await undo(world.edna, change, { dry_run: true })
    await put(world.sven, bug, { whiteboard: 'Meanwhile' })
    assertRefused(await world.edna.post(`/rest/change/${change}/undo`, {}, { 'If-Match': `"${tag}"` }), 412, 32000)
    const fresh = (await undo(world.edna, change, { dry_run: true })).tag
    const { undone } = await undo(world.edna, change, {}, { 'If-Match': `"${fresh}"` })
    assert.equal(undone.length, 1)
  })

  itOnce(world, 'refuses wrong numbers, limits and positions, and those of others', async () => {
    const bug = await fileBug(world.edna)
    const change = await put(world.edna, bug, { priority: 'High' })
    const elsewhere = await put(world.edna, bug, { whiteboard: 'x' })
    const done = await undo(world.edna, elsewhere)
    const path = `/rest/change/${change}/undo` as const
    for (const body of [{ limit: 0 }, { limit: 101 }, { after: 'x' }, { after: `${change}` }, { after: '1.2.3.4' }])
      assert.equal((await world.edna.post(path, body)).body.code, 53, JSON.stringify(body))
    const foreign = [
      `${elsewhere}.0`,
      `${change}.0.${done.change_id}`,
      `${change}.0.${change}`,
      `${change}.0.99999999999`,
    ]
    for (const after of foreign) assert.equal((await world.edna.post(path, { after })).body.code, 53, after)
    for (const id of ['0', '-1', '99999999999', 'x', '1.5'])
      assertRefused(await world.edna.get(`/rest/change/${id}`), 404, 51)
  })
})

describeTogether('POST /rest/change/undo', (world) => {
  it('undoes everything that a key did since a time, the newest first, for its owner and administrators', async () => {
    const owner = await newEditor(world)
    const key = await newKey(world, owner)
    const [one, other] = [await fileBug(owner.client, { priority: 'Low' }), await fileBug(owner.client)]
    await put(owner.client, one, { whiteboard: 'by hand' })
    await put(key.client, one, { priority: 'High' })
    await put(key.client, [one, other], { url: 'https://example.org/1' })
    await put(key.client, one, { priority: 'Highest', url: 'https://example.org/2' })
    const filed = await fileBug(key.client)
    const by = { key_id: key.id, since: '2020-01-01T00:00:00Z' }
    const stranger = await newEditor(world)
    assertRefused(await stranger.client.post('/rest/change/undo', by), 404, 51)
    const textFor = async (key_id: number) =>
      (await stranger.client.post('/rest/change/undo', { ...by, key_id })).text.replaceAll(/“\d+”|"ref":"\d+"/g, '#')
    assert.equal(await textFor(key.id), await textFor(1_999_999_999))
    const tried = await undoBy(world.ada, { ...by, dry_run: true })
    assert.deepEqual([tried.conflicts, tried.refused], [[], []])
    assert.deepEqual(tried.kept, [{ bug_id: filed, kind: 'filed' }])
    const bugs = []
    for (let after: string | null | undefined; after !== null; ) {
      const result = await undoBy(owner.client, { ...by, limit: 2, ...(after && { after }) })
      assert.deepEqual([result.conflicts, result.refused], [[], []])
      bugs.push(...result.undone.map((it) => it.bug_id))
      after = result.next
    }
    assert.deepEqual(bugs.toSorted(), [one, one, one, other].toSorted())
    for (const bug of [one, other]) assert.equal((await readBug(world.ada, bug)).url, '')
    const { priority, whiteboard } = await readBug(world.ada, one)
    assert.deepEqual([priority, whiteboard], ['Low', 'by hand'])
    const again = await undoBy(owner.client, by)
    assert.deepEqual(again.undone, [])
  })

  itOnce(world, 'takes a kind of source, of other users only for administrators', async () => {
    const owner = await newMember(world, 'editbugs')
    const bug = await fileBug(owner.client)
    await put(owner.client, bug, { priority: 'High' })
    const since = '2020-01-01T00:00:00Z'
    for (const wrong of [
      {},
      { since: '' },
      { source: 'key' },
      { since, source: 'unknown' },
      { since, source: 'x' },
      { since, key_id: 1, source: 'key' },
    ])
      assert.equal((await owner.client.post('/rest/change/undo', wrong)).status, 400, JSON.stringify(wrong))
    const user = owner.login
    assertRefused(await world.edna.post('/rest/change/undo', { since, source: 'key', user }), 401, 304)
    assert.deepEqual((await undoBy(owner.client, { since, source: 'mail' })).undone, [])
    assert.equal((await undoBy(world.ada, { since, source: 'key', user })).undone.length, 1)
    const hidden = await newHiddenProduct(world)
    const secret = await fileBug(world.sven, {
      product: hidden.name,
      component: 'Core',
      version: '1.0',
      cc: [owner.login],
    })
    await put(owner.client, secret, { whiteboard: 'x' })
    await put(world.sven, secret, { cc: { remove: [owner.login] } })
    const lost = await undoBy(owner.client, { since, source: 'key' })
    assert.deepEqual([lost.bugs, lost.undone.length], [2, 0], 'the bug above, which was filed and is as before')
  })
})

describeTogether('An undo', (world) => {
  it('with the tag of a dry run also undoes bugs that the change has linked, and several changes of one bug', async () => {
    const owner = await newEditor(world)
    const hub = await fileBug(owner.client)
    const bugs = [await fileBug(owner.client), await fileBug(owner.client)]
    const change = await put(owner.client, bugs, { depends_on: { add: [hub] }, priority: 'High' })
    const { tag } = await undo(owner.client, change, { dry_run: true })
    const done = await undo(owner.client, change, {}, { 'If-Match': `"${tag}"` })
    assert.deepEqual([done.refused, (await readBug(world.ada, hub)).blocks], [[], []])
    for (const bug of bugs) assert.equal((await readBug(world.ada, bug)).priority, '---')
    await put(owner.client, hub, { priority: 'High' })
    await put(owner.client, hub, { priority: 'Low' })
    const by = { source: 'key', since: '2020-01-01T00:00:00Z', bugs: [hub] }
    const tried = await undoBy(owner.client, { ...by, dry_run: true })
    const send = (wanted: string) => owner.client.post('/rest/change/undo', by, { 'If-Match': wanted })
    await put(world.sven, hub, { whiteboard: 'Meanwhile' })
    assertRefused(await send(tried.tag), 412, 32000)
    assert.equal((await readBug(world.ada, hub)).priority, 'Low')
    const { body } = await send((await undoBy(owner.client, { ...by, dry_run: true })).tag)
    assert.deepEqual([body.refused, body.undone.length, (await readBug(world.ada, hub)).priority], [[], 2, '---'])
    // Sent again it does nothing, and has no conflicts with itself.
    const again = await undoBy(owner.client, by)
    assert.deepEqual([again.undone, again.conflicts, again.refused], [[], [], []])
  })

  itOnOneEngine(world, 'takes back choices whose names contain commas', async () => {
    const name = `cf_${world.unique('choices')}`
    await world.ada.post('/rest/field/bug', { name, display_name: name, type: 3 })
    for (const value of ['one', 'two', 'Linux, x86', 'Linux'])
      assert.equal((await world.ada.post(`/rest/field/bug/${name}/values`, { name: value })).status, 201)
    const bug = await fileBug(world.edna, { [name]: ['one', 'Linux'] })
    const change = await put(world.edna, bug, { [name]: ['two', 'Linux, x86'] })
    const { change_id } = await undo(world.edna, change)
    assert.deepEqual(await readField(world.ada, bug, name), ['Linux', 'one'])
    await undo(world.edna, change_id as number)
    assert.deepEqual(await readField(world.ada, bug, name), ['Linux, x86', 'two'])
  })

  itOnOneEngine(world, 'says which field keeps another one as it is, and what that is', async () => {
    const bug = await fileBug(world.edna)
    const change = await put(world.edna, bug, { status: 'RESOLVED', resolution: 'FIXED' })
    await put(world.sven, bug, { status: 'VERIFIED' })
    const { conflicts } = await undo(world.edna, change)
    assert.deepEqual(
      conflicts.map(({ field, now, stays_with }) => [field, now, stays_with]),
      [
        ['status', 'VERIFIED', undefined],
        ['resolution', 'FIXED', 'status'],
      ],
    )
  })

  itOnce(world, 'of what a busy key did since a short time reads no more than that', async () => {
    const owner = await newEditor(world)
    const key = await newKey(world, owner)
    const bug = await fileBug(owner.client)
    const old = { user_id: owner.id, at: '2025-01-01T00:00:00Z', source: 3, source_id: key.id, undoes_id: null }
    for (let count = 0; count < 60_000; count += 6000)
      await world.db.query((q) => q.insertInto('changes').values(Array.from({ length: 6000 }, () => old)))
    await put(key.client, bug, { priority: 'High' })
    const since = '2026-01-01T00:00:00Z'
    const queries = await countQueries(world, () => undoBy(owner.client, { key_id: key.id, since, dry_run: true }))
    assert.ok(queries < 40, `${queries}`)
    const all = await undoBy(owner.client, { source: 'mail', since: '2020-01-01T00:00:00Z', dry_run: true })
    assert.notEqual(all.next, null, 'the rest is read by the next call')
    assert.equal((await undoBy(owner.client, { key_id: key.id, since })).undone.length, 1)
  })
})
