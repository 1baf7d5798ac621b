import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { countQueries } from '../support/count-queries.ts'
import { fileBug } from '../support/file-bug.ts'
import { sampled, sampledOn, sampledOnPostgres } from '../support/sample.ts'
import { type Client, describeOnEachEngine } from '../support/world.ts'

const words = (count: number) => Array.from({ length: count }, (_, number) => `word${number}`)

/** Rows of the search form, numbered. */
function rows(count: number, row: (number: number) => Record<string, string>): Record<string, string> {
  const all = Array.from({ length: count }, (_, number) =>
    Object.entries(row(number)).map(([name, value]) => [`${name}${number}`, value]),
  )
  return Object.fromEntries(all.flat())
}

function search(client: Client, params: Record<string, string>) {
  return client.get(`/rest/bug?include_fields=id&${new URLSearchParams(params)}`)
}

/** A hundred different words of fifty characters. */
function longWords(row: number): string[] {
  return words(100).map((word) => `${row}${word}`.padEnd(50, 'abcdefghij'))
}

const SERIES = { category: 'Large', subcategory: 'Searches', frequency: 1 }

const WORD_OPERATORS = ['anywords', 'allwords', 'nowords', 'anywordssubstr', 'allwordssubstr', 'nowordssubstr']
const FIELDS = ['short_desc', 'longdesc', 'status_whiteboard', 'bug_file_loc', 'cc', 'keywords', 'product', 'alias']

