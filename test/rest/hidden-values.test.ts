import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { cast } from '../support/cast.ts'
import { changeBug, historyOf } from '../support/change-bug.ts'
import { fileBug, newBug, readBug, readField } from '../support/file-bug.ts'
import { newHiddenProduct } from '../support/new-product.ts'
import { sampledOn } from '../support/sample.ts'
import { type Client, describeOnEachEngine, itOnOneEngine, type Reply } from '../support/world.ts'

/*
 * Values of select fields that are shown only with something that the caller may not see, directly or through other fields. To users
 * without the right to see it, such a value looks everywhere like one that does not exist.
 */

const SECRET = 'hushed'
const MISSING = 'absent'

describeOnEachEngine('a value that is shown only with something hidden', (world) => {
  /** One field for each thing that can control values, one with several values, and one that another of them controls. */
  const fields = ['cf_product', 'cf_component', 'cf_class', 'cf_many', 'cf_chain']
  let product = ''

  before(async () => {
    const hidden = await newHiddenProduct(world, ['Core', 'Vault'])
    product = hidden.name
    const classification = world.unique('Class')
    await made('/rest/classification', { name: classification })
    assert.equal((await world.ada.put(`/rest/product/${product}`, { classification })).status, 200)
    const shownWith = (value_field: string, value: string, type = 2) => ({
      type,
      value_field,
      values: ['plain', { name: SECRET, visibility_values: [value] }],
    })
    await newField('cf_product', shownWith('product', product))
    await newField('cf_component', shownWith('component', 'Vault'))
    await newField('cf_class', shownWith('classification', classification))
    await newField('cf_many', shownWith('product', product, 3))
    await newField('cf_chain', shownWith('cf_product', SECRET))
  })

  async function made<const Path extends string>(path: Path, body: object) {
    const reply = await world.ada.post(path, body)
    assert.equal(reply.status, 201, reply.text)
    return reply.body
  }

  const newField = (name: string, more: object) =>
    made('/rest/field/bug', { name, display_name: name, is_on_bug_entry: true, ...more })

  /** The answer to a request about the hidden value, and about one that does not exist, with that name in both. */
  async function alike<Body>(ask: (value: string) => Promise<Reply<Body>>) {
    const [hidden, missing] = [await ask(SECRET), await ask(MISSING)]
    assert.equal(hidden.text.replaceAll(SECRET, MISSING), missing.text)
    assert.equal(hidden.status, missing.status)
    return hidden
  }

  const outsiders = () => [world.nobody, world.stan, world.edna]

  it('is not listed by any of the calls for fields and values', async () => {
    for (const client of outsiders()) {
      for (const field of fields) {
        const paths = [
          `/rest/field/bug/${field}`,
          `/rest/field/bug/${field}/values`,
          `/rest/field/bug/${field}/1/values`,
        ]
        for (const path of paths) {
          const { status, text } = await client.get(path)
          assert.equal(status, 200, text)
          assert.match(text, /plain/)
          assert.doesNotMatch(text, new RegExp(SECRET), path)
        }
      }
      assert.doesNotMatch((await client.get('/rest/field/bug')).text, new RegExp(SECRET))
    }
  })

  it('is listed by all of them to users who may see what it is shown with', async () => {
    for (const field of fields)
      for (const path of [`/rest/field/bug/${field}`, `/rest/field/bug/${field}/values`])
        assert.match((await world.sven.get(path)).text, new RegExp(SECRET), path)
  })

  it('is unknown when a bug is filed, even when it is no longer in use', async () => {
    for (const is_active of [true, false]) {
      for (const field of fields) {
        assert.equal((await world.ada.put(`/rest/field/bug/${field}/values/${SECRET}`, { is_active })).status, 200)
        const reply = await alike((value) => world.edna.post('/rest/bug', newBug({ [field]: value })))
        assert.deepEqual([reply.status, reply.body.code], [404, 51])
      }
    }
    for (const field of fields)
      assert.equal((await world.ada.put(`/rest/field/bug/${field}/values/${SECRET}`, { is_active: true })).status, 200)
  })

  itOnOneEngine(world, 'is unknown when a bug is changed, also in a list and for several bugs', async () => {
    const ids = [await fileBug(world.edna), await fileBug(world.edna)]
    for (const field of fields) {
      const reply = await alike((value) => world.edna.put(`/rest/bug/${ids[0]}`, { ids, [field]: value }))
      assert.deepEqual([reply.status, reply.body.code], [404, 51])
      await alike((value) => world.edna.put(`/rest/bug/${ids[0]}`, { ids, [field]: value, dry_run: true }))
    }
    await alike((value) => world.edna.put(`/rest/bug/${ids[0]}`, { cf_many: ['plain', value] }))
  })

  itOnOneEngine(world, 'can be chosen by users who may see what it is shown with', async () => {
    for (const field of fields) {
      const id = await fileBug(world.sven, { [field]: SECRET })
      await changeBug(world.sven, id, { [field]: 'plain' })
      await changeBug(world.sven, id, { [field]: SECRET })
    }
  })

  itOnOneEngine(world, 'stays on a bug that has it when any user changes the bug', async () => {
    for (const field of fields) {
      const id = await fileBug(world.sven, { [field]: SECRET })
      const shown = field === 'cf_many' ? [SECRET] : SECRET
      assert.deepEqual(await readField(world.edna, id, field), shown)
      assert.deepEqual(await changeBug(world.edna, id, { [field]: SECRET }), {})
      await changeBug(world.edna, id, { priority: 'Low' })
      assert.deepEqual(await readField(world.sven, id, field), shown)
    }
  })

  it('is found by no search that a missing value would not answer alike', async () => {
    for (const [index, client] of outsiders().entries())
      for (const [place, field] of fields.entries()) {
        const queries = [`${field}=VALUE&limit=0`, `f1=${field}&o1=equals&v1=VALUE`, `quicksearch=${field}:VALUE`]
        for (const query of sampledOn(world.engine, queries, 3, index + place)) {
          const bare = `product=Product-that-nobody-has&include_fields=id&${query}`
          await alike((value) => client.get(`/rest/bug?${bare.replace('VALUE', value)}`))
        }
      }
  })

  it('makes no field mandatory for users to whom it offers nothing else', async () => {
    const name = world.unique('cf_must')
    const values = [{ name: SECRET, visibility_values: [product] }]
    await newField(name, { type: 3, is_mandatory: true, value_field: 'product', values })
    await fileBug(world.edna)
    const refused = await world.sven.post('/rest/bug', newBug())
    assert.equal(refused.status, 400, refused.text)
    const id = await fileBug(world.sven, { [name]: SECRET })
    await changeBug(world.edna, id, { [name]: [] })
    assert.equal((await world.ada.put(`/rest/field/bug/${name}`, { is_mandatory: false })).status, 200)
  })
})

