import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openDatabase } from '../../src/platform/database/open-database.ts'
import type { Facts } from '../../src/platform/monitoring/log.ts'
import { collectSeries } from '../../src/search/series/collect-series.ts'
import {
  publicSeriesAreForAdministrators,
  seriesAreCountedNowAndThen,
  seriesAreNamedAndAsk,
  seriesNamesAreOneLine,
  seriesQueriesHaveALimit,
} from '../../src/search/series/series-rules.ts'
import type { Query } from '../support/body-types.ts'
import { cast } from '../support/cast.ts'
import { fileBug } from '../support/file-bug.ts'
import { newHiddenProduct, newProduct } from '../support/new-product.ts'
import { assertRefused } from '../support/refusal.ts'
import { type Client, describeOnEachEngine, itOnce, itOnOneEngine } from '../support/world.ts'

const DAY = 86_400_000
const START = Date.parse('2030-01-01T12:00:00Z')

describeOnEachEngine('series', (world) => {
  let days = 0
  const logged: [string, Facts | undefined][] = []
  const log = {
    info: () => {},
    error: (event: string, facts?: Facts) => void logged.push([event, facts]),
    flush: async () => {},
  }

  /** Counts as the server does on the day that is so many days after the start. */
  const collect = (day: number, db = world.db) =>
    collectSeries({ db, log, baseUrl: world.url, now: START + day * DAY, isEnding: () => false })

  /** A day that no other test has. */
  const nextDay = () => (days += 1000)
  const dateOf = (day: number) => new Date(START + day * DAY).toISOString().slice(0, 10)

  async function make(who: Client, more: Record<string, unknown> = {}): Promise<number> {
    const series = {
      category: 'Mine',
      subcategory: 'Some',
      name: world.unique('Series'),
      query: 'status=__open__',
      ...more,
    }
    const { status, body, text } = await who.post('/rest/series', series)
    assert.equal(status, 201, text)
    return body.id
  }

  async function counts(who: Client, id: number, query: Query = ''): Promise<[string, number][]> {
    const { status, body, text } = await who.get(`/rest/series/${id}/data${query}`)
    assert.equal(status, 200, text)
    return body.data.map(({ date, bug_count }): [string, number] => [date, bug_count])
  }

  async function ofProduct(who: Client, category: string, more = '') {
    const { status, body, text } = await who.get(`/rest/series?category=${category}${more}`)
    assert.equal(status, 200, text)
    return body.series
  }

  it('are made, listed, read and deleted', async () => {
    const id = await make(world.edna, {
      category: ' Lamps ',
      subcategory: 'Dark',
      name: 'Open',
      query: '?summary=lamp',
      frequency: 7,
    })
    const [listed] = await ofProduct(world.edna, 'Lamps')
    const { creation_time: _, ...rest } = listed
    assert.deepEqual(rest, {
      id,
      category: 'Lamps',
      subcategory: 'Dark',
      name: 'Open',
      query: 'summary=lamp',
      product: null,
      component: null,
      frequency: 7,
      is_public: false,
      creator: cast.edna.login,
    })
    assert.deepEqual((await world.edna.get(`/rest/series/${id}`)).body, { series: [listed] })
    assert.deepEqual((await world.edna.delete(`/rest/series/${id}`)).body, { id, name: 'Open' })
    assertRefused(await world.edna.get(`/rest/series/${id}`), 404, 51)
  })

  itOnOneEngine(world, 'are counted every so many days, and return the requested ones', async () => {
    const day = nextDay()
    const weekly = await make(world.edna, { frequency: 7 })
    const daily = await make(world.ada, { frequency: 1 })
    for (const later of [0, 6, 7, 20]) await collect(day + later)
    const dates = async (who: Client, id: number, query: Query = '') =>
      (await counts(who, id, query)).map(([date]) => date)
    assert.deepEqual(await dates(world.edna, weekly), [day, day + 7, day + 20].map(dateOf))
    const range = `?from=${dateOf(day + 6)}&to=${dateOf(day + 7)}` as const
    assert.deepEqual(await dates(world.ada, daily, range), [dateOf(day + 6), dateOf(day + 7)])
    assert.deepEqual(await dates(world.ada, daily, `?from=${dateOf(day + 20)}`), [dateOf(day + 20)])
    assert.deepEqual(await dates(world.ada, daily, `?to=${dateOf(day)}`), [dateOf(day)])
    assertRefused(await world.ada.get(`/rest/series/${daily}/data?from=soon`), 400, 56)
  })

  itOnOneEngine(world, 'come with a product and with each of its components, and are counted every day', async () => {
    const { name } = await newProduct(world, ['Core'])
    const day = nextDay()
    const place = { product: name, component: 'Core', version: '1.0' }
    await fileBug(world.ada, place)
    const closed = await fileBug(world.ada, place)
    await world.ada.put(`/rest/bug/${closed}`, { status: 'RESOLVED', resolution: 'FIXED' })
    assert.equal(await collect(day), true)
    await fileBug(world.ada, place)
    assert.equal(await collect(day + 1), true)
    const counted = async (subcategory: string) => {
      const found = await ofProduct(world.edna, name, `&subcategory=${subcategory}`)
      const all = await Promise.all(
        found.map(async (it) => [it.name, (await counts(world.edna, it.id)).map(([, bugs]) => bugs)] as const),
      )
      return Object.fromEntries(all)
    }
    assert.deepEqual(await counted('Core'), { 'All Open': [1, 2], 'All Closed': [1, 1] })
    assert.deepEqual(await counted('-All-'), {
      UNCONFIRMED: [0, 0],
      CONFIRMED: [1, 2],
      IN_PROGRESS: [0, 0],
      RESOLVED: [1, 1],
      VERIFIED: [0, 0],
      FIXED: [1, 1],
      INVALID: [0, 0],
      WONTFIX: [0, 0],
      DUPLICATE: [0, 0],
      WORKSFORME: [0, 0],
      'All Open': [1, 2],
    })
  })

  it('are counted once a day, however many servers ask at once', async () => {
    const day = nextDay()
    const id = await make(world.ada, { frequency: 1 })
    const others = [1, 2, 3].map(() => openDatabase(world.databaseUrl, true))
    const done = await Promise.all([world.db, ...others].map((db) => collect(day, db)))
    assert.equal(done.filter(Boolean).length, 1)
    assert.equal(await collect(day), false)
    await Promise.all(others.map((db) => db.close()))
    assert.equal((await counts(world.ada, id)).length, 1)
  })

  it('are counted by another server when one ends or dies over it', async () => {
    const day = nextDay()
    const id = await make(world.ada, { frequency: 1 })
    const ending = { db: world.db, log, baseUrl: world.url, now: START + day * DAY, isEnding: () => true }
    await assert.rejects(collectSeries(ending), /ends/)
    assert.equal(await collect(day), false)
    assert.deepEqual(await counts(world.ada, id), [])
    await world.db.query((q) =>
      q.updateTable('chores').set({ begun_at: '2020-01-01T00:00:00Z' }).where('name', '=', 'series'),
    )
    assert.equal(await collect(day), true)
    assert.equal((await counts(world.ada, id)).length, 1)
  })

  itOnOneEngine(world, 'of a user count what that user sees, and are visible only to them', async () => {
    const day = nextDay()
    const { name } = await newHiddenProduct(world)
    await fileBug(world.ada, { product: name, component: 'Core', version: '1.0' })
    const secret = await make(world.sven, { query: `product=${name}` })
    const blind = await make(world.edna, { query: `product=${name}` })
    await collect(day)
    assert.deepEqual(await counts(world.sven, secret), [[dateOf(day), 1]])
    assert.deepEqual(await counts(world.edna, blind), [[dateOf(day), 0]])
    for (const who of [world.edna, world.ada]) {
      assertRefused(await who.get(`/rest/series/${secret}`), 404, 51)
      assertRefused(await who.get(`/rest/series/${secret}/data`), 404, 51)
      assertRefused(await who.delete(`/rest/series/${secret}`), 404, 51)
      assert.ok((await ofProduct(who, 'Mine')).every(({ id }) => id !== secret))
    }
  })

  itOnOneEngine(world, 'of a hidden product are for those who may search in it, and count its bugs', async () => {
    const day = nextDay()
    const { name } = await newHiddenProduct(world)
    await fileBug(world.ada, { product: name, component: 'Core', version: '1.0' })
    await collect(day)
    const [open] = await ofProduct(world.sven, name, '&subcategory=Core')
    assert.deepEqual(await counts(world.sven, open.id), [[dateOf(day), 1]])
    assert.deepEqual(await ofProduct(world.edna, name), [])
    assertRefused(await world.edna.get(`/rest/series/${open.id}/data`), 404, 51)
  })

  it('that are public count no bug that a user who sees them may not see', async () => {
    const day = nextDay()
    const { name } = await newProduct(world)
    await world.ada.put(`/rest/product/${name}/group_control/security`, { membercontrol: 'Shown', othercontrol: 'NA' })
    const place = { product: name, component: 'Core', version: '1.0' }
    await fileBug(world.ada, place)
    await fileBug(world.sven, { ...place, groups: ['security'] })
    const open = await make(world.ada, { is_public: true, frequency: 1, query: `product=${name}` })
    await collect(day)
    const [ofComponent] = await ofProduct(world.edna, name, '&subcategory=Core')
    assert.deepEqual(await counts(world.edna, ofComponent.id), [[dateOf(day), 1]])
    assert.deepEqual(await counts(world.edna, open), [[dateOf(day), 1]])
  })

  itOnOneEngine(world, 'whose search is no longer valid are logged, and the others are counted', async () => {
    const day = nextDay()
    const field = 'cf_for_a_while'
    await world.ada.post('/rest/field/bug', { name: field, type: 1, display_name: 'For a while' })
    const broken = await make(world.ada, { frequency: 1, query: `f1=${field}&o1=equals&v1=x` })
    const sound = await make(world.ada, { frequency: 1 })
    await world.ada.put(`/rest/field/bug/${field}`, { is_obsolete: true })
    await world.ada.delete(`/rest/field/bug/${field}`)
    logged.length = 0
    await collect(day)
    assert.deepEqual(await counts(world.ada, broken), [])
    assert.equal((await counts(world.ada, sound)).length, 1)
    assert.deepEqual(
      logged.map(([event, facts]) => [event, facts?.series]),
      [['series not counted', broken]],
    )
    await world.ada.delete(`/rest/series/${broken}`)
  })

  itOnOneEngine(world, 'are deleted by their creator, and by administrators', async () => {
    const id = await make(world.ada, { is_public: true, frequency: 1 })
    assertRefused(await world.edna.delete(`/rest/series/${id}`), 401, 304)
    const { name } = await newProduct(world)
    const [first, second] = await ofProduct(world.edna, name)
    assertRefused(await world.edna.delete(`/rest/series/${first.id}`), 401, 304)
    assert.equal((await world.ada.delete(`/rest/series/${first.id}`)).status, 200)
    assert.deepEqual((await ofProduct(world.edna, name))[0].id, second.id)
  })

  itOnOneEngine(world, 'are for members of chartgroup, and made by members of editbugs', async () => {
    const series = { category: 'a', subcategory: 'b', name: 'c', query: 'id=1' }
    assertRefused(await world.nobody.get('/rest/series'), 401, 410)
    assertRefused(await world.nobody.post('/rest/series', series), 401, 410)
    assertRefused(await world.stan.get('/rest/series'), 401, 304)
    assertRefused(await world.stan.post('/rest/series', series), 401, 304)
    await world.withParameters({ chartgroup: 'security' }, async () => {
      assertRefused(await world.edna.get('/rest/series'), 401, 304)
      assertRefused(await world.edna.post('/rest/series', series), 401, 304)
      assert.equal((await world.sven.get('/rest/series')).status, 200)
    })
    await world.withParameters({ chartgroup: '' }, async () => {
      for (const who of [world.edna, world.ada]) assertRefused(await who.get('/rest/series'), 401, 304)
    })
  })

  itOnOneEngine(world, 'are refused when their search would be', async () => {
    const series = { category: 'a', subcategory: 'b', name: world.unique('c') }
    const post = (who: Client, query: string, more = {}) => who.post('/rest/series', { ...series, query, ...more })
    assertRefused(await post(world.edna, 'f1=nothing&o1=equals&v1=1'), 400, 108)
    assertRefused(await post(world.edna, 'quicksearch=AND'), 400, 32000)
    assertRefused(await post(world.ada, 'assigned_to=%25user%25', { is_public: true }), 401, 410)
  })

  it('have names of their own for each person', async () => {
    const name = world.unique('Once')
    await make(world.edna, { name })
    await make(world.sven, { name })
    const again = { category: 'Mine', subcategory: 'Some', name, query: 'id=1' }
    assertRefused(await world.edna.post('/rest/series', again), 400, 32000)
  })

  const right = { category: 'a', subcategory: 'b', name: 'c', query: 'id=1', frequency: 7 }
  const wrong = [
    { rule: seriesAreNamedAndAsk, more: { category: ' ' }, status: 400, code: 50 },
    { rule: seriesAreNamedAndAsk, more: { subcategory: '' }, status: 400, code: 50 },
    { rule: seriesAreNamedAndAsk, more: { name: undefined }, status: 400, code: 50 },
    { rule: seriesAreNamedAndAsk, more: { query: '?' }, status: 400, code: 50 },
    { rule: seriesNamesAreOneLine, more: { category: 'x'.repeat(65) }, status: 400, code: 53 },
    { rule: seriesNamesAreOneLine, more: { name: 'a\nb' }, status: 400, code: 53 },
    { rule: seriesQueriesHaveALimit, more: { query: `id=${'1'.repeat(20_000)}` }, status: 400, code: 53 },
    { rule: publicSeriesAreForAdministrators, more: { is_public: true }, status: 401, code: 304 },
    { rule: seriesAreCountedNowAndThen, more: { frequency: 6 }, status: 400, code: 55 },
    { rule: seriesAreCountedNowAndThen, more: { frequency: 366 }, status: 400, code: 54 },
    { rule: seriesAreCountedNowAndThen, more: { frequency: 'often' }, status: 400, code: 52 },
  ]
  for (const { rule, more, status, code } of wrong)
    describe(rule.says, () => {
      itOnce(world, `refuses ${JSON.stringify(more).slice(0, 40)} with ${code}`, async () => {
        assertRefused(await world.edna.post('/rest/series', { ...right, ...more }), status, code)
      })
    })
})
