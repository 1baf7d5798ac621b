import assert from 'node:assert/strict'
import { it } from 'node:test'
import { attach, base64, newFile } from '../support/attach.ts'
import { cast } from '../support/cast.ts'
import { changeBug, historyOf } from '../support/change-bug.ts'
import { contentsFreed, isStored } from '../support/contents.ts'
import { readComments, say } from '../support/discussion.ts'
import { fileBug, readBug, readField } from '../support/file-bug.ts'
import { newHiddenProduct } from '../support/new-product.ts'
import { assertRefused } from '../support/refusal.ts'
import { randomCases } from '../support/sample.ts'
import { until } from '../support/until.ts'
import { type Client, describeWithDelivery, itOnOneEngine, type World } from '../support/world.ts'

const REASON = 'Filed by mistake.'

function remove(who: Client, ref: number | string, reason = REASON) {
  return who.delete(`/rest/bug/${ref}?reason=${encodeURIComponent(reason)}`)
}

/** Runs `work` while bugs may be deleted. */
function allowing(world: World, work: () => Promise<void>) {
  return world.withParameters({ allowbugdeletion: true }, work)
}

async function deleted(world: World, ref: number | string) {
  await allowing(world, async () => {
    const { status, text } = await remove(world.ada, ref)
    assert.equal(status, 200, text)
  })
}

