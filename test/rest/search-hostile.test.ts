import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { fileBug } from '../support/file-bug.ts'
import { sampledOn } from '../support/sample.ts'
import { SEARCHED_FIELDS } from '../support/search-evaluator.ts'
import { ALL_OPERATORS } from '../support/search-questions.ts'
import { type Client, describeOnEachEngine, type World } from '../support/world.ts'

/** What SQL, patterns, regular expressions and JSON would take for more than text. */
const PAYLOADS = [
  "' or '1'='1",
  "'; drop table bugs; --",
  '" or ""="',
  '1) or (1=1',
  '1) union select login, password_hash from users --',
  '*/ select 1 /*',
  "\\'; delete from bugs; #",
  '$1?:x@y{0}',
  "x' || (select password_hash from users limit 1) || '",
  '%_\\%',
  '100%',
  'a_b',
  'a.b*c',
  '[a-z]+',
  '{"a":["b"]}',
  '\\',
  "''",
  '-- ',
  'bugs.id',
  '(select 1)',
]

/** Every parameter that a search has a use for, with one that it has none for. */
const PARAMETERS = [
  ...[
    'id',
    'alias',
    'product',
    'component',
    'version',
    'status',
    'resolution',
    'priority',
    'severity',
    'platform',
    'op_sys',
  ],
  ...[
    'summary',
    'whiteboard',
    'url',
    'tags',
    'keywords',
    'assigned_to',
    'creator',
    'reporter',
    'qa_contact',
    'cc',
    'blocks',
  ],
  ...['depends_on', 'groups', 'dupe_of', 'is_confirmed', 'target_milestone', 'classification', 'creation_time'],
  ...[
    'last_change_time',
    'limit',
    'offset',
    'order',
    'cursor',
    'count_only',
    'with_total',
    'include_fields',
    'exclude_fields',
  ],
  ...[
    'quicksearch',
    'savedsearch',
    'sharer_id',
    'query_format',
    'content',
    'longdesc',
    'longdesc_type',
    'short_desc',
    'ctype',
  ],
  ...[
    'short_desc_type',
    'bug_id_type',
    'bugidtype',
    'keywords_type',
    'bug_status',
    'chfield',
    'chfieldfrom',
    'chfieldto',
  ],
  ...[
    'chfieldvalue',
    'email1',
    'emailtype1',
    'emailassigned_to1',
    'emaillongdesc1',
    'deadlinefrom',
    'deadlineto',
    'cf_colour',
  ],
  ...[
    'f1',
    'o1',
    'v1',
    'n1',
    'j1',
    'j_top',
    'field0-0-0',
    'type0-0-0',
    'value0-0-0',
    'negate0',
    'changedin',
    'nonsense',
  ],
]

describeOnEachEngine('a search that holds SQL', (world) => {
  const ids = new Map<string, number>()
  before(async () => {
    const field = { name: 'cf_colour', type: 1, display_name: 'Colour', is_on_bug_entry: true }
    assert.equal((await world.ada.post('/rest/field/bug', field)).status, 201)
    for (const payload of PAYLOADS) {
      const text = `About ${payload} itself`
      const more = { summary: text, whiteboard: text, description: text, cf_colour: text, url: text }
      ids.set(payload, await fileBug(world.edna, more))
    }
  })

  it('takes it for text in every parameter, as its value and as its name', async () => {
    const counted = await census(world)
    // Every parameter is given some of them, and its neighbours the others.
    for (const [place, name] of sampledOn(world.engine, [...PARAMETERS.entries()], 2))
      for (const [index, payload] of sampledOn(world.engine, PAYLOADS, 14, Math.floor(place / 2)).entries()) {
        const beside = { f1: 'short_desc', o1: 'substring', v1: 'About', [`${name}${payload}`]: payload }
        await ask(index % 2 === 0 ? world.stan : world.ada, { ...(index % 4 < 2 && beside), [name]: payload })
      }
    assert.deepEqual(await census(world), counted)
  })

  it('takes it for text in every field, with every operator', async () => {
    const counted = await census(world)
    const fields = [...Object.keys(SEARCHED_FIELDS), 'content', 'owner_idle_time', 'dup_id', 'cf_colour']
    let turn = 0
    for (const [place, field] of fields.entries())
      for (const operator of sampledOn(world.engine, ALL_OPERATORS, 28, place)) {
        const payload = PAYLOADS[turn++ % PAYLOADS.length] as string
        await ask(world.ada, { f1: field, o1: operator, v1: payload, order: `${field} ${payload},${payload} DESC` })
      }
    for (const [place, payload] of PAYLOADS.entries()) {
      const charts: Record<string, string>[] = [
        { f1: `${payload}`, o1: 'equals', v1: 'x' },
        { f1: `short_desc${payload}`, o1: 'equals', v1: 'x' },
        { f1: `cf_${payload}`, o1: 'equals', v1: 'x' },
        { f1: 'short_desc', o1: payload, v1: 'x' },
        { f1: 'OP', j1: payload, f2: 'short_desc', o2: 'equals', v2: payload, f3: 'CP', j_top: payload, n1: payload },
      ]
      for (const chart of sampledOn(world.engine, charts, 4, place)) await ask(world.ada, chart)
    }
    assert.deepEqual(await census(world), counted)
  })

  const places: [title: string, field: string, operator: string][] = [
    ['a substring of the summary', 'short_desc', 'substring'],
    ['a substring in its own letters', 'short_desc', 'casesubstring'],
    ['a substring of the whiteboard', 'status_whiteboard', 'substring'],
    ['a substring of a comment', 'longdesc', 'substring'],
    ['a substring of a custom field', 'cf_colour', 'substring'],
    ['a substring of the address', 'bug_file_loc', 'substring'],
  ]
  for (const [place, [title, field, operator]] of places.entries())
    it(`finds it as ${title}, and nothing else`, async () => {
      for (const payload of sampledOn(world.engine, PAYLOADS, 4, place)) {
        const about = `About ${payload} itself`
        const { status, body, text } = await world.stan.get(
          `/rest/bug?include_fields=id&${new URLSearchParams({ f1: field, o1: operator, v1: about })}`,
        )
        assert.equal(status, 200, text)
        assert.deepEqual(
          body.bugs.map(({ id }) => id),
          [ids.get(payload)],
          payload,
        )
      }
    })

  it('finds it in one line, and nothing else', async () => {
    for (const payload of sampledOn(world.engine, PAYLOADS, 2)) {
      const line = `summary:"About ${payload.replaceAll('"', '\\"')} itself"`
      const { status, body, text } = await world.stan.get(
        `/rest/bug?include_fields=id&quicksearch=${encodeURIComponent(line)}`,
      )
      assert.equal(status, 200, text)
      assert.deepEqual(
        body.bugs.map(({ id }) => id),
        [ids.get(payload)],
        payload,
      )
    }
  })
})

async function ask(client: Client, given: Record<string, string>) {
  const { status, text } = await client.get(`/rest/bug?${new URLSearchParams(given)}`)
  assert.ok(status < 500, `${JSON.stringify(given)} answers ${status} ${text.slice(0, 300)}`)
}

/** Counts what must not change when a user plays tricks with SQL. */
async function census({ db }: World) {
  const tables = ['bugs', 'comments', 'users', 'groups', 'parameters', 'audit_log', 'bug_changes'] as const
  const counts = tables.map(async (table) => (await db.query((q) => q.selectFrom(table).selectAll())).length)
  return Promise.all(counts)
}
