import assert from 'node:assert/strict'
import { it } from 'node:test'
import { cast } from '../support/cast.ts'
import { changeBug } from '../support/change-bug.ts'
import { fileBug, newBug, readBug } from '../support/file-bug.ts'
import { newProduct } from '../support/new-product.ts'
import { type Client, describeOnEachEngine, describeOnSqlite, itOnOneEngine } from '../support/world.ts'

const LINK = 'https://github.com/lacewing/lacewing/issues/1'

describeOnEachEngine('a field that a parameter hides', (world) => {
  const OFF = {
    usestatuswhiteboard: false,
    use_see_also: false,
    usetargetmilestone: false,
    useqacontact: false,
    letsubmitterchoosemilestone: false,
  }
  const VALUES = { whiteboard: 'x', see_also: [LINK], target_milestone: 'M1', qa_contact: cast.stan.login }
  const OTHERS = { whiteboard: 'y', see_also: { remove: [LINK] }, target_milestone: '---', qa_contact: '' }
  const fieldsOf = ({ whiteboard, see_also, target_milestone, qa_contact }: typeof VALUES) => ({
    whiteboard,
    see_also,
    target_milestone,
    qa_contact,
  })
  const place = async () => {
    const { name: product } = await newProduct(world)
    await world.ada.post(`/rest/product/${product}/milestone`, { name: 'M1' })
    return { product, component: 'Core' }
  }

  it('is written by programs when they file and change bugs, read, searched and in the history', async () => {
    const location = await place()
    await world.withParameters(OFF, async () => {
      const { body } = await world.edna.post('/rest/bug', newBug({ ...location, ...VALUES }))
      assert.deepEqual(Object.keys(body), ['id'])
      const { id } = body
      assert.deepEqual(fieldsOf(await readBug(world.edna, id)), VALUES)
      const criteria = `product=${location.product}&whiteboard=x&target_milestone=M1&qa_contact=${cast.stan.login}`
      assert.equal((await world.edna.get(`/rest/bug?${criteria}&see_also=${LINK}&count_only=1`)).body.bug_count, 1)
      const report = await world.edna.get(`/rest/report?product=${location.product}&x_axis_field=qa_contact`)
      assert.match(report.text, /"stan@/)
      const change = await world.edna.put(`/rest/bug/${id}`, OTHERS)
      assert.equal(change.status, 200, change.text)
      assert.equal(change.body.ignored, undefined)
      assert.deepEqual(Object.keys(change.body.bugs[0].changes).sort(), Object.keys(OTHERS).sort())
      assert.deepEqual(fieldsOf(await readBug(world.edna, id)), {
        whiteboard: 'y',
        see_also: [],
        target_milestone: '---',
        qa_contact: '',
      })
      const history = await world.edna.get(`/rest/bug/${id}/history`)
      for (const field of Object.keys(OTHERS)) assert.match(history.text, new RegExp(`"field_name":"${field}"`))
    })
  })

  it('is set to the default of the component, and names the bug in another one', async () => {
    const location = await place()
    const other = await fileBug(world.edna)
    await world.withParameters(OFF, async () => {
      await world.ada.put(`/rest/component/${location.product}/Core`, { default_qa_contact: cast.rhea.login })
      const id = await fileBug(world.edna, { ...location, see_also: [String(other)] })
      assert.equal((await readBug(world.edna, id)).qa_contact, cast.rhea.login)
      assert.match(String((await readBug(world.edna, other)).see_also), new RegExp(`=${id}$`))
      await changeBug(world.edna, id, { qa_contact: cast.stan.login })
      await changeBug(world.edna, id, { reset_qa_contact: true })
      assert.equal((await readBug(world.edna, id)).qa_contact, cast.rhea.login)
    })
  })
})

describeOnEachEngine('the response of a call that creates something', (world) => {
  const FOR_EDITORS = { assigned_to: cast.stan.login, qa_contact: cast.stan.login, dependson: ['1'], blocks: ['1'] }
  const FOR_TRACKERS = { deadline: '2030-01-01', estimated_time: 3 }
  type CreatingPath = '/rest/bug' | '/rest/product' | `/rest/bug/${number}/comment`
  const created = async (user: Client, path: CreatingPath, body: object) => {
    const reply = await user.post(path, body)
    assert.equal(reply.status, path === '/rest/bug' ? 200 : 201, reply.text)
    return reply.body.ignored
  }

  itOnOneEngine(world, 'names what the caller could not choose for a bug', async () => {
    const more = { ...FOR_EDITORS, ...FOR_TRACKERS, status: 'CONFIRMED', creator: cast.ada.login, id: 7 }
    assert.deepEqual(await created(world.stan, '/rest/bug', newBug({ ...more, comment: 'a', description: 'b' })), [
      'assigned_to',
      'blocks',
      'comment',
      'creator',
      'deadline',
      'depends_on',
      'estimated_time',
      'id',
      'qa_contact',
      'status',
    ])
  })

  itOnOneEngine(world, 'names nothing that was taken, empty or null', async () => {
    const id = await fileBug(world.edna)
    const more = { ...FOR_EDITORS, ...FOR_TRACKERS, dependson: [id], blocks: [], status: 'CONFIRMED' }
    assert.equal(await created(world.edna, '/rest/bug', newBug(more)), undefined)
    const blank = { assigned_to: '', qa_contact: null, depends_on: [], deadline: '', estimated_time: 0, id: null }
    assert.equal(await created(world.stan, '/rest/bug', newBug(blank)), undefined)
  })

  it('names the priority while filers may not choose it', async () => {
    await world.withParameters({ letsubmitterchoosepriority: false }, async () =>
      assert.deepEqual(await created(world.edna, '/rest/bug', newBug({ priority: 'High' })), ['priority']),
    )
  })

  itOnOneEngine(world, 'names hours worked of a caller who does not track time', async () => {
    const id = await fileBug(world.stan)
    const path = `/rest/bug/${id}/comment` as const
    assert.deepEqual(await created(world.stan, path, { comment: 'x', work_time: 2 }), ['work_time'])
    assert.equal(await created(world.stan, path, { comment: 'x', work_time: 0 }), undefined)
    assert.equal(await created(world.edna, path, { comment: 'x', work_time: 2 }), undefined)
  })

  it('names the classification of a product while there are none', async () => {
    const wanted = { name: world.unique('P'), description: 'x', version: '1', classification: 'Unclassified' }
    assert.deepEqual(await created(world.ada, '/rest/product', wanted), ['classification'])
    await world.withParameters({ useclassification: true }, async () =>
      assert.equal(await created(world.ada, '/rest/product', { ...wanted, name: world.unique('P') }), undefined),
    )
  })
})

describeOnSqlite('HTML pages', (world) => {
  const PAGE = { Accept: 'text/html' }
  const bugsOn = (page: string) => page.match(/<b>&#34;id&#34;<.b>/g)?.length

  it('show as many bugs as default_search_limit says, unless a limit is given', async () => {
    const summary = world.unique('page')
    for (let count = 0; count < 4; count++) await fileBug(world.edna, { summary })
    const path = `/rest/bug?summary=${summary}&include_fields=id` as const
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
