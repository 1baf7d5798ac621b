// The schemas of the calls that tools for agents make, for those who may not know the server: shared/mcp/call-schemas.json.
import type { Call } from '../src/access/call.ts'
import { Attachment } from '../src/bugs/attachments/attachment-schema.ts'
import { Comment } from '../src/bugs/comments/comment-schema.ts'
import { HistoryEntry } from '../src/bugs/history/history-schema.ts'
import { Bug } from '../src/bugs/reading/bug-schema.ts'
import { Product } from '../src/catalogue/products/product-schema.ts'
import { calls } from '../src/routes.ts'

export const CALL_SCHEMAS = new URL('../shared/mcp/call-schemas.json', import.meta.url)

/** The calls whose parameters become arguments of tools. */
const CALLS = [
  'GET /bug',
  'POST /bug',
  'PUT /bug/:ref',
  'POST /bug/:ref/comment',
  'POST /bug/:ref/attachment',
  'GET /bug/possible_duplicates',
  'GET /report',
]

const ANSWERS = { Attachment, Bug, Comment, HistoryEntry, Product }

type Schema = Readonly<Record<string, unknown>>

/** The text of the file. */
export function callSchemas(): string {
  const params = Object.fromEntries(CALLS.map((name) => [name, paramsOf(callNamed(name))]))
  const answers = Object.fromEntries(
    Object.entries(ANSWERS).map(([name, schema]) => [name, { properties: propertiesOf(schema as unknown as Schema) }]),
  )
  return `${JSON.stringify({ params, answers }, undefined, 1)}\n`
}

function callNamed(name: string): Call {
  const found = calls.find(({ method, path }) => `${method} ${path}` === name)
  if (found === undefined) throw new Error(`There is no call ${name}`)
  return found
}

function paramsOf({ params }: Call) {
  return Object.fromEntries(
    Object.entries(params)
      .filter(([, { about }]) => !about.startsWith('Another name for '))
      .map(([name, { about, schema }]) => [name, { ...plain(schema as unknown as Schema), description: about }]),
  )
}

/** The properties of an object, with the words that explain them only where there is an object more below. */
function propertiesOf({ properties = {} }: { properties?: Schema }): Schema {
  return Object.fromEntries(Object.entries(properties).map(([name, it]) => [name, withoutNames(it as Schema)]))
}

/** Tools leave parts out, so that nothing is required, and other properties are allowed: the objects have custom fields too. */
function withoutNames(schema: Schema): Schema {
  const { title: _, required: __, additionalProperties: ___, description: ____, format: _____, ...rest } = plain(schema)
  const parts = Object.entries(rest).map(([key, value]): [string, unknown] => {
    if (key === 'items') return [key, withoutNames(value as Schema)]
    if (key === 'anyOf') return [key, (value as Schema[]).map(withoutNames)]
    return [key, key === 'properties' ? propertiesOf({ properties: value as Schema }) : value]
  })
  return Object.fromEntries(parts)
}

/** As JSON has it, without the symbols of the library. */
function plain(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema))
}
