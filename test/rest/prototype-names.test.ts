import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { Call } from '../../src/access/call.ts'
import { cast } from '../support/cast.ts'
import { addressOf, everyCall } from '../support/every-call.ts'
import { fileBug } from '../support/file-bug.ts'
import { isEveryCombination, sampled } from '../support/sample.ts'
import { type Client, describeOnSqlite, type Reply } from '../support/world.ts'

/** What every plain object of JavaScript answers to, although nobody has put it there. */
const NAMES = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf']

/** What goes with the one parameter that is tried, so that the call comes as far as to look at it. */
const USUAL: Readonly<Record<string, unknown>> = {
  product: 'TestProduct',
  component: 'TestComponent',
  version: 'unspecified',
  summary: 'Something is wrong',
  description: 'Words',
  name: 'fresh',
  email: 'fresh@lacewing.test',
  default_assignee: cast.stan.login,
  data: 'aGVsbG8=',
  file_name: 'a.txt',
  content_type: 'text/plain',
  comment: 'Words',
  url: 'https://hooks.example.org/',
  type: 2,
  display_name: 'Words',
  query: 'product=TestProduct',
  x_axis_field: 'status',
  match: 'words',
}

/** Of the names of a search, those that mean something of their own. */
const SEARCH = [
  ...['f1', 'o1', 'v1', 'n1', 'j1', 'j_top', 'order', 'bugidtype', 'bug_id', 'emailtype1', 'email1', 'emailreporter1'],
  ...['chfield', 'chfieldfrom', 'chfieldto', 'chfieldvalue', 'deadlinefrom', 'deadlineto', 'quicksearch', 'content'],
  ...[
    'field0-0-0',
    'type0-0-0',
    'value0-0-0',
    'short_desc_type',
    'short_desc',
    'keywords_type',
    'keywords',
    'columnlist',
  ],
  ...['ctype', 'format', 'query_format', 'limit', 'offset', 'votes', 'resolution', 'bug_status', 'cf_choice', 'tag'],
  ...['query_based_on', 'known_name', 'longdesc_type', 'longdesc', 'status_whiteboard_type', 'owner_idle_time'],
]

/** A parameter that says how to compare is read only beside its value. */
const VALUES = { bug_id: '1', short_desc: 'x', keywords: 'x', longdesc: 'x', status_whiteboard: 'x' }

/** Says of a parameter whether another call had one of this name and kind; `npm test` tries only the first. */
function repeats() {
  const seen = new Set<string>()
  return (param: string, schema: unknown) => {
    const kind = `${param} ${JSON.stringify(schema)}`
    const isRepeated = seen.has(kind) && !isEveryCombination
    seen.add(kind)
    return isRepeated
  }
}

describeOnSqlite('names that every object has', (world) => {
  let bug = 0
  let tried = 0
  before(async () => {
    const field = { name: 'cf_choice', type: 2, display_name: 'Choice', values: ['one'], is_on_bug_entry: true }
    assert.equal((await world.ada.post('/rest/field/bug', field)).status, 201)
    bug = await fileBug(world.edna, { alias: ['known'] })
  })

  const takesBody = ({ method }: Call) => method === 'POST' || method === 'PUT'

  async function ask(call: Call, ref: string, given: Record<string, unknown>, client: Client = world.ada) {
    const listed = Object.entries(given).flatMap(([name, value]) =>
      [value].flat().map((it) => [name, typeof it === 'string' ? it : JSON.stringify(it)]),
    )
    const query = takesBody(call) ? '' : `?${new URLSearchParams(listed as [string, string][])}`
    // An own property, also of the name __proto__.
    const body = JSON.stringify(Object.fromEntries(Object.entries(given)))
    const reply = await client.send(call.method, addressOf(call, ref) + query, takesBody(call) ? body : undefined)
    assertPlain(reply, `${call.method} ${addressOf(call, ref)}${query} ${body}`)
  }

  function assertPlain({ status, text }: Reply, title: string) {
    assert.ok(status < 500, `${title}: ${text}`)
    assert.doesNotMatch(text, /native code|\[object |function \w*\(/, title)
  }

  const usualFor = (call: Call, but: string) =>
    Object.fromEntries(
      Object.entries(call.params)
        .filter(([name, { isRequired }]) => isRequired && name !== but)
        .map(([name]) => [name, USUAL[name] ?? '1']),
    )

  it('are like others in lists and objects', async () => {
    let turn = 0
    const next = () => NAMES[turn++ % NAMES.length] as string
    const isSeen = repeats()
    for (const { call } of everyCall.filter(({ call }) => takesBody(call)))
      for (const [param, { schema }] of Object.entries(call.params)) {
        if (isSeen(param, schema)) continue
        const tryOut = (value: unknown) => ask(call, String(bug), { ...usualFor(call, param), [param]: value })
        const values = [
          [next()],
          JSON.parse(`{"${next()}": "${next()}"}`),
          [JSON.parse(`{"${next()}": ["${next()}"], "name": "${next()}"}`)],
        ]
        for (const value of sampled(values, 3, tried++)) await tryOut(value)
        const parts = Object.keys((schema as { properties?: object }).properties ?? {})
        for (const part of parts) await tryOut({ [part]: next() })
      }
  })

  for (const [place, name] of NAMES.entries()) {
    it(`are like others in the path of every call: ${name}`, async () => {
      const withVariables = everyCall.filter(({ call }) => call.path.includes(':'))
      for (const { call } of sampled(withVariables, 5, place)) await ask(call, name, usualFor(call, ''))
    })

    it(`are like others as the value of every parameter: ${name}`, async () => {
      const isSeen = repeats()
      const params = everyCall.flatMap(({ call }) =>
        Object.entries(call.params).flatMap(([param, { schema }]) => (isSeen(param, schema) ? [] : { call, param })),
      )
      for (const { call, param } of sampled(params, 5, place))
        if (param !== '(name)') await ask(call, String(bug), { ...usualFor(call, param), [param]: name })
    })

    it(`are like others as the name of a parameter: ${name}`, async () => {
      for (const { call } of sampled(everyCall, 5, place)) await ask(call, String(bug), JSON.parse(`{"${name}": "1"}`))
    })

    it(`are like others in a search: ${name}`, async () => {
      const paths = ['/rest/bug', '/rest/report', '/rest/bug/count']
      const rest = (param: string): Record<string, string> =>
        /^[fov]1$/.test(param)
          ? { f1: 'priority', o1: 'equals', v1: '1' }
          : param.endsWith('type')
            ? VALUES
            : { id: '1' }
      const searches = SEARCH.flatMap((param) => paths.map((path) => ({ param, path })))
      for (const { param, path } of sampled(searches, 5, place)) {
        const query = new URLSearchParams({ x_axis_field: 'status', email1: 'x', ...rest(param), [param]: name })
        const asks = [
          () => world.edna.get(`${path}?${query}`),
          () => world.nobody.get(`${path}?${query}&include_fields=${name},id.${name}`),
        ]
        for (const ask of sampled(asks, 2, tried++)) assertPlain(await ask(), `${path}?${query}`)
      }
      for (const words of [`${name}:x`, `x:${name}`, `@${name}`, `:${name}`, `!${name}`, `#${name}`, `flag:${name}`])
        assertPlain(await world.edna.get(`/rest/bug?quicksearch=${encodeURIComponent(words)}`), words)
      for (const o1 of ['equals', 'changedto', 'isempty', 'anywords', 'matches', 'lessthan', 'regexp', name])
        assertPlain(await world.edna.get(`/rest/bug?f1=${name}&o1=${o1}&v1=${name}`), o1)
    })
  }
})
