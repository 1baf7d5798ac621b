import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import fc from 'fast-check'
import type { Criterion, Query } from '../../src/search/parsing/query.ts'
import { anyText } from '../support/any-text.ts'
import { readFacts } from '../support/bug-facts.ts'
import { cast } from '../support/cast.ts'
import { inOneWorld } from '../support/one-world.ts'
import { randomCases, sampled, sampledOn } from '../support/sample.ts'
import { type Asker, answersTo, refusalOf, SEARCHED_FIELDS } from '../support/search-evaluator.ts'
import { ALL_OPERATORS, chartOf, criteriaFor } from '../support/search-questions.ts'
import { fillWithBugs } from '../support/searched-bugs.ts'
import type { Client, Reply, World } from '../support/world.ts'

const describeTogether = inOneWorld()

const filled = new WeakMap<World, Promise<number[]>>()

/** No test here changes the bugs, so both suites search the same. */
function bugsIn(world: World): Promise<number[]> {
  const bugs = filled.get(world) ?? fillWithBugs(world)
  filled.set(world, bugs)
  return bugs
}

const known = new WeakMap<Client, ReturnType<typeof readFacts>>()

/** What this reader sees of the bugs, read once. */
function factsFor(world: World, reader: Client, ids: readonly number[]) {
  const facts = known.get(reader) ?? readFacts(world, reader, ids)
  known.set(reader, facts)
  return facts
}

describeTogether('every operator of a search', (world) => {
  /** The callers: an insider who tracks time, a user who only tracks time, and an anonymous caller. */
  const askers: Searcher[] = []
  let ids: number[] = []
  before(async () => {
    ids = await bugsIn(world)
    for (const name of ['sven', 'edna', 'stan', 'nobody'] as const) {
      const client = world[name]
      const login = name === 'nobody' ? null : cast[name].login
      const rights = { isInsider: name === 'sven', isTimeTracker: name === 'sven' || name === 'edna' }
      askers.push({ client, asker: { login, ...rights, facts: await factsFor(world, client, ids), now: Date.now() } })
    }
  })

  for (const [place, field] of [...Object.keys(SEARCHED_FIELDS), 'content'].entries())
    it(`finds by ${field} what can be read there, and refuses what makes no sense`, async () => {
      const [insider, ...others] = askers as [Searcher, ...Searcher[]]
      const wrong: string[] = []
      for (const [index, operator] of sampledOn(world.engine, [...ALL_OPERATORS.entries()], 14, place)) {
        const criteria = criteriaFor(field, operator, insider.asker.facts)
        // Every user asks something, and the user who sees most asks more; which values they ask for differs from field to field.
        const pick = (turn: number) => criteria[(place + turn) % criteria.length] as Criterion
        const other = others[(place + index + Math.floor(index / 3)) % others.length] as Searcher
        wrong.push(...(await differences(insider, pick(0))))
        if ((place + index) % 2 === 0) wrong.push(...(await differences(other, pick(1))))
      }
      assert.deepEqual(wrong, [])
    })

  it('finds people by no more of their addresses than anonymous callers are shown', async () => {
    const fields = [
      'assigned_to',
      'reporter',
      'qa_contact',
      'cc',
      'commenter',
      'setters.login_name',
      'requestees.login_name',
      'attachments.submitter',
    ]
    await world.withParameters({ webservice_email_filter: true }, async () => {
      const facts = await readFacts(world, world.nobody, ids)
      const otherUser = {
        client: world.nobody,
        asker: { login: null, isInsider: false, isTimeTracker: false, facts, now: Date.now() },
      }
      const wrong: string[] = []
      const operators = ALL_OPERATORS.filter((it) => !/matches|changed(by|before|after)|everchanged/.test(it))
      for (const [place, field] of fields.entries())
        for (const [index, operator] of sampledOn(world.engine, [...operators.entries()], 12, place))
          for (const value of sampled(['lacewing', cast.stan.login, 'stan', 'edna'], 4, place + Math.floor(index / 2)))
            wrong.push(...(await differences(otherUser, { field, operator, value })))
      assert.deepEqual(wrong, [])
    })
  })
})

