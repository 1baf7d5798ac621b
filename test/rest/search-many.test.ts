import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { insertWords } from '../../src/platform/database/insert-rows.ts'
import { placeOf, SUMMARY_PLACE, wordsInSummary } from '../../src/platform/text/words.ts'
import { indexNewSummary } from '../../src/search/text/word-store.ts'
import { fileBug } from '../support/file-bug.ts'
import { sampledOn } from '../support/sample.ts'
import { describeOnEachEngine, type World } from '../support/world.ts'

/** So many that lists of them are read piece by piece. */
const BUGS = 6000
/** The newest, of whose words some still wait on SQLite. */
const ONE_BY_ONE = 100

interface Made {
  id: number
  summary: string
  changed: string
}

interface Explanation {
  plans: { strategy: string }[]
  statements: { sql: string; plan: string[] }[]
}

/** The words of a summary are given by its number, so that words and parts of words are in some of them and not in others. */
function summaryOf(number: number) {
  const burrow = number % 2 === 0 ? ' burrows' : ''
  const tunnel = number % 5 < 2 ? ' tunnelling' : ''
  const late = number > 5500 ? ' latecomer' : ''
  return `Marmot ${number}${burrow}${tunnel}${late}`
}

/** Several bugs are changed at the same time. */
function changeOf(number: number) {
  return new Date(Date.UTC(2026, 0, 1, 0, (number * 7919) % 1000)).toISOString().replace('.000', '')
}

describeOnEachEngine('a search among many bugs', (world) => {
  let made: Made[]
  before(async () => {
    made = await makeMany(world)
  })

  const cases: Record<string, [query: string, isFound: (summary: string) => boolean]> = {
    'a part of the summary': ['summary=urrow', (it) => it.includes('urrow')],
    'two parts of the summary': [
      'f1=short_desc&o1=substring&v1=urrow&f2=short_desc&o2=substring&v2=unnel',
      (it) => it.includes('urrow') && it.includes('unnel'),
    ],
    'one of two parts': [
      'f1=short_desc&o1=anywordssubstr&v1=urrow%20unnel&f2=short_desc&o2=substring&v2=armot',
      (it) => it.includes('urrow') || it.includes('unnel'),
    ],
    'two words': ['f1=content&o1=matches&v1=burrow%20tunnel', (it) => it.includes('burrow') && it.includes('tunnel')],
    'a word without another': [
      'f1=content&o1=matches&v1=burrow%20-tunnel',
      (it) => it.includes('burrow') && !it.includes('tunnel'),
    ],
    'one line of two words': ['quicksearch=burrow%20tunnel', (it) => it.includes('burrow') && it.includes('tunnel')],
    'words that only the last ones have together': [
      'quicksearch=burrow%20latecom',
      (it) => it.includes('burrow') && it.includes('latecom'),
    ],
  }

  for (const [place, [name, [query, isFound]]] of Object.entries(cases).entries())
    it(`finds ${name}, in order and page by page`, async () => {
      const ids = made.filter(({ summary }) => isFound(summary)).map(({ id }) => id)
      const directions = [
        ['bug_id', ids],
        ['bug_id%20DESC', ids.toReversed()],
      ] as const
      for (const [order, all] of sampledOn(world.engine, directions, 2, place)) {
        const path = `/rest/bug?${query}&order=${order}&include_fields=id&limit=20` as const
        const first = await read(path)
        assert.deepEqual(first.ids, all.slice(0, 20))
        const second = await read(`${path}&cursor=${encodeURIComponent(String(first.next_cursor))}`)
        assert.deepEqual(second.ids, all.slice(20, 40))
        assert.deepEqual((await read(`${path}&offset=150`)).ids, all.slice(150, 170))
        assert.deepEqual((await read(`${path}&offset=${all.length - 5}`)).ids, all.slice(-5))
      }
    })

  it('tests the first candidates in the order of changes, and all of them only if those do not fill the page', async () => {
    const last = (made.toSorted(byChange).at(-40) as Made).changed
    for (const [query, isFound, strategies] of [
      ['', () => true, ['by_texts', 'first_candidates']],
      [
        `&f1=delta_ts&o1=lessthaneq&v1=${last}`,
        ({ changed }: Made) => changed <= last,
        ['first_candidates', 'all_matches'],
      ],
    ] as const) {
      const path =
        `/rest/bug?f2=short_desc&o2=anywordssubstr&v2=armot%20urrow%20unnel${query}&order=changeddate%20DESC&include_fields=id&limit=20` as const
      const ids = made
        .filter(isFound)
        .toSorted(byChange)
        .map(({ id }) => id)
      const first = await read(path)
      assert.deepEqual(first.ids, ids.slice(0, 20))
      assert.deepEqual((await read(`${path}&offset=15`)).ids, ids.slice(15, 35))
      const second = await read(`${path}&cursor=${encodeURIComponent(String(first.next_cursor))}`)
      assert.deepEqual(second.ids, ids.slice(20, 40))
      const { body } = await world.ada.get(`${path}&explain=1`)
      const used = body.explanation.plans.map(({ strategy }) => strategy)
      // PostgreSQL reads in order by itself.
      const onPostgres = strategies.filter((strategy) => strategy === 'by_texts')
      assert.deepEqual(used, world.engine === 'sqlite' ? strategies : [...onPostgres, 'all_matches'])
    }
  })

  it('tests the first bugs for words one by one, without reading all places of a common word', async () => {
    const path = '/rest/bug?quicksearch=ALL%20burrow&order=changeddate%20DESC&include_fields=id&limit=6'
    const { body } = await world.ada.get(`${path}&explain=1`)
    const { plans, statements } = body.explanation as Explanation
    const found = made.filter(({ summary }) => summary.includes('burrow')).toSorted(byChange)
    assert.deepEqual(
      (await read(path)).ids,
      found.slice(0, 6).map(({ id }) => id),
    )
    if (world.engine === 'sqlite') return
    assert.deepEqual(
      plans.map(({ strategy }) => strategy),
      ['by_texts', 'first_bugs'],
    )
    const tested = statements.filter(({ sql }) => sql.includes('near.words')).flatMap(({ plan }) => plan)
    assert.match(tested.join('\n'), /bug_words_pkey/)
    assert.doesNotMatch(tested.join('\n'), /bug_words_index/)
  })

  it('lists the bugs of a product by its columns, and gives up where too many would be tested', async () => {
    const newest = made.toReversed().map(({ id }) => id)
    const path = '/rest/bug?product=TestProduct&order=bug_id%20DESC&include_fields=id&limit=20'
    assert.deepEqual((await read(path)).ids, newest.slice(0, 20))
    assert.deepEqual((await read(`${path}&bug_status=__open__`)).ids, newest.slice(0, 20))
    assert.deepEqual((await read(`${path}&bug_status=__closed__`)).ids, [])
    const strategies = async (query: string) =>
      (await world.ada.get(`${path}${query}&explain=1`)).body.explanation.plans.map(({ strategy }) => strategy)
    assert.deepEqual(await strategies('&bug_status=__open__'), ['by_columns'])
    const others = world.engine === 'sqlite' ? ['first_bugs', 'all_matches'] : []
    assert.deepEqual(await strategies('&bug_status=__closed__'), ['by_columns', ...others])
  })

  it('finds the changes of a field whether it has few of them or many', async () => {
    const [first, second, third, other] = [10, 2000, 5990, 3000].map((number) => made[number]?.id as number)
    const changesOf = (id: number | undefined, removed: string, added: string, times = 1) =>
      Array.from({ length: times }, () => `(${id}, 1, '2026-01-05T00:00:00Z', 'priority', '${removed}', '${added}')`)
    const insert = (rows: string[]) =>
      world.db.script(`insert into bug_changes (bug_id, user_id, at, field, removed, added) values ${rows.join()}`)
    await insert([
      ...changesOf(first, 'Low', 'High'),
      ...changesOf(second, 'High', 'Low'),
      ...changesOf(third, '---', 'High'),
    ])
    const path = '/rest/bug?include_fields=id&order=bug_id&limit=20&f1=priority'
    const find = async (query: string) => (await read(`${path}&${query}`)).ids
    const findAll = () =>
      Promise.all(
        [
          'o1=everchanged',
          'o1=changedto&v1=High',
          'o1=changedfrom&v1=high',
          'o1=changedbefore&v1=2026-01-06',
          'o1=changedbefore&v1=2026-01-04',
          `n1=1&o1=everchanged&f2=bug_id&o2=lessthaneq&v2=${made[10]?.id}`,
        ].map(find),
      )
    const untouched = made.slice(0, 10).map(({ id }) => id)
    const withoutChanges = [(made[0]?.id as number) - 1, ...untouched]
    const few = [first, second, third]
    assert.deepEqual(await findAll(), [few, [first, third], [second], few, [], withoutChanges])
    const { body } = await world.ada.get(`${path}&o1=everchanged&explain=1`)
    assert.deepEqual(
      body.explanation.plans.map(({ strategy }) => strategy),
      ['all_matches'],
    )
    await insert(changesOf(other, 'Lowest', 'Normal', 1100))
    const many = [first, second, other, third]
    assert.deepEqual(await findAll(), [many, [first, third], [second], many, [], withoutChanges])
  })

  async function read(path: `/rest/bug?${string}`) {
    const { status, body, text } = await world.ada.get(path)
    assert.equal(status, 200, text)
    const { bugs, next_cursor } = body
    return { ids: bugs.map(({ id }) => id), next_cursor }
  }
})

