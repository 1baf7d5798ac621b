import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { changeBug } from '../support/change-bug.ts'
import { fileBug } from '../support/file-bug.ts'
import { sampledOn } from '../support/sample.ts'
import { type Client, describeOnEachEngine } from '../support/world.ts'

/** Holds for every bug, and is carried out by another plan than the texts. */
const BY_ANOTHER_PLAN = '&f9=bug_id&o9=greaterthan&v9=0'

const ORDERS = ['', '&order=bug_id%20DESC', '&order=changeddate%20DESC', '&order=priority,opendate%20DESC']

const SEARCHES = [
  'summary=marmot',
  'summary=MOT%20si',
  'summary=nothing%20has%20this',
  'whiteboard=triage',
  'f1=short_desc&o1=anywordssubstr&v1=whist%20burro',
  'f1=short_desc&o1=allwordssubstr&v1=mot%20ngs',
  'summary=marmot&product=TestProduct&bug_status=__open__',
  'quicksearch=ALL%20marmot',
  'quicksearch=marmot%20burrow',
  'quicksearch=ALL%20burrow%7Cwhistle',
  'quicksearch=den-of',
  'quicksearch=%23siesta',
  'quicksearch=Test%20marmot',
  'quicksearch=ALL%20%22marmot%20sings%22',
  'f1=content&o1=matches&v1=marmot%20sing',
  'f1=content&o1=matches&v1=%22in%20its%20burrow%22',
  'f1=content&o1=matches&v1=burr*%20-siesta',
  'f1=content&o1=matches&v1=hibernation',
  'quicksearch=hibernation',
]

describeOnEachEngine('a search by texts', (world) => {
  const filed: number[] = []
  before(async () => {
    const group = world.unique('texts')
    await world.ada.post('/rest/group', { name: group, description: 'Who sees some' })
    for (let number = 0; number < 24; number++) {
      const summary = `${number % 2 ? 'A marmot sings' : 'Whistles'} ${number % 3 ? 'in the sun' : 'by its burrow'} ${number}`
      const id = await fileBug(number % 4 ? world.edna : world.rhea, {
        summary,
        description: number % 5 ? 'It sleeps in its burrow' : 'A siesta of a marmot',
        ...(number % 6 === 0 && { whiteboard: 'triage marmot' }),
        ...(number === 7 && { alias: world.unique('den-of-marmots') }),
        priority: number % 2 ? 'Low' : 'Highest',
      })
      filed.push(id)
    }
    for (const place of [1, 8, 15])
      await changeBug(world.edna, filed[place] as number, { status: 'RESOLVED', resolution: 'FIXED' })
    await changeBug(world.edna, filed[3] as number, { summary: 'No longer about that animal' })
    await world.ada.put('/rest/parameters', { insidergroup: 'admin' })
    await changeBug(world.ada, filed[4] as number, { comment: { body: 'About hibernation', is_private: true } })
    await world.db.script(
      `insert into bug_groups (bug_id, group_id) select ${filed[5]}, id from groups where name = '${group}'
       union all select ${filed[6]}, id from groups where name = '${group}'`,
    )
  })

  for (const [number, found] of SEARCHES.entries())
    it(`finds for ${decodeURIComponent(found)} what other plans find, in every order and on every page`, async () => {
      const readers: Client[] = [world.ada, world.rhea, world.nobody]
      for (const [place, order] of sampledOn(world.engine, [...ORDERS.entries()], 4, number))
        for (const reader of readers) {
          const path: `/rest/bug?${string}` = `/rest/bug?${found}${order}&include_fields=id&limit=${2 + place * 3}`
          const first = await reader.get(path)
          const expected = await reader.get(`${path}${BY_ANOTHER_PLAN}`)
          assert.deepEqual(first.body, expected.body, path)
          if (first.body.next_cursor === undefined) continue
          const next = `${path}&cursor=${encodeURIComponent(first.body.next_cursor)}` as const
          assert.deepEqual((await reader.get(next)).body, (await reader.get(`${next}${BY_ANOTHER_PLAN}`)).body, next)
        }
    })

  it('finds the words of a private comment only for insiders', async () => {
    const idsFor = async (client: Client) =>
      (await client.get('/rest/bug?quicksearch=hibernation&include_fields=id')).body.bugs.map(({ id }) => id)
    assert.deepEqual(await idsFor(world.ada), [filed[4]])
    for (const client of [world.rhea, world.nobody]) assert.deepEqual(await idsFor(client), [])
  })

  it('reads the lists of the indexes', async () => {
    for (const found of ['summary=marmot', 'quicksearch=marmot%20burrow', 'f1=content&o1=matches&v1=marmot']) {
      const { body } = await world.ada.get(`/rest/bug?${found}&limit=5&explain=1`)
      assert.deepEqual(
        body.explanation.plans.map(({ strategy }) => strategy),
        ['by_texts'],
      )
    }
  })
})
