import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { STANDARD_FIELDS } from '../../src/catalogue/fields/standard-fields.ts'
import { cast } from '../support/cast.ts'
import { changeBug } from '../support/change-bug.ts'
import { fileBug } from '../support/file-bug.ts'
import { newProduct } from '../support/new-product.ts'
import { assertRefused } from '../support/refusal.ts'
import { sampledOn } from '../support/sample.ts'
import { answerTo, type SearchQuery, search, searchPath, summariesOf } from '../support/search.ts'
import { describeOnEachEngine, itOnOneEngine } from '../support/world.ts'

describeOnEachEngine('the answer of GET /rest/bug', (world) => {
  let product = ''
  const filed: number[] = []
  const idsOf = async (query: SearchQuery) =>
    (await answerTo(world.edna, { product, include_fields: 'id', ...query })).bugs.map(({ id }) => id)

  before(async () => {
    product = (await newProduct(world, ['Core', 'UI'])).name
    for (const name of ['1.10', '1.9']) await world.ada.post(`/rest/product/${product}/version`, { name })
    const facts = [
      { summary: 'b', priority: 'Low', version: '1.10', severity: 'minor' },
      { summary: 'A', priority: 'Highest', version: '1.9', assigned_to: cast.edna.login },
      { summary: 'c', priority: 'Low', version: '1.0', severity: 'blocker' },
      { summary: 'D', priority: 'Normal', version: '1.9', component: 'UI' },
      { summary: 'e', priority: 'Low', version: '1.10', alias: ['zeta', 'eta'] },
      { summary: 'f', priority: 'Highest', version: '1.0' },
      { summary: 'g', priority: 'Low', version: '1.9' },
    ]
    for (const it of facts) filed.push(await fileBug(world.edna, { product, component: 'Core', ...it }))
    await changeBug(world.edna, filed[2] as number, { deadline: '2030-01-01' })
    await changeBug(world.edna, filed[1] as number, { deadline: '2029-01-01', status: 'RESOLVED', resolution: 'FIXED' })
  })

  const at = (...places: number[]) => places.map((place) => filed[place])

  describe('is limited', () => {
    it('to as many as are asked for, from where it is asked', async () => {
      assert.deepEqual(await idsOf({ limit: 2 }), at(0, 1))
      assert.deepEqual(await idsOf({ limit: 2, offset: 5 }), at(5, 6))
      assert.deepEqual(await idsOf({ limit: 2, offset: 7 }), [])
      assert.deepEqual(await idsOf({ limit: 0 }), filed)
      assert.deepEqual(await idsOf({ limit: 0, offset: 4 }), at(4, 5, 6))
    })

    it('to what the administrator allows, but for those who want everything', async () => {
      await world.withParameters({ max_search_results: 3 }, async () => {
        assert.deepEqual(await idsOf({}), at(0, 1, 2))
        assert.deepEqual(await idsOf({ limit: 5 }), at(0, 1, 2))
        assert.deepEqual(await idsOf({ limit: 0 }), filed)
      })
    })

    itOnOneEngine(world, 'and refuses an invalid limit', async () => {
      assertRefused(await search(world.edna, { product, offset: 2 }), 400, 50)
      assertRefused(await search(world.edna, { product, limit: -1 }), 400, 52)
      assertRefused(await search(world.edna, { product, limit: 1, offset: -1 }), 400, 52)
      assertRefused(await search(world.edna, { product, limit: 'few' }), 400, 52)
    })
  })

  describe('is counted', () => {
    it('without the bugs', async () => {
      assert.deepEqual(await answerTo(world.edna, { product, count_only: 1 }), { bug_count: 7 })
      assert.deepEqual(await answerTo(world.edna, { product, summary: 'x', count_only: 1 }), { bug_count: 0 })
    })

    it('with them, whatever the limit is', async () => {
      const { bugs, total_matches } = await answerTo(world.edna, { product, limit: 2, with_total: 1 })
      assert.deepEqual([bugs.length, total_matches], [2, 7])
    })
  })

  describe('comes in order', () => {
    const orders: [order: string, found: number[]][] = [
      ['bug_id DESC', [6, 5, 4, 3, 2, 1, 0]],
      ['short_desc', [1, 0, 2, 3, 4, 5, 6]],
      ['summary desc', [6, 5, 4, 3, 2, 0, 1]],
      ['priority,short_desc DESC', [5, 1, 3, 6, 4, 2, 0]],
      ['version', [2, 5, 1, 3, 6, 0, 4]],
      ['component DESC, bug_id DESC', [3, 6, 5, 4, 2, 1, 0]],
      ['deadline DESC', [2, 1, 0, 3, 4, 5, 6]],
      ['bug_severity', [2, 1, 3, 4, 5, 6, 0]],
      ['bug_status DESC', [1, 0, 2, 3, 4, 5, 6]],
      ['assigned_to DESC', [1, 0, 2, 3, 4, 5, 6]],
      ['alias DESC', [4, 0, 1, 2, 3, 5, 6]],
      ['Bug Number', [0, 1, 2, 3, 4, 5, 6]],
      ['Importance', [1, 5, 3, 2, 4, 6, 0]],
      ['nosuch, bug_id DESC', [6, 5, 4, 3, 2, 1, 0]],
      ['bugs.bug_id DESC', [6, 5, 4, 3, 2, 1, 0]],
    ]
    for (const [order, found] of orders)
      it(`by ${order}`, async () => assert.deepEqual(await idsOf({ order }), at(...found)))

    const columns = [...STANDARD_FIELDS.map(({ name }) => name), 'opendate', 'changeddate', 'actual_time', 'dup_id']
    for (const [place, column] of columns.entries())
      it(`by ${column}, and each bug once`, async () => {
        for (const direction of sampledOn(world.engine, ['', ' DESC'], 2, place)) {
          const found = await idsOf({ order: column + direction })
          assert.deepEqual(
            found.sort((a: number, b: number) => a - b),
            filed,
          )
        }
      })

    it('of relevance, when words are looked for', async () => {
      const place = { product, component: 'Core', version: '1.0' }
      const said = await fileBug(world.edna, { ...place, summary: 'Something else', description: 'Walnut cracker' })
      const named = await fileBug(world.edna, { ...place, summary: 'Walnut cracker' })
      assert.deepEqual(await idsOf({ content: 'walnut', order: 'relevance' }), [named, said])
      assert.deepEqual(await idsOf({ content: 'walnut' }), [said, named])
      filed.push(said, named)
    })
  })

  describe('goes on with a cursor', () => {
    for (const order of [
      '',
      'bug_id DESC',
      'priority,version DESC',
      'short_desc',
      'deadline DESC',
      'changeddate DESC,alias',
    ])
      it(`in the order ${order || 'that it has of itself'}`, async () => {
        const all = await idsOf({ order })
        const pages: number[] = []
        let cursor: string | undefined
        for (let page = 0; page < 9; page++) {
          const query = { product, order, limit: 2, include_fields: 'id', ...(cursor && { cursor }) }
          const { bugs, next_cursor } = await answerTo(world.edna, query)
          pages.push(...bugs.map(({ id }) => id))
          cursor = next_cursor
          if (cursor === undefined) break
        }
        assert.deepEqual(pages, all)
      })

    it('and passes over no bug that is filed in the meantime', async () => {
      const { next_cursor } = await answerTo(world.edna, { product, limit: 3, order: 'bug_id DESC' })
      const later = await fileBug(world.edna, { product, component: 'Core', version: '1.0', summary: 'Later' })
      const rest = await idsOf({ limit: 0, order: 'bug_id DESC', cursor: next_cursor })
      assert.deepEqual(rest, filed.toReversed().slice(3))
      filed.push(later)
    })

    itOnOneEngine(world, 'that was made for the same order, and by us', async () => {
      const { next_cursor } = await answerTo(world.edna, { product, limit: 1 })
      assertRefused(await search(world.edna, { product, order: 'short_desc', cursor: next_cursor }), 400, 53)
      for (const made of [[''], ['', 'x'], ['', 9e12], ['', 1, 2], ['', '\0'], {}, ['short_desc', 5, 1]]) {
        const cursor = Buffer.from(JSON.stringify(made)).toString('base64url')
        const order = Array.isArray(made) && made[0] === 'short_desc' ? 'short_desc' : ''
        assertRefused(await search(world.edna, { product, order, cursor }), 400, 53)
      }
      assertRefused(await search(world.edna, { product, cursor: 'rubbish' }), 400, 53)
    })
  })

  describe('is long', () => {
    const COUNT = 1100
    let crowd = ''
    before(async () => {
      crowd = (await newProduct(world, ['Core'])).name
      const pattern = await fileBug(world.edna, { product: crowd, component: 'Core', version: '1.0', summary: 'Crowd' })
      const [row] = await world.db.query((q) => q.selectFrom('bugs').selectAll().where('id', '=', pattern))
      assert.ok(row)
      const { id: _, ...copy } = row
      for (let made = 1; made < COUNT; made += 100)
        await world.db.query((q) =>
          q.insertInto('bugs').values(Array.from({ length: Math.min(100, COUNT - made) }, () => copy)),
        )
    })

    it('and comes in pieces, whole and in order', async () => {
      const { status, body, headers } = await search(world.edna, {
        product: crowd,
        limit: 0,
        with_total: 1,
        order: 'bug_id DESC',
      })
      assert.equal(status, 200)
      assert.equal(headers.get('content-length'), null)
      assert.deepEqual([body.bugs.length, body.total_matches, body.faults], [COUNT, COUNT, []])
      const ids = body.bugs.map(({ id }) => id)
      assert.deepEqual(
        ids,
        ids.toSorted((a: number, b: number) => b - a),
      )
      assert.equal(body.bugs.at(-1).summary, 'Crowd')
    })

    itOnOneEngine(world, 'as a script and as a page as well', async () => {
      const path = searchPath({ product: crowd, include_fields: 'id' })
      const script = await world.edna.get(`${path}&callback=show`)
      assert.match(script.text, /^\/\*\*\/show\(\{"bugs":\[\{"id":\d+\},/)
      assert.equal(JSON.parse(script.text.slice('/**/show('.length, -1)).bugs.length, COUNT)
      const page = await world.edna.get(path, { Accept: 'text/html' })
      assert.match(page.text, /^<!doctype html>/i)
    })

    itOnOneEngine(world, 'and has no body when only its headers are asked for', async () => {
      const reply = await world.edna.send('HEAD', searchPath({ product: crowd }))
      assert.deepEqual([reply.status, reply.text], [200, ''])
    })
  })

  itOnOneEngine(world, 'is not sent again to who has it', async () => {
    const { headers } = await search(world.edna, { product })
    const again = await world.edna.get(searchPath({ product }), { 'If-None-Match': headers.get('etag') ?? '' })
    assert.equal(again.status, 304)
  })

  it('is that of a saved search, to which more can be added', async () => {
    const query = `product=${product}&priority=Highest&order=bug_id%20DESC`
    assert.equal((await world.edna.post('/rest/saved_search', { name: 'Most urgent', query })).status, 201)
    assert.deepEqual(await idsOf({ savedsearch: 'most urgent' }), at(5, 1))
    assert.deepEqual(await summariesOf(world.edna, { savedsearch: 'Most urgent', summary: 'f' }), ['f'])
    assertRefused(await search(world.stan, { savedsearch: 'Most urgent' }), 404, 51)
  })
})