/** The last change first, and the lower id among equals. */
function byChange(one: Made, other: Made) {
  return one.changed === other.changed ? one.id - other.id : one.changed < other.changed ? 1 : -1
}

async function makeMany({ db, rhea }: World): Promise<Made[]> {
  const id = await fileBug(rhea, { summary: 'The first of many' })
  const [row] = await db.query((q) => q.selectFrom('bugs').selectAll().where('id', '=', id))
  const copied = Object.keys(row ?? {}).filter(
    (column) => !['id', 'summary', 'summary_key', 'changed_at'].includes(column),
  )
  const made = Array.from({ length: BUGS }, (_, number) => ({
    id: id + 1 + number,
    summary: summaryOf(number),
    changed: changeOf(number),
  }))
  const values = made.map((bug) => `(${bug.id}, '${bug.summary}', '${bug.summary.toLowerCase()}', '${bug.changed}')`)
  await db.script(`insert into bugs (id, summary, summary_key, changed_at, ${copied.join()})
    select given.column1, given.column2, given.column3, given.column4, ${copied.map((column) => `first.${column}`).join()}
    from (values ${values.join()}) as given cross join bugs as first where first.id = ${id}`)
  await db.transaction(async (tx) => {
    const rows = made.map((bug) => ({ place: placeOf(bug.id, SUMMARY_PLACE), words: wordsInSummary(bug.summary) }))
    await insertWords(tx, 'bug_words', rows.slice(0, -ONE_BY_ONE))
    for (const bug of made.slice(-ONE_BY_ONE)) await indexNewSummary(tx, bug.id, bug.summary)
  })
  return made
}
