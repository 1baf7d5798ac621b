import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { STANDARD_FIELDS } from '../../src/catalogue/fields/standard-fields.ts'
import { newFile } from '../support/attach.ts'
import { cast } from '../support/cast.ts'
import { changeBug } from '../support/change-bug.ts'
import { fileBug } from '../support/file-bug.ts'
import { setControl } from '../support/new-member.ts'
import { newHiddenProduct, newProduct } from '../support/new-product.ts'
import { sampled, sampledOn } from '../support/sample.ts'
import { ALL_OPERATORS } from '../support/search-questions.ts'
import { Twins } from '../support/twins.ts'
import { type Client, describeOnEachEngine, World } from '../support/world.ts'

/*
 * Two servers: on the full one there are hidden bugs, private comments and attachments, a hidden product, hours, and what others have
 * tagged and visited; on the bare one the same without them. Whatever those ask who may not know, both answer the same.
 */

const SECRET = 'marzipan'
const OPEN_BUGS = 4

describeOnEachEngine('a search by a user who may not see everything', (world) => {
  const twins = new Twins(world, new World(world.engine))
  const open: number[] = []
  const hidden: number[] = []
  before(async () => {
    await twins.bare.open()
    for (const it of [twins.full, twins.bare]) await prepare(it)
    for (let index = 0; index < OPEN_BUGS; index++) await fileOpenBug(index)
    for (let index = 0; index < 2; index++) await hideBug(index)
    await hideThingsOnOpenBugs()
    for (const it of [twins.full, twins.bare]) await dateAlike(it)
  })
  after(() => twins.bare.close())

  async function prepare(it: World) {
    const { name } = await newProduct(it, ['Core', 'UI'])
    assert.equal(name, 'Product1')
    await setControl(it, name, 'security', { membercontrol: 'Shown', othercontrol: 'NA' })
    await it.ada.put('/rest/parameters', { insidergroup: 'security', comment_taggers_group: 'security' })
    for (const [name, target_type] of [
      ['ask', 'bug'],
      ['look', 'attachment'],
    ])
      await made(it, '/rest/flag_type', { name, target_type, description: 'A flag', is_multiplicable: true })
    for (const name of ['visible', SECRET]) await made(it, '/rest/keyword', { name, description: 'A word' })
    for (const [name, type] of Object.entries({ cf_twin: 6, cf_note: 1, cf_count: 10 }))
      await made(it, '/rest/field/bug', { name, type, display_name: name, is_on_bug_entry: true })
  }

  async function made(it: World, path: string, body: object) {
    const { status, text } = await it.ada.post(path, body)
    assert.equal(status, 201, `${path} ${text}`)
  }

  async function fileOpenBug(index: number) {
    const ids: number[] = []
    const file = async ({ edna, rhea }: World) => {
      const filer = index % 2 === 0 ? edna : rhea
      const summary = `Plain thing ${index}`
      const more = {
        cc: [cast.sven.login, cast.edna.login],
        keywords: index % 2 === 0 ? ['visible'] : [],
        cf_count: index,
      }
      ids.push(await fileBug(filer, { product: 'Product1', component: 'Core', summary, ...more }))
    }
    await twins.happen(file, file)
    assert.equal(ids[0], ids[1])
    open.push(ids[0] as number)
  }

  /** A bug with the secret in all its fields, and as many ties to open bugs as there can be. */
  async function hideBug(index: number) {
    const [first = 0, second = 0] = open
    await twins.happen(async (full) => {
      const { sven, ada } = full
      const place = index === 0 ? { product: 'Product1', component: 'UI' } : await hiddenPlace(full)
      const id = await fileBug(sven, {
        ...place,
        summary: `${SECRET} ${SECRET}`,
        description: SECRET,
        url: `http://${SECRET}.test/`,
        whiteboard: SECRET,
        alias: [`${SECRET}-${index}`],
        keywords: [SECRET],
        priority: 'Highest',
        severity: 'blocker',
        op_sys: 'Linux',
        platform: 'PC',
        groups: ['security'],
        cc: [cast.pam.login],
        cf_note: SECRET,
        cf_count: 77,
        blocks: [first],
        see_also: [String(second)],
        flags: [{ name: 'ask', status: '?', requestee: cast.sven.login }],
      })
      hidden.push(id)
      await changeBug(sven, id, { whiteboard: `${SECRET} now`, deadline: '2020-02-02', estimated_time: 7 })
      await changeBug(sven, second, { see_also: { add: [String(id)] }, depends_on: { add: [id] }, cf_twin: id })
      const file = newFile({ summary: SECRET, file_name: `${SECRET}.txt`, comment: SECRET })
      assert.equal((await sven.post(`/rest/bug/${id}/attachment`, file)).status, 201)
      await changeBug(ada, id, index === 0 ? { dupe_of: first } : { status: 'IN_PROGRESS' })
    })
  }

  async function hiddenPlace(full: World) {
    const { name } = await newHiddenProduct(full, ['Core'])
    const part = { product: name, name: SECRET, description: 'A part', default_assignee: cast.sven.login }
    await made(full, '/rest/component', part)
    await made(full, `/rest/product/${name}/version`, { name: SECRET })
    await made(full, `/rest/product/${name}/milestone`, { name: SECRET })
    return { product: name, component: SECRET, version: SECRET, target_milestone: SECRET }
  }

  async function hideThingsOnOpenBugs() {
    const [first = 0, , third = 0, fourth = 0] = open
    const steps: ((full: World) => Promise<unknown>)[] = [
      async ({ sven }) => {
        const said = await sven.post(`/rest/bug/${third}/comment`, { comment: SECRET, is_private: true })
        await sven.put(`/rest/bug/comment/${said.body.id}/tags`, { add: [SECRET] })
      },
      async ({ sven }) => {
        const flags = [{ name: 'look', status: '?', requestee: cast.sven.login }]
        const file = newFile({
          summary: SECRET,
          file_name: `${SECRET}.txt`,
          content_type: 'image/png',
          is_private: true,
          is_patch: false,
          flags,
        })
        assert.equal((await sven.post(`/rest/bug/${fourth}/attachment`, file)).status, 201)
      },
      ({ sven }) => changeBug(sven, first, { estimated_time: 7, remaining_time: 3 }),
      ({ sven }) => sven.put(`/rest/bug/${third}/tags`, { add: [SECRET] }),
      ({ sven }) => sven.post(`/rest/bug_user_last_visit/${third}`),
    ]
    for (const step of steps) await twins.happen(step)
  }

  /** Every change of a bug, also a hidden one, sets its last change time, so both servers get the same time here. */
  async function dateAlike({ db }: World) {
    for (const [index, id] of open.entries())
      await db.query((q) =>
        q
          .updateTable('bugs')
          .set({ changed_at: `2001-02-0${index + 1}T00:00:00Z` })
          .where('id', '=', id),
      )
  }

  const FIELDS = [...STANDARD_FIELDS.map(({ name }) => name), 'cf_twin', 'cf_note', 'cf_count', 'dup_id']

  async function compare(name: 'stan' | 'rhea' | 'nobody', path: string): Promise<string[]> {
    const [full, bare] = [await responseTo(twins.full[name], path), await responseTo(twins.bare[name], path)]
    return full === bare ? [] : [`${path} by ${name}:\n  ${full}\n  ${bare}`]
  }

  async function responseTo(client: Client, path: string) {
    const { status, text } = await client.get(path)
    assert.ok(status < 500, `${path} ${text}`)
    return `${status} ${text.replaceAll(/127.0.0.1:\d+/g, 'server')}`
  }

  const readers = ['stan', 'rhea', 'nobody'] as const
  const SHOWN = 'include_fields=id,summary&with_total=1'

  for (const [index, field] of FIELDS.entries())
    it(`finds by ${field} what it would find without hidden things`, async () => {
      const values = [
        SECRET,
        `${hidden[0]}`,
        SECRET,
        '7',
        '1',
        SECRET,
        '2020-02-02',
        cast.sven.login,
        'security',
        '%user%',
      ]
      const wrong: string[] = []
      for (const [place, operator] of sampledOn(world.engine, [...ALL_OPERATORS.entries()], 30, index)) {
        const query = new URLSearchParams({
          f1: field,
          o1: operator,
          v1: anotherValue(operator, values, place + index),
        })
        const reader = readers[(index + Math.floor(place / 5)) % 3] ?? 'stan'
        wrong.push(...(await compare(reader, `/rest/bug?${query}&${SHOWN}`)))
      }
      assert.deepEqual(wrong, [])
    })

  function anotherValue(operator: string, values: readonly string[], place: number) {
    if (operator === 'changedbefore' || operator === 'changedafter') return '2001-01-01 00:20'
    return operator === 'changedby' ? cast.sven.login : (values[place % values.length] ?? SECRET)
  }

  it('finds more for those who may see more, so that there is something to hide', async () => {
    const wanted = [
      `f1=short_desc&o1=substring&v1=${SECRET}`,
      'f1=bug_id&o1=greaterthan&v1=0',
      `f1=content&o1=matches&v1=${SECRET}`,
    ]
    const things = [
      'longdesc',
      'comment_tag',
      'tag',
      'attachments.description',
      'keywords',
      'alias',
      'component',
      'version',
    ]
    for (const context of [
      ...wanted,
      ...things.map((field) => `f1=${field}&o1=substring&v1=${SECRET}`),
      'f1=estimated_time&o1=equals&v1=7',
    ]) {
      const [full, bare] = [
        await responseTo(twins.full.sven, `/rest/bug?${context}&${SHOWN}`),
        await responseTo(twins.bare.sven, `/rest/bug?${context}&${SHOWN}`),
      ]
      assert.notEqual(full, bare, context)
    }
  })

  it('orders as it would without hidden things', async () => {
    const wrong: string[] = []
    const fields = [...FIELDS, 'opendate', 'changeddate', 'actual_time', 'relevance', 'short_short_desc']
    for (const [index, field] of sampledOn(world.engine, [...fields.entries()], 2))
      for (const wanted of sampled(['', ' DESC&limit=2&offset=1', '&limit=3'], 3, Math.floor(index / 2)))
        wrong.push(...(await compare(readers[index % 3] ?? 'stan', `/rest/bug?order=${field}${wanted}&${SHOWN}`)))
    assert.deepEqual(wrong, [])
  })

  it('in one line, by parameters and by what was changed is answered as without hidden things', async () => {
    const [id = 0] = hidden
    const login = encodeURIComponent(cast.sven.login)
    const paths = [
      ...[
        SECRET,
        `ALL ${SECRET}`,
        `ALL -${SECRET}`,
        `${id}`,
        `ALL comment:${SECRET}`,
        `ALL content:${SECRET}`,
        `:${SECRET}`,
        'ask?sven',
        `ALL @sven`,
        `!${SECRET}`,
        'ALL group:security',
        `ALL dependson=${id}`,
        `ALL attachdesc:${SECRET}`,
        'ALL est>1',
      ].map((line) => `quicksearch=${encodeURIComponent(line)}`),
      `id=${id}`,
      `alias=${SECRET}-0`,
      `product=Product2`,
      `component=${SECRET}`,
      `version=${SECRET}`,
      `target_milestone=${SECRET}`,
      `summary=${SECRET}`,
      `whiteboard=${SECRET}`,
      `keywords=${SECRET}`,
      `tags=${SECRET}`,
      `url=http://${SECRET}.test/`,
      `longdesc=${SECRET}`,
      `content=${SECRET}`,
      `content=${SECRET}&order=relevance`,
      `content=thing&order=relevance`,
      `groups=security`,
      `dupe_of=${open[0]}`,
      `assigned_to=${login}`,
      `email1=${login}&emailassigned_to1=1&emaillongdesc1=1&emailcc1=1&emailreporter1=1`,
      `email1=sven&emailtype1=substring&emaillongdesc1=1`,
      `chfield=estimated_time`,
      `chfield=see_also&chfieldfrom=2001-01-01`,
      `chfield=dependson&chfieldfrom=2001-01-01`,
      `chfield=longdesc&chfieldfrom=2001-01-01`,
      `chfieldfrom=2001-01-01`,
      `deadlinefrom=2020-01-01`,
      `estimated_time=7`,
    ]
    const wrong: string[] = []
    const forms = [...readers.map((reader) => ({ reader, more: SHOWN })), { reader: readers[0], more: 'count_only=1' }]
    for (const [place, path] of paths.entries())
      for (const { reader, more } of sampledOn(world.engine, forms, 4, place))
        wrong.push(...(await compare(reader, `/rest/bug?${path}&${more}`)))
    assert.deepEqual(wrong, [])
  })

  it('counts on axes and finds duplicates as it would without hidden things', async () => {
    const wrong: string[] = []
    const axes = [
      'product',
      'component',
      'version',
      'bug_status',
      'resolution',
      'assigned_to',
      'reporter',
      'keywords',
      'priority',
      'target_milestone',
      'cf_twin',
      'estimated_time',
      'classification',
    ]
    for (const [index, axis] of axes.entries())
      for (const more of sampledOn(
        world.engine,
        ['', `&y_axis_field=${axes[(index + 1) % axes.length]}&z_axis_field=bug_severity`],
        2,
        index,
      ))
        wrong.push(...(await compare(readers[index % 3] ?? 'stan', `/rest/report?x_axis_field=${axis}${more}`)))
    for (const path of [`summary=${SECRET}+thing`, `id=${open[0]}`, `summary=thing&product=Product2`])
      for (const reader of readers) wrong.push(...(await compare(reader, `/rest/bug/possible_duplicates?${path}`)))
    assert.deepEqual(wrong, [])
  })
})
