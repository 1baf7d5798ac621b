import type { TSchema } from '@sinclair/typebox'
import type { Call } from '../../src/access/call.ts'
import { addressOf, everyCall } from './every-call.ts'
import { type HostileBugs, type HostileRequest, many } from './hostile-requests.ts'
import { largestSearches, nextWorstInputs, worstInputs } from './worst-inputs.ts'
import { worstMessages } from './worst-messages.ts'

/** The largest allowed length of a text that is not a file. */
export const LONGEST_TEXT = 1024 * 1024 - 1
const LONGEST_PATH = 31_000

/** Parameters that must be valid before the others are checked. */
export const VALID: Readonly<Record<string, unknown>> = {
  product: 'TestProduct',
  component: 'TestComponent',
  summary: 'x',
  version: 'unspecified',
  data: 'eA==',
  file_name: 'x',
  names: ['x'],
  ids: [1],
}

/** Very many words, very many spaces and a long word. */
export const LONG_TEXT = [
  'a,'.repeat(LONGEST_TEXT / 4),
  ' '.repeat(LONGEST_TEXT / 4),
  'x'.repeat(LONGEST_TEXT / 4),
].join('')
/** As long as a comment can be. */
const LINES = 'a\n'.repeat(32_767)
const WORDS = many(9000, (index) => `w${index}`).join(' ')

/** The largest input of every parameter of every call, from the list of calls and the schemas of their parameters. */
export function* largestInputs(bugs: HostileBugs): Generator<HostileRequest> {
  for (const { call, title } of everyCall) {
    const selection = call.selectsFields ? ['include_fields'] : []
    for (const name of ['no_such_parameter', ...selection, ...Object.keys(call.params)])
      for (const [shape, value] of valuesFor(call.params[name]?.schema))
        yield { title: `${title}: ${shape} in ${name}`, ...requestWith(call, bugs, name, value) }
    if (call.pathParams !== undefined)
      yield { title: `${title}: a long path`, ...requestWith(call, bugs, 'x', 'x', 'x'.repeat(LONGEST_PATH / 4)) }
  }
  yield* worstInputs(bugs)
  yield* nextWorstInputs(bugs)
  yield* worstMessages(bugs.first)
  yield* largestSearches()
}

function valuesFor(schema: TSchema | undefined): [shape: string, value: unknown][] {
  const list = listIn(schema)
  if (list !== undefined) return [['the longest list', list]]
  if (schema?.type === 'object' && schema.properties?.add !== undefined) {
    const [add, remove] = [listIn(schema.properties.add), listIn(schema.properties.remove)]
    return [['the longest change', { add, remove }]]
  }
  const isText = schema === undefined || schema.type === 'string' || schema.anyOf !== undefined
  const texts: [string, unknown][] = [['a long text', LONG_TEXT]]
  if (isText) texts.push(['short lines', LINES], ['many words', WORDS])
  return schema?.type === undefined && schema?.anyOf === undefined ? [...texts, ['a list', many(5000, String)]] : texts
}

/** As many items as the schema allows. */
function listIn(schema: TSchema | undefined): unknown[] | undefined {
  const kinds: TSchema[] = [schema, ...(schema?.anyOf ?? [])].filter((it) => it !== undefined)
  const array = kinds.find(({ type, maxItems }) => type === 'array' && maxItems !== undefined)
  if (array === undefined) return undefined
  const isNumber = array.items?.type === 'integer'
  return many(array.maxItems, (index) => (isNumber ? index + 1 : `item${index}@example.org`))
}

function requestWith(
  call: Call,
  { first }: HostileBugs,
  name: string,
  value: unknown,
  ref = refOf(call, first),
): Omit<HostileRequest, 'title'> {
  const { method } = call
  const path = addressOf(call, ref).slice('/rest'.length)
  if (method === 'GET' || method === 'DELETE') return { method, path: `${path}?${queryOf(name, value)}` }
  const needed = Object.keys(call.params).filter((it) => call.params[it]?.isRequired)
  const body = { ...Object.fromEntries(needed.map((it) => [it, VALID[it] ?? 'x'])), [name]: value }
  return { method, path, body: JSON.stringify(body) }
}

/** What is deleted is needed by the requests after it. */
function refOf({ method, path }: Call, bug: number): string {
  if (method === 'DELETE') return '999999'
  return path.startsWith('/bug/:') ? String(bug) : '1'
}

/** Only whole pairs, so that the address stays valid. */
function queryOf(name: string, value: unknown): string {
  if (!Array.isArray(value)) return `${name}=${encodeURIComponent(String(value).slice(0, LONGEST_PATH / 3))}`
  let query = ''
  for (const item of value) {
    const pair = `${name}=${encodeURIComponent(String(item))}&`
    if (query.length + pair.length > LONGEST_PATH) break
    query += pair
  }
  return query
}