describeOnEachEngine('a custom field that names a hidden bug', (world) => {
  before(async () => {
    for (const more of [{ name: 'cf_ref' }, { name: 'cf_needed', is_mandatory: true }]) {
      const field = { type: 6, display_name: more.name, is_on_bug_entry: false, ...more }
      assert.equal((await world.ada.post('/rest/field/bug', field)).status, 201)
    }
  })

  const place = { product: 'TestProduct', component: 'TestComponent' }

  /** A bug that names a hidden one in the field, a bug that names none, and the hidden one. Both look alike to edna and stan. */
  async function twins(field = 'cf_ref') {
    const { name } = await newHiddenProduct(world)
    const hidden = await fileBug(world.sven, { product: name, component: 'Core' })
    const [linking, plain] = [await fileBug(world.edna, place), await fileBug(world.edna, place)]
    await changeBug(world.sven, linking, { [field]: hidden })
    return { linking, plain, hidden }
  }

  /** What a change of either bug answers and leaves behind for the client, without the numbers and times of the bugs. */
  async function effect(client: Client, id: number, change: object) {
    const earlier = await client.get(`/rest/bug/${id}?include_fields=last_change_time,cf_ref,cf_needed`)
    const reply = await client.put(`/rest/bug/${id}`, change)
    const now = await client.get(`/rest/bug/${id}?include_fields=last_change_time,cf_ref,cf_needed`)
    const text = [reply.text, ...(await historyOf(client, id))].join('\n').replaceAll(String(id), 'ID')
    const [was, is] = [earlier.body.bugs[0], now.body.bugs[0]]
    return {
      status: reply.status,
      text: text.replace(/\d{4}-\d\d-\d\dT[\d:]+Z/g, 'TIME'),
      isMoved: earlier.headers.get('etag') !== now.headers.get('etag'),
      fields: { ...is, last_change_time: undefined, was: was.cf_ref },
    }
  }

  const callers = (): [who: string, client: Client][] => [
    ['somebody who may change the bug', world.edna],
    ['somebody who may not', world.stan],
  ]

  const CLEARED: [title: string, change: object][] = [
    ['cleared with null', { cf_ref: null }],
    ['cleared with an empty text', { cf_ref: '' }],
    ['cleared in a dry run', { cf_ref: null, dry_run: true }],
    ['cleared together with another change', { cf_ref: null, comment: { body: 'Done' } }],
  ]
  for (const [title, change] of sampledOn(world.engine, CLEARED, 4))
    it(`returns the same as an empty one when it is ${title}, and keeps the link`, async () => {
      for (const [who, client] of callers()) {
        const { linking, plain, hidden } = await twins()
        assert.deepEqual(await effect(client, linking, change), await effect(client, plain, change), who)
        assert.equal((await readBug(world.sven, linking)).cf_ref, hidden)
      }
    })

  it('writes no history, event or time when it is cleared by a user who cannot see the bug', async () => {
    const { linking } = await twins()
    const rows = () =>
      world.db.query((q) =>
        q
          .selectFrom('bugs')
          .select([
            'revision',
            'changed_at',
            q
              .selectFrom('outbox')
              .select((r) => r.fn.countAll().as('n'))
              .as('events'),
            q
              .selectFrom('bug_changes')
              .select((r) => r.fn.countAll().as('n'))
              .as('lines'),
          ])
          .where('id', '=', linking),
      )
    const earlier = await rows()
    assert.deepEqual(await changeBug(world.edna, linking, { cf_ref: null }), {})
    assert.deepEqual(await rows(), earlier)
  })

  it('takes a visible bug as well, and shows every user what they may see', async () => {
    const other = await fileBug(world.edna, place)
    const third = await fileBug(world.edna, place)
    const { linking, plain, hidden } = await twins()
    for (const change of [{ cf_ref: other }, { cf_ref: other }, { cf_ref: third }])
      assert.deepEqual(await effect(world.edna, linking, change), await effect(world.edna, plain, change))
    assert.equal((await readBug(world.edna, linking)).cf_ref, third)
    assert.equal((await readBug(world.sven, linking)).cf_ref, hidden)
    for (const reader of [world.edna, world.nobody]) {
      const search = async (value: number) =>
        (await reader.get(`/rest/bug?cf_ref=${value}&include_fields=id`)).body.bugs.map(({ id }) => id)
      assert.deepEqual(await search(hidden), [])
      assert.deepEqual(await search(third), [linking, plain])
    }
    assert.deepEqual(
      await effect(world.edna, linking, { cf_ref: null }),
      await effect(world.edna, plain, { cf_ref: null }),
    )
    assert.equal((await readBug(world.sven, linking)).cf_ref, hidden)
  })

  itOnOneEngine(world, 'is emptied by those who see all that it names', async () => {
    const other = await fileBug(world.edna, place)
    const { linking, hidden } = await twins()
    await changeBug(world.edna, linking, { cf_ref: other })
    assert.deepEqual(await changeBug(world.sven, linking, { cf_ref: null }), {
      cf_ref: { removed: `${hidden}, ${other}`, added: '' },
    })
    for (const reader of [world.sven, world.edna]) assert.equal((await readBug(reader, linking)).cf_ref, null)
    assert.deepEqual(await historyOf(world.edna, linking), [`edna: cf_ref  → ${other}`, `sven: cf_ref ${other} → `])
  })

  itOnOneEngine(world, 'is as empty as it looks to those who must fill it in', async () => {
    const other = await fileBug(world.edna, { ...place, cf_needed: await fileBug(world.edna, place) })
    const { linking, plain } = await twins('cf_needed')
    for (const change of [{ cf_needed: null }, { cf_needed: other }, { cf_needed: null }])
      assert.deepEqual(await effect(world.edna, linking, change), await effect(world.edna, plain, change))
  })

  it('makes no circle that the caller cannot see', async () => {
    const { name } = await newHiddenProduct(world)
    const [first, last] = [await fileBug(world.edna, place), await fileBug(world.edna, place)]
    const between = await fileBug(world.sven, { product: name, component: 'Core', cf_ref: first })
    await changeBug(world.sven, last, { cf_ref: between })
    assert.equal((await world.sven.put(`/rest/bug/${first}`, { cf_ref: last })).status, 400)
    await changeBug(world.edna, first, { cf_ref: last })
    assert.equal((await readBug(world.edna, first)).cf_ref, last)
  })

  it('shows its value at some time to users who may see it', async () => {
    const other = await fileBug(world.edna, place)
    const { linking, hidden } = await twins()
    await changeBug(world.edna, linking, { cf_ref: other })
    await world.db.script(`update bug_changes set at = '2010-01-01T00:00:00Z' where bug_id = ${linking};
      update bugs set created_at = '2001-01-01T00:00:00Z' where id = ${linking};
      update bug_changes set at = '2005-01-01T00:00:00Z' where bug_id = ${linking} and added = '${hidden}'`)
    const asOf = async (reader: Client, at: string) => (await readBug(reader, linking, `?as_of=${at}`)).cf_ref
    for (const [at, sven, edna] of [
      ['2003-01-01', null, null],
      ['2007-01-01', hidden, null],
      ['2012-01-01', hidden, other],
    ] as const) {
      assert.equal(await asOf(world.sven, at), sven, at)
      assert.equal(await asOf(world.edna, at), edna, at)
    }
  })

  itOnOneEngine(world, 'says nothing about a hidden bug in the mail and events of others', async () => {
    const { linking, plain, hidden } = await twins()
    const other = await fileBug(world.edna, { ...place, cc: [cast.stan.login] })
    for (const id of [linking, plain]) await changeBug(world.edna, id, { cf_ref: other })
    const { body } = await world.edna.get('/rest/event?timeout=0')
    const returned = body.events.filter(({ bug_id }) => bug_id === linking || bug_id === plain)
    assert.doesNotMatch(JSON.stringify(returned), new RegExp(`"${hidden}"`))
  })
})
