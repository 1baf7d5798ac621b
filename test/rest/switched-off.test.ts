import assert from 'node:assert/strict'
import { it } from 'node:test'
import { fileBug, readBug } from '../support/file-bug.ts'
import { newProduct } from '../support/new-product.ts'
import { describeOnSqlite } from '../support/world.ts'

const LINK = 'https://github.com/lacewing/lacewing/issues/1'

describeOnSqlite('a field that a parameter switches off', (world) => {
  const CASES = [
    ['usestatuswhiteboard', 'whiteboard', 'old', 'old', { whiteboard: 'new' }],
    ['usestatuswhiteboard', 'whiteboard', 'old', 'old', { status_whiteboard: 'new' }],
    ['use_see_also', 'see_also', [LINK], [LINK], { see_also: { remove: [LINK] } }],
    [
      'use_see_also',
      'see_also',
      [LINK],
      [LINK],
      { see_also: { add: ['https://github.com/lacewing/lacewing/issues/2'] } },
    ],
    ['usetargetmilestone', 'target_milestone', '---', '---', { target_milestone: 'M1' }],
  ] as const

  for (const [parameter, field, given, read, change] of CASES)
    it(`is not changed by ${JSON.stringify(change)} while ${parameter} is off`, async () => {
      const { name: product } = await newProduct(world)
      await world.ada.post(`/rest/product/${product}/milestone`, { name: 'M1' })
      const id = await fileBug(world.edna, { product, component: 'Core', [field]: given })
      await world.withParameters({ [parameter]: false }, async () => {
        const { status, body, text } = await world.edna.put(`/rest/bug/${id}`, { ...change, priority: 'High' })
        assert.equal(status, 200, text)
        assert.deepEqual(body.ignored, [field])
        assert.deepEqual(Object.keys(body.bugs[0].changes), ['priority'])
        assert.deepEqual((await readBug(world.edna, id))[field], read)
      })
      const { body } = await world.edna.put(`/rest/bug/${id}`, change)
      assert.deepEqual(Object.keys(body.bugs[0].changes), [field])
    })

  it('is empty on new bugs', async () => {
    const { name: product } = await newProduct(world)
    await world.ada.post(`/rest/product/${product}/milestone`, { name: 'M1' })
    const wanted = { product, component: 'Core', whiteboard: 'x', see_also: [LINK], target_milestone: 'M1' }
    const off = { usestatuswhiteboard: false, use_see_also: false, usetargetmilestone: false }
    await world.withParameters(off, async () => {
      const { whiteboard, see_also, target_milestone } = await readBug(world.edna, await fileBug(world.edna, wanted))
      assert.deepEqual([whiteboard, see_also, target_milestone], ['', [], '---'])
    })
    const { whiteboard, see_also, target_milestone } = await readBug(world.edna, await fileBug(world.edna, wanted))
    assert.deepEqual([whiteboard, see_also, target_milestone], ['x', [LINK], 'M1'])
  })

  it('does not name the bug in another one, while use_see_also is off', async () => {
    const other = await fileBug(world.edna)
    await world.withParameters({ use_see_also: false }, () => fileBug(world.edna, { see_also: [String(other)] }))
    assert.deepEqual((await readBug(world.edna, other)).see_also, [])
  })
})

describeOnSqlite('letsubmitterchoosemilestone', (world) => {
  it('lets no user choose the milestone of a new bug while it is off', async () => {
    const { name: product } = await newProduct(world)
    await world.ada.post(`/rest/product/${product}/milestone`, { name: 'M1' })
    const wanted = { product, component: 'Core', target_milestone: 'M1' }
    await world.withParameters({ letsubmitterchoosemilestone: false }, async () => {
      const id = await fileBug(world.edna, wanted)
      assert.equal((await readBug(world.edna, id)).target_milestone, '---')
      const { body } = await world.edna.put(`/rest/bug/${id}`, { target_milestone: 'M1' })
      assert.deepEqual(body.bugs[0].changes.target_milestone, { removed: '---', added: 'M1' })
    })
    assert.equal((await readBug(world.edna, await fileBug(world.edna, wanted))).target_milestone, 'M1')
  })
})

describeOnSqlite('HTML pages', (world) => {
  const PAGE = { Accept: 'text/html' }
  const bugsOn = (page: string) => page.match(/<b>&#34;id&#34;<.b>/g)?.length

  it('show as many bugs as default_search_limit says, unless a limit is given', async () => {
    const summary = world.unique('page')
    for (let count = 0; count < 4; count++) await fileBug(world.edna, { summary })
    const path = `/rest/bug?summary=${summary}&include_fields=id`
    const shown = async (more = '', headers = PAGE) => bugsOn((await world.edna.get(path + more, headers)).text)
    await world.withParameters({ default_search_limit: 3 }, async () => {
      assert.equal(await shown(), 3)
      assert.equal(await shown('&limit=2'), 2)
      assert.equal(await shown('&limit=4'), 4)
      assert.equal(await shown('&limit=0'), 4)
      const { body } = await world.edna.get(path)
      assert.equal(body.bugs.length, 4, 'programs are not limited')
      const csv = await world.edna.get(`${path}&ctype=csv`, PAGE)
      assert.equal(csv.text.trim().split('\n').length, 5)
      await world.withParameters({ max_search_results: 2 }, async () => assert.equal(await shown(), 2))
    })
    await world.withParameters({ default_search_limit: 0 }, async () => assert.equal(await shown(), 4))
  })

  it('begin with announcehtml, as text', async () => {
    const notice = 'Down on <b>Sunday</b> & Monday'
    await world.withParameters({ announcehtml: notice }, async () => {
      for (const path of ['/rest/version', '/rest/bug?limit=0', '/rest/bug/99999999', '/rest/keyword?api_key='])
        assert.match(
          (await world.nobody.get(path, PAGE)).text,
          /<p>Down on &#60;b&#62;Sunday&#60;\/b&#62; &#38; Monday<\/p>/,
          path,
        )
      assert.doesNotMatch((await world.nobody.get('/rest/version')).text, /Sunday/)
    })
    assert.doesNotMatch((await world.nobody.get('/rest/version', PAGE)).text, /<p>/)
  })
})
