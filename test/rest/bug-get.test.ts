import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { cast } from '../support/cast.ts'
import { countQueries } from '../support/count-queries.ts'
import { fileBug, readBug } from '../support/file-bug.ts'
import { newHiddenProduct, newProduct } from '../support/new-product.ts'
import { assertRefused } from '../support/refusal.ts'
import { describeOnEachEngine, itOnOneEngine } from '../support/world.ts'

describeOnEachEngine('GET /rest/bug/(id)', (world) => {
  let id = 0
  let hidden = 0
  before(async () => {
    id = await fileBug(world.rhea, { alias: 'Known-As', cc: [cast.stan.login] })
    const { name } = await newHiddenProduct(world)
    hidden = await fileBug(world.sven, { product: name, component: 'Core', alias: 'secret-name' })
  })

  itOnOneEngine(world, 'returns the bug and no faults', async () => {
    const { status, body } = await world.nobody.get(`/rest/bug/${id}`)
    assert.equal(status, 200)
    assert.deepEqual(body.faults, [])
    assert.deepEqual(
      body.bugs.map((bug: { id: number }) => bug.id),
      [id],
    )
  })

  it('finds it by alias, in any letter case, and with zeros and spaces around the number', async () => {
    for (const ref of ['Known-As', 'known-as', `000${id}`, `%20${id}%20`])
      assert.equal((await readBug(world.nobody, ref)).id, id)
  })

  describe('leaves out', () => {
    itOnOneEngine(world, 'the token for anonymous callers, and the times for those who do not track time', async () => {
      const [forNobody, forStan, forEdna] = [
        await readBug(world.nobody, id),
        await readBug(world.stan, id),
        await readBug(world.edna, id),
      ]
      const secret = ['update_token', 'actual_time', 'estimated_time', 'remaining_time']
      const seen = (bug: object) => secret.filter((field) => field in bug)
      assert.deepEqual([seen(forNobody), seen(forStan), seen(forEdna)], [[], ['update_token'], secret])
      assert.ok('deadline' in forNobody)
    })

    itOnOneEngine(world, 'times when there is no time-tracking group', async () => {
      await world.withParameters({ timetrackinggroup: '' }, async () => {
        assert.ok(!('actual_time' in (await readBug(world.ada, id))))
      })
    })

    itOnOneEngine(world, 'the details of a QA contact that is not there', async () => {
      assert.ok(!('qa_contact_detail' in (await readBug(world.nobody, id))))
      const other = await fileBug(world.edna, { qa_contact: cast.rhea.login })
      assert.equal((await readBug(world.nobody, other)).qa_contact_detail.name, cast.rhea.login)
    })

    itOnOneEngine(world, 'personal tags and what else must be named', async () => {
      const bug = await readBug(world.ada, id)
      for (const field of ['tags', 'duplicates', 'description', 'comments', 'history', 'comment_count', 'attachments'])
        assert.ok(!(field in bug), field)
    })

    itOnOneEngine(world, 'the domain of mail addresses from anonymous callers, if addresses are filtered', async () => {
      await world.withParameters({ webservice_email_filter: '1' }, async () => {
        const bug = await readBug(world.nobody, id)
        assert.deepEqual(
          [bug.creator, bug.creator_detail.name, bug.creator_detail.email, bug.cc, bug.cc_detail[0].name],
          ['rhea', 'rhea', 'rhea', ['stan'], 'stan'],
        )
        assert.equal((await readBug(world.stan, id)).creator, cast.rhea.login)
      })
    })
  })

  it('returns the requested fields', async () => {
    assert.deepEqual(await readBug(world.stan, id, '?include_fields=id,cc'), { id, cc: [cast.stan.login] })
    assert.deepEqual(await readBug(world.stan, id, '?include_fields=id,summary&exclude_fields=summary'), { id })
    assert.deepEqual(await readBug(world.stan, id, '?include_fields=creator_detail.name'), {
      creator_detail: { name: cast.rhea.login },
    })
    assert.deepEqual(await readBug(world.stan, id, '?include_fields=ID,nosuch'), {})
    assert.deepEqual(await readBug(world.stan, id, '?include_fields=tags,duplicates'), { tags: [], duplicates: [] })
  })

  itOnOneEngine(world, 'changes its token with every change of the bug, and only then', async () => {
    const { update_token } = await readBug(world.stan, id)
    assert.equal((await readBug(world.stan, id)).update_token, update_token)
    assert.notEqual((await readBug(world.rhea, id)).update_token, update_token)
    await world.db.query((q) => q.updateTable('bugs').set({ changed_at: '2001-01-01T00:00:00Z' }).where('id', '=', id))
    assert.notEqual((await readBug(world.stan, id)).update_token, update_token)
  })

  itOnOneEngine(world, 'returns 304 to a client that already has it', async () => {
    const first = await world.stan.get(`/rest/bug/${id}`)
    const etag = first.headers.get('etag') ?? ''
    assert.equal((await world.stan.get(`/rest/bug/${id}`, { 'If-None-Match': etag })).status, 304)
  })

  describe('refuses', () => {
    const wrong: [title: string, ref: string, status: number, code: number][] = [
      ['an unknown number', '999999', 404, 101],
      ['nought', '0', 404, 101],
      ['a number larger than any', '99999999999999999999', 404, 101],
      ['an unknown alias', 'nosuchalias', 400, 100],
      ['a number below nought', '-1', 400, 100],
      ['a fraction', '1.5', 400, 100],
      ['a list in one word', '1,2', 400, 100],
      ['hexadecimal digits', '0x10', 400, 100],
    ]
    for (const [title, ref, status, code] of wrong)
      it(title, async () => assertRefused(await world.ada.get(`/rest/bug/${ref}`), status, code))

    it('a bug that the caller may not see, by number and by alias', async () => {
      for (const who of [world.nobody, world.edna])
        for (const ref of [hidden, 'secret-name']) assertRefused(await who.get(`/rest/bug/${ref}`), 401, 102)
      assert.equal((await readBug(world.sven, 'secret-name')).id, hidden)
    })
  })

  describe('with several bugs', () => {
    it('returns them in the requested order, each once', async () => {
      const other = await fileBug(world.edna)
      const { body } = await world.nobody.get(`/rest/bug/${other}?ids=known-as&ids=${other}&ids=0${id}`)
      assert.deepEqual(
        body.bugs.map((bug: { id: number }) => bug.id),
        [other, id],
      )
    })

    itOnOneEngine(world, 'fails when one of them is not there', async () => {
      assertRefused(await world.nobody.get(`/rest/bug/${id}?ids=999999`), 404, 101)
      assertRefused(await world.nobody.get(`/rest/bug/${id}?ids=${hidden}`), 401, 102)
      assertRefused(await world.nobody.get(`/rest/bug/${id}?ids=nosuch`), 400, 100)
    })

    itOnOneEngine(world, 'lists missing bugs as faults with permissive, and returns the rest', async () => {
      const query = `ids=999999&ids=${hidden}&ids=nosuch&ids=99999999999&permissive=1`
      const { status, body } = await world.nobody.get(`/rest/bug/${id}?${query}`)
      assert.equal(status, 200)
      assert.deepEqual(
        body.bugs.map((bug: { id: number }) => bug.id),
        [id],
      )
      assert.deepEqual(
        body.faults.map((fault: { id: unknown; faultCode: number }) => [fault.id, fault.faultCode]),
        [
          [999999, 101],
          [hidden, 102],
          ['nosuch', 100],
          [99999999999, 101],
        ],
      )
      assert.ok(body.faults.every((fault: { faultString: unknown }) => typeof fault.faultString === 'string'))
    })

    itOnOneEngine(world, 'takes all of them from ids at /rest/bug/', async () => {
      const { body } = await world.nobody.get(`/rest/bug/?ids=${id}&include_fields=id`)
      assert.deepEqual(body, { bugs: [{ id }], faults: [] })
      assertRefused(await world.nobody.get('/rest/bug/'), 400, 50)
    })

    itOnOneEngine(world, 'takes no more queries for many than for one, found or not', async () => {
      const more = [await fileBug(world.edna), await fileBug(world.edna), await fileBug(world.edna)]
      const queriesFor = (ids: (number | string)[]) =>
        countQueries(world, () => world.stan.get(`/rest/bug/?${ids.map((it) => `ids=${it}`).join('&')}&permissive=1`))
      const missing = ['900001', '900002', '900003', 'no-1', 'no-2']
      assert.equal(
        await queriesFor([id, ...more, hidden, ...missing]),
        await queriesFor([id, hidden, '900001', 'no-1']),
      )
    })
  })

  describe('names what it refers to', () => {
    itOnOneEngine(world, 'as it is called now, also when it was just read under another name', async () => {
      const { name } = await newProduct(world)
      const [before, after] = [world.unique('before'), world.unique('after')]
      const person = await world.newUser({ full_name: before, email: `${before}@lacewing.test` })
      const bug = await fileBug(world.ada, {
        ...{ product: name, component: 'Core', version: '1.0' },
        ...{ assigned_to: person.login, qa_contact: person.login, cc: [person.login] },
      })
      const { classification } = await readBug(world.ada, bug)
      assert.deepEqual(namesIn(await readBug(world.ada, bug)), {
        ...{ product: name, component: 'Core', classification, version: '1.0', target_milestone: '---' },
        ...{ assigned_to: person.login, qa_contact: person.login, cc: [person.login] },
        real_names: [before, before, before],
      })

      const login = `${after}@lacewing.test`
      const changes: [string, object][] = [
        [`/rest/user/${person.id}`, { full_name: after }],
        [`/rest/component/${name}/Core`, { name: 'Heart' }],
        [`/rest/product/${name}/version/1.0`, { name: '1.0.0' }],
        [`/rest/product/${name}/milestone/---`, { name: 'none yet' }],
        [`/rest/classification/${classification}`, { name: after }],
        [`/rest/product/${name}`, { name: after }],
        [`/rest/user/${person.id}`, { email: login }],
      ]
      const seen = []
      for (const [path, change] of changes) {
        const { status, text } = await world.ada.put(path, change)
        assert.equal(status, 200, text)
        seen.push(namesIn(await readBug(world.ada, bug)))
      }
      await world.ada.put(`/rest/classification/${after}`, { name: classification })
      assert.deepEqual(seen[0]?.real_names, [after, after, after])
      assert.deepEqual(seen.at(-1), {
        ...{
          product: after,
          component: 'Heart',
          classification: after,
          version: '1.0.0',
          target_milestone: 'none yet',
        },
        ...{ assigned_to: login, qa_contact: login, cc: [login] },
        real_names: [after, after, after],
      })
    })

    it('and sorts the CC list by login name', async () => {
      const word = world.unique('copied')
      const logins = ['c', 'A', 'b', 'a1'].map((it) => `${it}${word}@lacewing.test`)
      for (const email of logins) await world.newUser({ email })
      const bug = await fileBug(world.ada, { cc: logins.slice(0, 1) })
      await world.ada.put(`/rest/bug/${bug}`, { cc: { add: logins.slice(1) } })
      const read = await readBug(world.ada, bug)
      const inOrder = ['a1', 'A', 'b', 'c'].map((it) => `${it}${word}@lacewing.test`)
      assert.deepEqual(read.cc, inOrder)
      assert.deepEqual(
        read.cc_detail.map(({ name }) => name),
        inOrder,
      )
    })
  })

  describe('of a bug that is tied to a hidden one', () => {
    it('shows the tie to those who see both', async () => {
      const other = await fileBug(world.sven, { depends_on: [hidden], see_also: [`${hidden}`] })
      const blocking = await fileBug(world.sven, { blocks: [hidden] })
      await world.db.query((q) => q.updateTable('bugs').set({ dupe_of_id: hidden }).where('id', '=', blocking))
      const [seen, unseen] = [await readBug(world.sven, other), await readBug(world.edna, other)]
      assert.deepEqual([seen.depends_on, seen.see_also.length], [[hidden], 1])
      assert.deepEqual([unseen.depends_on, unseen.see_also], [[], []])
      const [ours, theirs] = [await readBug(world.sven, blocking), await readBug(world.edna, blocking)]
      assert.deepEqual([ours.blocks, ours.dupe_of], [[hidden], hidden])
      assert.deepEqual([theirs.blocks, theirs.dupe_of], [[], null])
      await world.db.query((q) => q.updateTable('bugs').set({ dupe_of_id: id }).where('id', '=', hidden))
      const duplicates = '?include_fields=duplicates'
      assert.deepEqual(await readBug(world.sven, id, duplicates), { duplicates: [hidden] })
      assert.deepEqual(await readBug(world.edna, id, duplicates), { duplicates: [] })
    })
  })
})

function namesIn(bug: Awaited<ReturnType<typeof readBug>>) {
  const { product, component, classification, version, target_milestone, assigned_to, qa_contact, cc } = bug
  const people = [bug.assigned_to_detail, bug.qa_contact_detail, ...bug.cc_detail]
  const real_names = people.map(({ real_name }) => real_name)
  return { product, component, classification, version, target_milestone, assigned_to, qa_contact, cc, real_names }
}