interface Searcher {
  client: Client
  asker: Asker
}

async function differences({ client, asker }: Searcher, criterion: Criterion): Promise<string[]> {
  const { status, body, text } = await client.get(`/rest/bug?${chartOf(criterion)}`)
  const answered = status === 200 ? `${body.bugs.map(({ id }) => id)}` : `${body.code ?? text}`
  const refusal = refusalOf(criterion, asker)
  const expected = refusal === undefined ? `${answersTo(criterion, asker)}` : `${refusal}`
  if (answered === expected) return []
  return [`${criterion.field} ${criterion.operator} ${criterion.value} by ${asker.login}: ${answered}, not ${expected}`]
}

describeTogether('any search', (world) => {
  const askers: { client: Client; asker: Asker; criteria: Criterion[] }[] = []
  before(async () => {
    const ids = await bugsIn(world)
    for (const name of ['sven', 'edna', 'stan'] as const) {
      const client = world[name]
      const rights = { isInsider: name === 'sven', isTimeTracker: name !== 'stan' }
      const facts = await factsFor(world, client, ids)
      const asker = { login: cast[name].login, ...rights, facts, now: Date.now() }
      const all = Object.keys(SEARCHED_FIELDS).flatMap((field) =>
        ALL_OPERATORS.flatMap((operator) => criteriaFor(field, operator, facts)),
      )
      askers.push({ client, asker, criteria: all.filter((it) => refusalOf(it, asker) === undefined) })
    }
  })

  const place = fc.nat({ max: 1_000_000 })
  /** Where a criterion stands in the list of all that make sense, since that list is made when there are bugs. */
  const shape = fc.letrec<{ shape: Shape }>((tie) => ({
    shape: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.record({ at: place }),
      fc.record({ all: fc.array(tie('shape'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ any: fc.array(tie('shape'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ not: tie('shape') }),
    ),
  })).shape

  it('with brackets and negations finds what it asks for', async () => {
    await fc.assert(
      fc.asyncProperty(shape, fc.nat({ max: 2 }), async (shape, number) => {
        const { client, asker, criteria } = askers[number] as (typeof askers)[number]
        const query = queryOf(shape, criteria)
        const reply = await client.get(`/rest/bug?${chartOf(query)}`)
        assert.deepEqual(idsIn(reply), answersTo(query, asker))
      }),
      { numRuns: randomCases(25) },
    )
  })

  it('with everything about one item finds what it asks for', async () => {
    // The search form joins so only lines about one field; quicksearch joins a flag and whom it is asked of.
    const fields = [
      'longdesc',
      'attachments.description',
      'attachments.filename',
      'flagtypes.name',
      'cc',
      'keywords',
      'cf_many',
    ]
    const changed = [
      'bug_status',
      'priority',
      'status_whiteboard',
      'bug_severity',
      'cf_other',
      'flagtypes.name',
      'longdesc',
    ]
    const question = fc.oneof(
      fc.record({ field: fc.constantFrom(...fields), isChange: fc.constant(false) }),
      fc.record({ field: fc.constantFrom(...changed), isChange: fc.constant(true) }),
    )
    await fc.assert(
      fc.asyncProperty(
        question,
        fc.array(place, { minLength: 2, maxLength: 3 }),
        async ({ field, isChange }, places) => {
          const { client, asker, criteria } = askers[0] as (typeof askers)[number]
          const among = criteria.filter((it) => it.field === field && /changed/.test(it.operator) === isChange)
          const query = { sameItem: places.map((at) => among[at % among.length] as Criterion) }
          assert.deepEqual(idsIn(await client.get(`/rest/bug?${chartOf(query)}`)), answersTo(query, asker))
        },
      ),
      { numRuns: randomCases(13) },
    )
  })

  it('in one line finds what it asks for', async () => {
    await fc.assert(
      fc.asyncProperty(quickLine, fc.nat({ max: 2 }), async ({ line, query }, number) => {
        const { client, asker } = askers[number] as (typeof askers)[number]
        const reply = await client.get(`/rest/bug?include_fields=id&quicksearch=${encodeURIComponent(line)}`)
        assert.deepEqual(idsIn(reply), answersTo(query, asker))
      }),
      { numRuns: randomCases(19) },
    )
  })

  it('of random text is answered or refused, in time', async () => {
    const piece = fc.oneof(
      fc.constantFrom('!=', ...' "\'\\|,-:=<>?#@[!(%_*+'),
      fc.constantFrom(
        'AND',
        'OR',
        'NOT',
        'ALL',
        'OPEN',
        'P1',
        'summary',
        'stat',
        'flag',
        'created',
        'content',
        '12',
        'ß',
        '💡',
        '%user%',
        '-2w',
      ),
      anyText({ maxLength: 8 }),
    )
    const words = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(''))
    const field = fc.oneof(
      fc.constantFrom(...Object.keys(SEARCHED_FIELDS), 'content', 'owner_idle_time', 'OP', 'CP'),
      words,
    )
    const operator = fc.oneof(fc.constantFrom(...ALL_OPERATORS), words)
    await fc.assert(
      fc.asyncProperty(words, field, operator, words, async (line, field, operator, value) => {
        await assertAnswered(world.stan, new URLSearchParams({ quicksearch: line }))
        await assertAnswered(world.sven, new URLSearchParams({ f1: field, o1: operator, v1: value, order: line }))
        await assertAnswered(
          world.nobody,
          new URLSearchParams({ [field]: value, [`${field}_type`]: operator, [line]: value }),
        )
      }),
      { numRuns: randomCases(8) },
    )
  })

  it('of names and values that are given as regular expressions without end takes no longer', async () => {
    const patterns = [
      '(a+)+$',
      '(.*)*x',
      '(a|aa)+$',
      `${'a?'.repeat(500)}${'a'.repeat(500)}`,
      '(a{1000}){1000}',
      '[',
      '\\',
      '(?=a)',
      '(?<a>b)\\1',
    ]
    const fields = ['short_desc', 'longdesc', 'cc', 'attach_data.thedata', 'bug_id', 'creation_ts']
    for (const [place, pattern] of patterns.entries())
      for (const field of sampledOn(world.engine, fields, 6, place))
        await assertAnswered(world.sven, new URLSearchParams({ f1: field, o1: 'regexp', v1: pattern }))
  })
})

type Shape = { at: number } | { all: Shape[] } | { any: Shape[] } | { not: Shape }

function queryOf(shape: Shape, criteria: readonly Criterion[]): Query {
  if ('all' in shape) return { all: shape.all.map((it) => queryOf(it, criteria)) }
  if ('any' in shape) return { any: shape.any.map((it) => queryOf(it, criteria)) }
  if ('not' in shape) return { not: queryOf(shape.not, criteria) }
  return criteria[shape.at % criteria.length] as Criterion
}

function idsIn({ status, body, text }: Reply<{ bugs: readonly { id: number }[] }>): number[] {
  assert.equal(status, 200, text.slice(0, 500))
  return body.bugs.map(({ id }) => id)
}

async function assertAnswered(client: Client, params: URLSearchParams) {
  const { status, text } = await client.get(`/rest/bug?${params}`)
  assert.ok(status < 500, `${params} answers ${status} ${text.slice(0, 300)}`)
}

/** A line and what it asks, made together, so that neither is read from the other. */
interface Quick {
  line: string
  query: Query
}

const contains = (field: string, value: string): Criterion => ({ field, operator: 'substring', value })
const word = fc.constantFrom('amber', 'Birch', 'cobalt', 'dune', 'marzipan', 'light', 'zz')

const quickField = fc
  .constantFrom(
    ['summary', 'short_desc'],
    ['sum', 'short_desc'],
    ['whiteboard', 'status_whiteboard'],
    ['product', 'product'],
    ['comp', 'component'],
    ['kw', 'keywords'],
    ['comment', 'longdesc'],
    ['assignee', 'assigned_to'],
    ['cc', 'cc'],
    ['flag', 'flagtypes.name'],
    ['text', 'cf_text'],
    ['cf_many', 'cf_many'],
    ['url', 'bug_file_loc'],
    ['attachdesc', 'attachments.description'],
  )
  .map(([name = '', field = '']) => ({ name, field }))

const term: fc.Arbitrary<Quick> = fc.oneof(
  fc
    .tuple(quickField, word)
    .map(([{ name, field }, value]) => ({ line: `${name}:${value}`, query: contains(field, value) })),
  fc.tuple(quickField, word).map(([{ name, field }, value]) => ({
    line: `${name}="${value} light"`,
    query: { field, operator: 'equals', value: `${value} light` } as const,
  })),
  fc.tuple(quickField, word, word).map(([{ name, field }, a, b]) => ({
    line: `${name}:${a},${b}`,
    query: { any: [contains(field, a), contains(field, b)] },
  })),
  fc.tuple(quickField, word).map(([{ name, field }, value]) => ({
    line: `${name}!=${value}`,
    query: { field, operator: 'notequals', value } as const,
  })),
  fc.nat({ max: 30 }).map((value) => ({
    line: `bug>=${value}`,
    query: { field: 'bug_id', operator: 'greaterthaneq', value: `${value}` } as const,
  })),
  word.map((value) => ({ line: `@${value}`, query: contains('assigned_to', value) })),
  word.map((value) => ({ line: `!${value}`, query: { field: 'keywords', operator: 'anywords', value } as const })),
  word.map((value) => ({
    line: `[${value}`,
    query: { any: [contains('short_desc', value), contains('status_whiteboard', value)] },
  })),
  word.map((value) => ({
    line: `:${value}`,
    query: { any: [contains('product', value), contains('component', value)] },
  })),
  fc.constant({ line: 'P1', query: { field: 'priority', operator: 'equals', value: 'Highest' } as const }),
  fc.constant({ line: 'review?', query: contains('flagtypes.name', 'review?') }),
  fc.constant({
    line: 'needinfo?edna',
    query: { sameItem: [contains('flagtypes.name', 'needinfo?'), contains('requestees.login_name', 'edna')] },
  }),
  word.map((value) => ({ line: value, query: anywhere(value) })),
)

function anywhere(value: string): Query {
  const fields = ['alias', 'short_desc', 'status_whiteboard', ...(value.length > 2 ? ['product', 'component'] : [])]
  const keywords = value === 'amber' || value === 'cobalt' ? ['keywords'] : []
  return {
    any: [
      ...[...fields, ...keywords].map((field) => contains(field, value)),
      { field: 'content', operator: 'matches', value: `"${value}"` },
    ],
  }
}

const negatable = fc.tuple(term, fc.constantFrom('', '-', 'NOT ')).map(([it, sign]): Quick => {
  return { line: `${sign}${it.line}`, query: sign === '' ? it.query : { not: it.query } }
})

const alternatives = fc
  .tuple(fc.array(negatable, { minLength: 1, maxLength: 3 }), fc.constantFrom(' OR ', '|', ' | '))
  .map(([terms, or]): Quick => {
    return { line: terms.map(({ line }) => line).join(or), query: { any: terms.map(({ query }) => query) } }
  })

const isOneOf = (field: string, ...value: string[]): Criterion => ({ field, operator: 'anyexact', value })
const open = isOneOf('bug_status', 'UNCONFIRMED', 'CONFIRMED', 'IN_PROGRESS')

const beginning = fc.constantFrom<Quick[]>(
  { line: '', query: open },
  { line: 'ALL ', query: { all: [] } },
  { line: 'OPEN ', query: open },
  { line: 'RES ', query: isOneOf('bug_status', 'RESOLVED') },
  { line: 'FIX,INV ', query: isOneOf('resolution', 'FIXED', 'INVALID') },
  { line: 'UNCO,FIXED ', query: { any: [isOneOf('bug_status', 'UNCONFIRMED'), isOneOf('resolution', 'FIXED')] } },
)

const quickLine = fc
  .tuple(beginning, fc.array(alternatives, { minLength: 1, maxLength: 3 }), fc.constantFrom(' ', ' AND ', '  '))
  .map(([first, rest, and]): Quick => {
    return {
      line: first.line + rest.map(({ line }) => line).join(and),
      query: { all: [first.query, ...rest.map(({ query }) => query)] },
    }
  })
