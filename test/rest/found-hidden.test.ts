import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { collectSeries } from '../../src/search/series/collect-series.ts'
import { cast } from '../support/cast.ts'
import { changeBug } from '../support/change-bug.ts'
import { fileBug } from '../support/file-bug.ts'
import { newMember, setControl } from '../support/new-member.ts'
import { newHiddenProduct, newProduct } from '../support/new-product.ts'
import { sampledOn } from '../support/sample.ts'
import { Twins } from '../support/twins.ts'
import { type Client, describeOnEachEngine, itOnOneEngine, World } from '../support/world.ts'

/*
 * Two servers: on the full one there are hidden bugs and a hidden product, on the bare one the same without them. What is made of searches
 * (reports, series, possible duplicates, lists in other forms) is the same on both for the user who may not know.
 */

const AXES = [
  'product',
  'component',
  'classification',
  'version',
  'target_milestone',
  'status',
  'resolution',
  'priority',
  'severity',
  'op_sys',
  'platform',
  'assigned_to',
  'creator',
  'qa_contact',
  'keywords',
  'cf_size',
  'cf_many',
]

describeOnEachEngine('lists, counts and reports of a search, for a user who may not see everything', (world) => {
  const twins = new Twins(world, new World(world.engine))
  const pair = [twins.full, twins.bare] as const
  const watchers = new Map<World, Client>()
  /** A user who may see charts, and nothing that is hidden. */
  const watcher = (it: World) => watchers.get(it) ?? it.nobody

  before(async () => {
    await twins.bare.open()
    for (const it of pair) await prepare(it)
    for (let index = 0; index < 4; index++) {
      const file = ({ edna }: World) =>
        fileBug(edna, { ...PLACE, summary: `Plain thing ${index}`, keywords: index % 2 ? ['visible'] : [] })
      await twins.happen(file, file)
    }
    for (let index = 0; index < 3; index++) await twins.happen((full) => hideBug(full, index))
    const later = ({ edna }: World) => fileBug(edna, { ...PLACE, summary: 'Plain marzipan' })
    await twins.happen(later, later)
  })
  after(() => twins.bare.close())

  const PLACE = { product: 'Product1', component: 'Core' }

  async function prepare(it: World) {
    const { name } = await newProduct(it)
    assert.equal(name, 'Product1')
    await setControl(it, name, 'security', { membercontrol: 'Shown', othercontrol: 'NA' })
    for (const name of ['visible', 'secret']) await it.ada.post('/rest/keyword', { name, description: 'A word' })
    await it.ada.post('/rest/field/bug', { name: 'cf_size', type: 2, display_name: 'Size', values: ['big'] })
    await it.ada.post('/rest/field/bug', { name: 'cf_many', type: 3, display_name: 'Many', values: ['one', 'two'] })
    watchers.set(it, (await newMember(it, 'editbugs')).client)
  }

  async function hideBug(full: World, index: number) {
    const hidden = {
      summary: `Plain thing ${index} marzipan`,
      keywords: ['secret'],
      priority: 'Highest',
      severity: 'blocker',
      cf_size: 'big',
      cf_many: ['one', 'two'],
      assigned_to: cast.sven.login,
      qa_contact: cast.sven.login,
    }
    if (index === 2) {
      const { name } = await newHiddenProduct(full, ['Vault'])
      return fileBug(full.sven, { ...hidden, product: name, component: 'Vault' })
    }
    const id = await fileBug(full.sven, { ...PLACE, ...hidden, groups: ['security'] })
    if (index === 1) await changeBug(full.sven, id, { status: 'RESOLVED', resolution: 'WONTFIX' })
  }

  /** Both servers answer alike, but for where they are and what time it is. */
  async function assertAlike(path: string, who: (it: World) => Client, headers?: Record<string, string>) {
    const [full, bare] = await Promise.all(
      pair.map(async (it) => {
        const { status, text } = await who(it).get(path, headers)
        return { status, text: text.replaceAll(it.url, '').replace(/^(<updated>|DTSTAMP:).*$/gm, '$1') }
      }),
    )
    assert.deepEqual(full, bare, path)
    return full as { status: number; text: string }
  }

  const otherCallers = {
    nobody: (it: World) => it.nobody,
    stan: (it: World) => it.stan,
    'a member of editbugs': watcher,
  }

  for (const [place, [name, who]] of Object.entries(otherCallers).entries()) {
    it(`is the same report for ${name}, on every axis and in every pair of them`, async () => {
      for (const x of sampledOn(world.engine, AXES, 3, place)) {
        const { status } = await assertAlike(`/rest/report?x_axis_field=${x}`, who)
        assert.equal(status, 200)
        await assertAlike(`/rest/report?y_axis_field=${x}&z_axis_field=product&summary=marzipan`, who)
      }
    })

    it(`are the same possible duplicates for ${name}`, async () => {
      for (const query of ['summary=plain%20marzipan', 'summary=plain&limit=2', 'summary=thing%201&product=Product1'])
        assert.equal((await assertAlike(`/rest/bug/possible_duplicates?${query}`, who)).status, 200)
    })

    it(`is the same list for ${name} in every form`, async () => {
      const queries = ['limit=0', 'summary=marzipan', 'order=priority&limit=3', 'columnlist=all']
      const lists = ['csv', 'atom', 'ics', 'json'].flatMap((ctype) => queries.map((query) => `${query}&ctype=${ctype}`))
      for (const query of sampledOn(world.engine, lists, 3, place))
        assert.equal((await assertAlike(`/rest/bug?${query}`, who)).status, 200)
    })
  }

  itOnOneEngine(world, 'are the same series for a user who may see charts, with the same counts', async () => {
    for (const { ada } of pair) {
      const series = { category: 'Ours', subcategory: 'All', name: 'Marzipan', query: 'summary=marzipan', frequency: 1 }
      assert.equal((await ada.post('/rest/series', { ...series, is_public: true })).status, 201)
    }
    const log = { info: () => {}, error: (event: string) => assert.fail(event), flush: async () => {} }
    for (const { db, url } of pair)
      await collectSeries({ db, log, baseUrl: url, now: Date.parse('2030-01-01T00:00:00Z'), isEnding: () => false })
    const shown = async (it: World) => {
      const { body } = await watcher(it).get('/rest/series?exclude_fields=creation_time')
      const counts = body.series.map(async ({ id, ...rest }) => {
        const { data } = (await watcher(it).get(`/rest/series/${id}/data`)).body
        return { ...rest, data }
      })
      return Promise.all(counts)
    }
    const [full, bare] = await Promise.all(pair.map(shown))
    assert.deepEqual(full, bare)
    assert.ok(full?.some((it) => it.name === 'Marzipan' && it.data[0].bug_count === 1))
    assert.ok(full?.every((it) => it.data.length === 1))
  })
})
