import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { cast } from '../support/cast.ts'
import { changeBug } from '../support/change-bug.ts'
import { fileBug } from '../support/file-bug.ts'
import { setControl } from '../support/new-member.ts'
import { newProduct } from '../support/new-product.ts'
import { assertRefused } from '../support/refusal.ts'
import { sampledOnPostgres } from '../support/sample.ts'
import { answerTo, type SearchQuery, search, summariesOf } from '../support/search.ts'
import { describeOnEachEngine, itOnOneEngine } from '../support/world.ts'

describeOnEachEngine('GET /rest/bug with the parameters of the REST API', (world) => {
  let product = ''
  let other = ''
  const ids: Record<string, number> = {}
  const finds = (query: SearchQuery, who = world.edna) => summariesOf(who, { product: [product, other], ...query })

  before(async () => {
    product = (await newProduct(world, ['Core', 'UI'])).name
    other = (await newProduct(world, ['Core'])).name
    assert.equal((await world.ada.post(`/rest/product/${product}/milestone`, { name: 'Alpha' })).status, 201)
    assert.equal((await world.ada.post('/rest/keyword', { name: 'perf', description: 'Speed' })).status, 201)
    assert.equal((await world.ada.post('/rest/keyword', { name: 'crash', description: 'Ends' })).status, 201)
    const usual = { product, component: 'Core', version: '1.0' }
    ids.stalls = await fileBug(world.edna, {
      ...usual,
      summary: 'Engine stalls at 100%',
      alias: ['stalling'],
      keywords: ['perf', 'crash'],
      url: 'http://engine.test/',
    })
    ids.hums = await fileBug(world.edna, {
      ...usual,
      summary: 'The ENGINE hums',
      component: 'UI',
      keywords: ['perf'],
      qa_contact: cast.sven.login,
      whiteboard: 'needs ear plugs',
      target_milestone: 'Alpha',
      cc: [cast.rhea.login],
    })
    ids.squeaks = await fileBug(world.rhea, { ...usual, product: other, summary: 'Wheel squeaks', priority: 'High' })
    await changeBug(world.edna, ids.squeaks, { status: 'RESOLVED', resolution: 'FIXED', op_sys: 'Linux' })
    await changeBug(world.edna, ids.hums, { depends_on: { add: [ids.stalls] }, severity: 'critical' })
    await world.edna.put(`/rest/bug/${ids.hums}/tags`, { add: ['mine'] })
  })

  const STALLS = 'Engine stalls at 100%'
  const HUMS = 'The ENGINE hums'
  const SQUEAKS = 'Wheel squeaks'

  describe('finds', () => {
    const cases: [why: string, asked: () => SearchQuery, found: string[]][] = [
      ['by part of the summary, in any letter case', () => ({ summary: 'engine' }), [STALLS, HUMS]],
      ['by a part that is not split at blanks', () => ({ summary: 'engine hums' }), [HUMS]],
      ['by words of the summary only as they stand', () => ({ summary: 'hums engine' }), []],
      ['by any of several parts', () => ({ summary: ['stalls', 'squeaks'] }), [STALLS, SQUEAKS]],
      ['signs of SQL as signs', () => ({ summary: '100%' }), [STALLS]],
      ['no bug by a sign that stands for others elsewhere', () => ({ summary: 'e%s' }), []],
      ['by part of the whiteboard', () => ({ whiteboard: 'EAR' }), [HUMS]],
      ['by the whole name of a product', () => ({ product: other }), [SQUEAKS]],
      ['nothing by part of a name', () => ({ component: 'Cor' }), []],
      ['nothing by two names with a comma', () => ({ component: 'Core,UI' }), []],
      ['components of every product', () => ({ component: 'core' }), [STALLS, SQUEAKS]],
      ['only what answers all criteria', () => ({ component: 'core', summary: 'engine' }), [STALLS]],
      ['by any of several values', () => ({ component: ['Core', 'UI'], priority: '---' }), [STALLS, HUMS]],
      ['by login of the assignee, whole', () => ({ assigned_to: cast.ada.login }), [STALLS, HUMS, SQUEAKS]],
      ['nobody by part of a login', () => ({ assigned_to: 'ada' }), []],
      ['by the creator', () => ({ creator: cast.rhea.login }), [SQUEAKS]],
      ['by the creator under the other name', () => ({ reporter: cast.rhea.login.toUpperCase() }), [SQUEAKS]],
      ['by the QA contact', () => ({ qa_contact: cast.sven.login }), [HUMS]],
      ['by who is copied', () => ({ cc: cast.rhea.login }), [HUMS]],
      ['by status', () => ({ status: 'resolved' }), [SQUEAKS]],
      ['by being open', () => ({ status: '__open__' }), [STALLS, HUMS]],
      ['by being closed', () => ({ status: '__closed__' }), [SQUEAKS]],
      ['bugs of any status when all are asked for', () => ({ status: '__all__' }), [STALLS, HUMS, SQUEAKS]],
      ['nothing by a status that there is not', () => ({ status: 'NOSUCH' }), []],
      ['by resolution', () => ({ resolution: 'FIXED' }), [SQUEAKS]],
      ['open bugs by an empty resolution', () => ({ resolution: '' }), [STALLS, HUMS]],
      ['open bugs by ---', () => ({ resolution: '---' }), [STALLS, HUMS]],
      ['open or fixed bugs', () => ({ resolution: ['---', 'FIXED'] }), [STALLS, HUMS, SQUEAKS]],
      ['by priority', () => ({ priority: 'High' }), [SQUEAKS]],
      ['by severity', () => ({ severity: 'critical' }), [HUMS]],
      ['by operating system', () => ({ op_sys: 'linux' }), [SQUEAKS]],
      ['by platform', () => ({ platform: 'All', summary: 'wheel' }), [SQUEAKS]],
      ['by version', () => ({ version: '1.0' }), [STALLS, HUMS, SQUEAKS]],
      ['by milestone', () => ({ target_milestone: 'alpha' }), [HUMS]],
      ['by the whole URL', () => ({ url: 'http://engine.test/' }), [STALLS]],
      ['nothing by part of the URL', () => ({ url: 'engine' }), []],
      ['by alias', () => ({ alias: ['stalling', 'nosuch'] }), [STALLS]],
      ['by number', () => ({ id: ids.hums as number }), [HUMS]],
      ['by numbers with commas', () => ({ id: `${ids.squeaks}, ${ids.hums}` }), [HUMS, SQUEAKS]],
      [
        'by numbers in several parameters',
        () => ({ id: [ids.squeaks as number, ids.stalls as number] }),
        [STALLS, SQUEAKS],
      ],
      ['nothing by an alias as number', () => ({ id: 'stalling' }), []],
      ['nothing by numbers that no bug can have', () => ({ id: '99999999999999999999,-1,1.5' }), []],
      ['by all of the keywords', () => ({ keywords: 'perf, crash' }), [STALLS]],
      ['by any keyword of those that are repeated', () => ({ keywords: ['perf', 'crash'] }), [STALLS, HUMS]],
      ['by tags of one’s own', () => ({ tags: 'mine' }), [HUMS]],
      ['by what a bug depends on', () => ({ depends_on: ids.stalls as number }), [HUMS]],
      ['by what a bug blocks', () => ({ blocks: ids.hums as number }), [STALLS]],
      ['by yes and no', () => ({ is_confirmed: 'true', summary: 'engine' }), [STALLS, HUMS]],
      ['nothing filed in the future', () => ({ creation_time: '+1d' }), []],
      ['by the time of creation', () => ({ creation_time: '-1h' }), [STALLS, HUMS, SQUEAKS]],
      ['by the time of the last change', () => ({ last_change_time: '2020-01-01T00:00:00Z' }), [STALLS, HUMS, SQUEAKS]],
      [
        'whatever the form left blank',
        () => ({ alias: '', assigned_to: ' ', short_desc: '', f1: '', o1: 'equals' }),
        [STALLS, HUMS, SQUEAKS],
      ],
    ]
    for (const [why, asked, found] of sampledOnPostgres(world.engine, cases, 2))
      it(why, async () => assert.deepEqual(await finds(asked()), found))
  })

  it('finds no bug by the tags of another user', async () => {
    assert.deepEqual(await finds({ tags: 'mine' }, world.sven), [])
    assert.deepEqual(await finds({ tags: 'mine' }, world.nobody), [])
  })

  it('finds bugs created at the very time that is given', async () => {
    const { bugs } = await answerTo(world.edna, { id: ids.stalls as number })
    assert.deepEqual(await finds({ creation_time: bugs[0].creation_time, id: ids.stalls as number }), [STALLS])
  })

  itOnOneEngine(world, 'returns bugs like Get Bug, with no faults and without a token', async () => {
    const answer = await answerTo(world.edna, { id: ids.hums as number })
    const got = await world.edna.get(`/rest/bug/${ids.hums}`)
    const { update_token, ...bug } = got.body.bugs[0]
    assert.ok(update_token)
    assert.deepEqual(answer, { ...got.body, bugs: [bug] })
  })

  it('returns extra fields when they are asked for', async () => {
    const { bugs } = await answerTo(world.edna, { id: ids.hums as number, include_fields: 'id,comment_count,tags' })
    assert.deepEqual(bugs, [{ id: ids.hums, comment_count: 1, tags: ['mine'] }])
  })

  it('leaves out what the caller may not see', async () => {
    const place = (await newProduct(world, ['Core'])).name
    await setControl(world, place, 'security', { membercontrol: 'Shown', othercontrol: 'NA' })
    const secret = { product: place, component: 'Core', summary: 'Wheel of secrets', groups: ['security'] }
    const hidden = await fileBug(world.sven, secret)
    const query = { summary: 'wheel of secrets' }
    assert.deepEqual(await summariesOf(world.sven, query), ['Wheel of secrets'])
    assert.deepEqual(await summariesOf(world.stan, query), [])
    assert.deepEqual(await answerTo(world.nobody, { id: hidden }), { bugs: [], faults: [] })
  })

  itOnOneEngine(world, 'refuses an invalid date', async () => {
    assertRefused(await search(world.edna, { creation_time: 'yesterday' }), 400, 56)
    assertRefused(await search(world.edna, { last_change_time: '2026-13-01' }), 400, 56)
  })

  describe('with parameters that mean nothing here', () => {
    itOnOneEngine(world, 'names them beside those that do', async () => {
      const answer = await answerTo(world.edna, { id: ids.hums as number, colour: 'red', permissive: 1 })
      assert.equal(answer.bugs.length, 1)
      assert.deepEqual(answer.ignored, ['colour', 'permissive'])
    })

    itOnOneEngine(world, 'refuses them alone, by name', async () => {
      const reply = await search(world.edna, { colour: 'red', limit: 1 })
      assertRefused(reply, 400, 1000)
      assert.match(reply.body.message, /colour/)
      assert.doesNotMatch(reply.body.message, /limit/)
    })

    itOnOneEngine(world, 'counts a time field among them for who does not track time', async () => {
      assertRefused(await search(world.rhea, { estimated_time: 1 }), 400, 1000)
      assert.deepEqual(await finds({ estimated_time: 0, summary: 'hums' }), [HUMS])
    })

    itOnOneEngine(world, 'takes an order by an unknown column for none', async () => {
      const answer = await answerTo(world.edna, { product, order: 'nosuch; drop table bugs', include_fields: 'id' })
      assert.deepEqual(answer, { bugs: [{ id: ids.stalls }, { id: ids.hums }], faults: [], ignored: ['order'] })
    })
  })

  describe('without criteria', () => {
    itOnOneEngine(world, 'returns everything where that is allowed', async () => {
      const { bug_count } = await answerTo(world.edna, { count_only: 1 })
      assert.ok(bug_count >= 3)
      assert.equal((await answerTo(world.edna, {})).bugs.length, bug_count)
    })

    itOnOneEngine(world, 'is refused where it is not', async () => {
      await world.withParameters({ search_allow_no_criteria: false }, async () => {
        assertRefused(await search(world.edna, {}), 400, 1000)
        assertRefused(await search(world.edna, { limit: 3, order: 'bug_id', product: '' }), 400, 1000)
        assert.deepEqual(await finds({}), [STALLS, HUMS, SQUEAKS])
      })
    })

    itOnOneEngine(world, 'is refused as quicksearch in any case', async () => {
      assertRefused(await search(world.edna, { quicksearch: '' }), 400, 1000)
    })
  })
})