describeOnEachEngine('a large search', (world) => {
  let id = 0
  before(async () => {
    id = await fileBug(world.rhea, { summary: 'word1 and word7', description: 'word3 and nothing else' })
    await fileBug(world.rhea, { summary: 'Another bug' })
  })

  for (const [place, operator] of sampledOnPostgres(world.engine, [...WORD_OPERATORS.entries()], 3))
    it(`has at most 100 words in one criterion: ${operator}`, async () => {
      const fields = [...FIELDS, 'bug_status', 'assigned_to', 'flagtypes.name']
      for (const field of sampledOn(world.engine, fields, fields.length, place)) {
        const most = await search(world.stan, { f1: field, o1: operator, v1: words(100).join(' ') })
        assert.equal(most.status, 200, `${field} ${most.text}`)
        for (const count of sampled([101, 500, 1100, 3000], 3, 0)) {
          const { status, body } = await search(world.stan, { f1: field, o1: operator, v1: words(count).join(',') })
          assert.deepEqual([status, body.code], [400, 32000])
          assert.equal(body.message, 'The search is too large: it can have at most 100 words in one criterion.')
        }
      }
    })

  it('has at most 500 words in all criteria together', async () => {
    const of = (count: number) => rows(count, () => ({ f: 'short_desc', o: 'anywordssubstr', v: words(100).join(' ') }))
    assert.deepEqual((await search(world.stan, of(5))).body.bugs, [{ id }])
    const { status, body } = await search(world.stan, of(6))
    assert.deepEqual([status, body.code], [400, 32000])
    assert.match(body.message, /at most 500 words in all criteria together/)
    assert.equal((await world.stan.get(`/rest/bug?count_only=1&${new URLSearchParams(of(6))}`)).body.code, 32000)
    const report = `/rest/report?x_axis_field=product&${new URLSearchParams(of(6))}`
    assert.equal((await world.stan.get(report)).body.code, 32000)
  })

  it('is refused before anything is looked up for it, whatever it is for', async () => {
    const queries = (path: string, status: number) =>
      countQueries(world, async () => assert.equal((await world.ada.get(path)).status, status, path))
    const unknown = await queries('/rest/bug?f1=short_desc&o1=unknown&v1=x', 400)
    const large = `short_desc=${words(101).join('+')}`
    const paths = ['bug?', 'bug?count_only=1&', 'bug?with_total=1&', 'bug?explain=1&', 'report?x_axis_field=product&']
    for (const path of paths) assert.equal(await queries(`/rest/${path}${large}`, 400), unknown, path)
    const named = { name: world.unique('large'), query: large }
    const series = await world.ada.post('/rest/series', { ...SERIES, ...named })
    assert.deepEqual([series.status, series.body.code], [400, 32000], series.text)
    assert.equal((await world.ada.post('/rest/saved_search', named)).status, 201)
    const found = await world.ada.get(`/rest/bug?count_only=1&savedsearch=${named.name}`)
    assert.match(found.body.message, /at most 100 words in one criterion/)
  })

  it('has at most 100 words of full text', async () => {
    const of = (count: number) => ({ f1: 'content', o1: 'matches', v1: words(count).join(' ') })
    assert.equal((await search(world.stan, of(100))).status, 200)
    for (const more of [{}, { o1: 'notmatches' }])
      assert.match(
        (await search(world.stan, { ...of(101), ...more })).body.message,
        /at most 100 words in one criterion/,
      )
  })

  it('has at most 10,000 characters in a quicksearch, unless it is a list of numbers', async () => {
    const { body } = await search(world.stan, { quicksearch: words(2000).join(' ') })
    assert.equal(body.message, 'The search is too large: it can have at most 10000 characters in a quicksearch.')
    assert.deepEqual(body.values, { limit: 'quicksearch_characters', most: 10_000 })
    const ids = Array.from({ length: 3000 }, () => id).join(' ')
    assert.deepEqual((await search(world.stan, { quicksearch: ids })).body.bugs, [{ id }])
  })

  it('compares few pieces of its texts, however many and long they are', async () => {
    const long = rows(5, (row) => ({ f: 'short_desc', o: 'anywordssubstr', v: longWords(row).join(' ') }))
    const queries = await countQueries(world, () => search(world.stan, long))
    assert.ok(queries < 30, `it makes ${queries} queries`)
  })

  it('has at most 300 criteria', async () => {
    const all = ['AND', 'OR'].flatMap((joiner) =>
      (
        [
          ['longdesc', 'substring'],
          ['alias', 'notsubstring'],
          ['short_desc', 'substring'],
          ['content', 'matches'],
          ['keywords', 'equals'],
        ] as const
      ).map(([field, operator]) => ({ joiner, field, operator })),
    )
    for (const { joiner, field, operator } of sampledOn(world.engine, all, 4)) {
      const of = (count: number) => ({
        j_top: joiner,
        ...rows(count, (number) => ({ f: field, o: operator, v: `word${number}` })),
      })
      const { status, text } = await search(world.ada, of(300))
      assert.equal(status, 200, `${field} ${text}`)
      assert.match((await search(world.ada, of(301))).body.message, /at most 300 criteria/)
    }
  })

  it('finds the same by many criteria as by few', async () => {
    const any = rows(200, (number) => ({ f: 'longdesc', o: 'anywords', v: `word${number}` }))
    assert.deepEqual((await search(world.stan, { j_top: 'OR', ...any })).body.bugs, [{ id }])
    const none = rows(200, (number) => ({ f: 'longdesc', o: 'nowords', v: `other${number}` }))
    const found = await search(world.stan, { short_desc: 'word7', ...none })
    assert.deepEqual(found.body.bugs, [{ id }])
  })

  it('has at most 50 regular expressions', async () => {
    const of = (count: number) => ({
      j_top: 'OR',
      ...rows(count, (number) => ({ f: 'short_desc', o: 'regexp', v: `word${number}( |$)` })),
    })
    assert.deepEqual((await search(world.stan, of(50))).body.bugs, [{ id }])
    const { status, body } = await search(world.stan, of(51))
    assert.deepEqual([status, body.code], [400, 32000])
    assert.match(body.message, /at most 50 regular expressions/)
    const broken = await search(world.stan, { f1: 'short_desc', o1: 'notregexp', v1: '(' })
    assert.deepEqual([broken.status, broken.body.code], [400, 53], broken.text)
  })

  it('has at most 50 brackets inside each other', async () => {
    const nested = (depth: number) => ({
      ...rows(depth, (number) => ({ f: 'OP', n: '1', j: number % 2 === 0 ? 'OR' : 'AND' })),
      [`f${depth}`]: 'short_desc',
      [`o${depth}`]: 'substring',
      [`v${depth}`]: 'word1',
    })
    assert.deepEqual((await search(world.stan, nested(50))).body.bugs, [{ id }])
    for (const depth of [51, 600])
      assert.match((await search(world.stan, nested(depth))).body.message, /at most 50 brackets inside each other/)
  })

  it('has at most 20 columns to sort by, each of which counts once', async () => {
    const columns = ['priority', 'bug_severity', 'assigned_to', 'cc', 'keywords', 'short_desc', 'alias']
    const order = Array.from({ length: 700 }, (_, number) => columns[number % columns.length]).join(',')
    assert.equal((await search(world.stan, { short_desc: 'word1', order })).status, 200)
    const different = words(21).join(',')
    const { status, body } = await search(world.stan, { short_desc: 'word1', order: different })
    assert.deepEqual([status, body.code], [400, 32000])
    assert.match(body.message, /at most 20 columns to sort by/)
  })

  it('may have any number of values to choose from, and of bugs to leave out', async () => {
    const ids = Array.from({ length: 4000 }, (_, number) => String(number + 2000))
    for (const [field, values] of [
      ['short_desc', words(3000)],
      ['longdesc', words(3000)],
      ['cc', words(3000)],
      ['bug_status', words(3000)],
      ['bug_id', ids],
    ] as const)
      assert.equal((await search(world.stan, { f1: field, o1: 'anyexact', v1: values.join(',') })).status, 200)
    const leftOut = { short_desc: 'word1', bug_id: ids.join(','), bug_id_type: 'nowords' }
    assert.deepEqual((await search(world.stan, leftOut)).body.bugs, [{ id }])
    const all = { short_desc: 'word1', bug_id: [...ids, id].join(','), bug_id_type: 'nowords' }
    assert.deepEqual((await search(world.stan, all)).body.bugs, [])
    assert.deepEqual((await search(world.stan, { bug_id: `${id} 1`, bug_id_type: 'anywords' })).body.bugs, [{ id }])
  })

  it('is refused as quicksearch, too', async () => {
    for (const line of [words(400).join(' '), words(400).join('|'), `summary:${words(400).join(',')}`]) {
      const { status, body } = await search(world.stan, { quicksearch: line })
      assert.deepEqual([status, body.code], [400, 32000], line.slice(0, 40))
    }
  })
})