describeWithDelivery('DELETE /rest/bug/(id)', (world) => {
  itOnOneEngine(world, 'deletes a bug with its comments, attachments and history', async () => {
    const alias = world.unique('alias')
    const bug = await fileBug(world.edna, { summary: 'A mistake', alias, description: 'All wrong' })
    await changeBug(world.edna, bug, { priority: 'High' })
    const comment = await say(world.edna, bug, 'Wrong indeed')
    const content = world.unique('content ')
    const attachment = await attach(world.edna, bug, { data: base64(content) })
    await allowing(world, async () => {
      const { status, body } = await remove(world.ada, bug)
      assert.deepEqual([status, body], [200, { id: bug, name: 'A mistake' }])
      assertRefused(await remove(world.ada, bug), 404, 101)
    })
    for (const path of ['', '/comment', '/attachment', '/history', '/access'])
      assertRefused(await world.edna.get(`/rest/bug/${bug}${path}`), 404, 101)
    assertRefused(await world.edna.get(`/rest/bug/${alias}`), 400, 100)
    assertRefused(await world.edna.get(`/rest/bug/comment/${comment}`), 400, 111)
    assert.deepEqual((await world.edna.get(`/rest/bug/attachment/${attachment}`)).body.attachments, {})
    assertRefused(await world.edna.put(`/rest/bug/${bug}`, { priority: 'Low' }), 404, 101)
    await contentsFreed(world)
    assert.ok(!isStored(world, content))
    assert.ok((await fileBug(world.edna, { alias })) > bug)
  })

  itOnOneEngine(world, 'takes an alias, and says who and why in the audit log', async () => {
    const alias = world.unique('alias')
    const bug = await fileBug(world.edna, { alias, summary: 'Customer X' })
    await deleted(world, alias)
    const log = await world.ada.get(`/rest/audit?class=Tracker::Bug&id=${bug}`)
    const [{ who, field, removed, added }] = log.body.audit
    assert.deepEqual([who, field, removed, added], [cast.ada.login, '__remove__', REASON, ''])
    assert.ok(!log.text.includes('Customer X'))
  })

  itOnOneEngine(world, 'never gives the number to another bug', async () => {
    const last = await fileBug(world.edna)
    await deleted(world, last)
    assert.equal(await fileBug(world.edna), last + 1)
  })

  itOnOneEngine(world, 'unlinks the bugs that were linked to it, which have changed then', async () => {
    const field = `cf_${world.unique('linked')}`
    const made = { name: field, display_name: field, type: 6, is_on_bug_entry: true }
    assert.equal((await world.ada.post('/rest/field/bug', made)).status, 201)
    const bug = await fileBug(world.edna)
    const others = {
      blocked: await fileBug(world.edna, { depends_on: [bug] }),
      blocker: await fileBug(world.edna, { blocks: [bug] }),
      neighbour: await fileBug(world.edna, { see_also: [`${world.url}/show_bug.cgi?id=${bug}`] }),
      custom: await fileBug(world.edna, { [field]: bug }),
      duplicate: await fileBug(world.edna),
      target: await fileBug(world.edna),
    }
    await changeBug(world.edna, others.duplicate, { dupe_of: bug })
    const once = await fileBug(world.edna)
    await changeBug(world.edna, once, { depends_on: { add: [bug] } })
    await changeBug(world.edna, once, { depends_on: { remove: [bug] } })
    await changeBug(world.edna, bug, { dupe_of: others.target })
    const tokens = new Map<number, string>()
    for (const id of Object.values(others)) tokens.set(id, (await readBug(world.edna, id)).update_token)
    const before = new Date().toISOString().replace(/\..*/, 'Z')
    await deleted(world, bug)

    for (const [name, id] of Object.entries(others)) {
      const shown = await readBug(world.edna, id, `?include_fields=_all,update_token`)
      const { comments, history, ...rest } = shown
      const custom = await readField(world.edna, id, field)
      const links = [rest.depends_on, rest.blocks, rest.see_also, custom ?? null, rest.dupe_of]
      assert.deepEqual(links, [[], [], [], null, null], name)
      assert.ok(!JSON.stringify(rest).includes(String(bug)), `${name}: ${JSON.stringify(rest)}`)
      assert.notEqual(rest.update_token, tokens.get(id), name)
      const asOf = await readBug(world.edna, id, `?as_of=${before}`)
      assert.equal(asOf.dupe_of, name === 'duplicate' ? bug : null, name)
      const graph = await world.edna.get(`/rest/bug/${id}/graph`)
      assert.ok(!graph.text.includes(String(bug)), name)
    }
    for (const id of [...Object.values(others), once]) await changeBug(world.edna, id, { whiteboard: 'still alive' })
  })

  it('hides its number while it exists and is hidden, and shows it when it is gone', async () => {
    const { name } = await newHiddenProduct(world)
    const bug = await fileBug(world.sven, { product: name, component: 'Core', version: '1.0' })
    const [target, duplicate, once] = [await fileBug(world.sven), await fileBug(world.sven), await fileBug(world.sven)]
    await changeBug(world.sven, bug, { dupe_of: target })
    await changeBug(world.sven, duplicate, { dupe_of: bug, comment: { body: 'The same.' } })
    await changeBug(world.sven, once, { depends_on: { add: [bug] } })
    const at = (await readBug(world.sven, duplicate)).last_change_time
    const read = async () => {
      const textsOf = async (id: number) => (await readComments(world.rhea, id)).map(({ text }) => text)
      const found = await world.rhea.get(`/rest/bug?f1=depends_on&o1=changedto&v1=${bug}&include_fields=id`)
      return {
        target: await textsOf(target),
        duplicate: await textsOf(duplicate),
        history: await historyOf(world.rhea, once),
        found: found.body.bugs,
        asOf: (await readBug(world.rhea, duplicate, `?as_of=${at}`)).dupe_of,
      }
    }
    const [text] = await readComments(world.rhea, target).then((comments) => comments.map(({ text }) => text))
    const hidden = await read()
    assert.deepEqual(hidden, {
      target: [text],
      duplicate: [text, 'The same.\n\nDuplicate of another bug.'],
      history: [],
      found: [],
      asOf: null,
    })
    await deleted(world, bug)
    assert.deepEqual(await read(), {
      target: [text, `Bug ${bug} is a duplicate of this bug.`],
      duplicate: [text, `The same.\n\nDuplicate of bug ${bug}.`],
      history: [`sven: depends_on  → ${bug}`],
      found: [{ id: once }],
      asOf: bug,
    })
  })

  itOnOneEngine(world, 'leaves nothing to be found by', async () => {
    const word = world.unique('needle')
    const bug = await fileBug(world.edna, {
      summary: `A ${word} lost`,
      whiteboard: `${word} too`,
      description: `${word}!`,
    })
    const questions = [
      `summary=${word}`,
      `f1=short_desc&o1=regexp&v1=${word}`,
      `f1=longdesc&o1=substring&v1=${word}`,
      `f1=content&o1=matches&v1=${word}`,
      `f1=status_whiteboard&o1=substring&v1=${word}`,
      `quicksearch=${word}`,
      `id=${bug}`,
    ]
    const find = async (question: string) =>
      (await world.edna.get(`/rest/bug?${question}&include_fields=id`)).body.bugs.length
    for (const question of questions) assert.equal(await find(question), 1, question)
    await deleted(world, bug)
    for (const question of questions) assert.equal(await find(question), 0, question)
    const likely = await world.edna.get(`/rest/bug/possible_duplicates?summary=A+${word}+lost`)
    assert.deepEqual(likely.body.bugs, [])
    // What waits for an index, as on SQLite, is written into it after some more bugs.
    const more = world.engine === 'sqlite' ? 70 : 1
    const another = (_: unknown, times: number) => fileBug(world.edna, { summary: `Another bug ${times}` })
    await Promise.all(Array.from({ length: more }, another))
    for (const question of questions) assert.equal(await find(question), 0, question)
  })

  itOnOneEngine(world, 'is gone from visits, tags and the bugs that a user ignores', async () => {
    const { id, client } = await world.newUser()
    const bug = await fileBug(client)
    await client.post(`/rest/bug_user_last_visit/${bug}`)
    await client.put(`/rest/bug/${bug}/tags`, { add: ['mine'] })
    await client.put(`/rest/user/${id}/mail`, { ignored_bugs: { add: [bug] } })
    await deleted(world, bug)
    assert.deepEqual((await client.get('/rest/bug_user_last_visit')).body, [])
    assert.deepEqual((await client.get(`/rest/user/${id}/mail`)).body.ignored_bugs, [])
    assert.deepEqual((await client.get('/rest/bug?f1=tag&o1=equals&v1=mine')).body.bugs, [])
  })

  itOnOneEngine(world, 'is gone from the feed, from whatever position it is read', async () => {
    const before = (await world.edna.get('/rest/event?after=0&limit=1000')).body.next_cursor
    const bug = await fileBug(world.edna, { summary: 'Customer X' })
    await changeBug(world.edna, bug, { summary: 'Customer Y', comment: { body: 'Customer Z' } })
    const other = await fileBug(world.edna)
    const returned = (await world.edna.get(`/rest/event?after=${before}&wait=10`)).body.events
    assert.ok(returned.some(({ bug_id }) => bug_id === bug))
    await deleted(world, bug)
    const { events } = (await world.edna.get(`/rest/event?after=${before}`)).body
    assert.deepEqual(
      events.map(({ type, bug_id }) => [type, bug_id]),
      [
        ['bug.create', other],
        ['bug.delete', bug],
      ],
    )
    await until(
      async () =>
        (await world.db.query((q) => q.selectFrom('jobs').select('id').where('queue', '=', 'deleted_bugs'))).length ===
        0,
    )
    const kept = await world.db.query((q) => q.selectFrom('outbox').select(['bug_id', 'kind', 'facts']))
    const own = kept.filter((row) => row.bug_id === bug && row.kind !== 'bug.delete')
    assert.deepEqual([...new Set(own.map(({ facts }) => facts))], ['{}'])
    assert.ok(kept.some((row) => row.bug_id === other && row.facts !== '{}'))
  })

  itOnOneEngine(world, 'is for administrators, while allowbugdeletion is on', async () => {
    const bug = await fileBug(world.rhea)
    for (const who of ['ada', 'rhea'] as const) {
      const reply = await remove(world[who], bug)
      assertRefused(reply, 405, 32614)
      const others = await world[who].send('OPTIONS', `/rest/bug/${bug}`)
      assert.equal(reply.headers.get('allow'), others.headers.get('allow')?.replace('DELETE, ', ''))
    }
    await allowing(world, async () => {
      for (const who of ['rhea', 'edna', 'uma'] as const)
        for (const ref of [bug, 999_999, 'nosuchalias']) assertRefused(await remove(world[who], ref), 401, 304)
      assertRefused(await remove(world.nobody, bug), 401, 410)
      const key = await world.ada.post('/rest/user/1/api_key', { scopes: ['read', 'write'] })
      assertRefused(await remove(world.as({ 'X-TRACKER-API-KEY': key.body.api_key }), bug), 401, 304)
      assertRefused(await world.ada.delete(`/rest/bug/${bug}`), 400, 50)
      assertRefused(await remove(world.ada, bug, ' '), 400, 50)
      assertRefused(await remove(world.ada, 999_999), 404, 101)
      assertRefused(await remove(world.ada, 'nosuchalias'), 400, 100)
    })
    assert.equal((await readBug(world.rhea, bug)).id, bug)
  })

  itOnOneEngine(world, 'answers those who could not see it like a bug that never was', async () => {
    const { name } = await newHiddenProduct(world)
    const bug = await fileBug(world.sven, { product: name, component: 'Core', version: '1.0' })
    assertRefused(await world.rhea.get(`/rest/bug/${bug}`), 401, 102)
    await deleted(world, bug)
    assertRefused(await world.rhea.get(`/rest/bug/${bug}`), 404, 101)
  })

  it('is deleted or changed first, never half of both', async () => {
    await allowing(world, async () => {
      for (let round = 0; round < randomCases(1); round++) {
        const [bug, other] = [await fileBug(world.edna), await fileBug(world.edna)]
        const replies = await Promise.all([
          world.edna.put(`/rest/bug/${bug}`, { priority: 'High', depends_on: { add: [other] } }),
          world.edna.put(`/rest/bug/${other}`, { depends_on: { add: [bug] } }),
          world.edna.post(`/rest/bug/${bug}/comment`, { comment: 'Meanwhile' }),
          remove(world.ada, bug),
          world.edna.post(`/rest/bug/${bug}/attachment`, newFile()),
          world.edna.put(`/rest/bug/${other}`, { dupe_of: bug }),
          world.edna.post(`/rest/bug_user_last_visit/${bug}`),
          world.edna.put(`/rest/bug/${bug}/tags`, { add: ['mine'] }),
          world.edna.put('/rest/user/3/mail', { ignored_bugs: { add: [bug] } }),
          world.edna.post('/rest/bug', {
            product: 'TestProduct',
            component: 'TestComponent',
            summary: 'New',
            blocks: [bug],
          }),
        ])
        for (const { status, body } of replies) assert.ok(status < 500, JSON.stringify(body))
        assert.equal(replies[3]?.status, 200)
        assertRefused(await world.edna.get(`/rest/bug/${bug}`), 404, 101)
        assert.deepEqual((await readBug(world.edna, other)).depends_on, [])
      }
    })
  })
})
