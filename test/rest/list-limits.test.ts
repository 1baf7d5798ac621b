import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { TSchema } from '@sinclair/typebox'
import type { JsonSchema } from '../support/body-types.ts'
import { cast } from '../support/cast.ts'
import { everyCall, makeCall } from '../support/every-call.ts'
import { describeOnSqlite } from '../support/world.ts'

/** Every list and every object with free names in a schema, with where it stands. */
function listsIn(
  schema: TSchema | JsonSchema,
  place: readonly string[] = [],
): { place: readonly string[]; schema: JsonSchema }[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((one: JsonSchema) => listsIn(one, place))
  if (schema.type === 'array') return [{ place, schema }, ...listsIn(schema.items, [...place, '[]'])]
  if (schema.patternProperties !== undefined)
    return [
      { place, schema },
      ...Object.values(schema.patternProperties).flatMap((one) => listsIn(one, [...place, '{}'])),
    ]
  return Object.entries(schema.properties ?? {}).flatMap(([name, one]) => listsIn(one, [...place, name]))
}

const everyList = everyCall.flatMap(({ call, title }) =>
  Object.entries(call.params).flatMap(([name, param]) =>
    listsIn(param.schema).map((list) => ({
      call,
      title: `${title} ${[name, ...list.place].join('.')}`,
      name,
      ...list,
    })),
  ),
)

describe('every list that a client sends', () => {
  for (const { title, schema } of everyList)
    it(`has a maximum: ${title}`, () => {
      const most = schema.type === 'array' ? schema.maxItems : schema.maxProperties
      assert.ok(most > 0 && most <= 5000, `its maximum is ${most}`)
    })
})

describeOnSqlite('a list that is longer than its maximum', (world) => {
  const inBodies = everyList.filter(
    ({ call, place, schema }) =>
      ['POST', 'PUT'].includes(call.method) &&
      schema.type === 'array' &&
      place.every((part) => ['add', 'remove', 'set'].includes(part)),
  )
  for (const { call, title, name, place, schema } of inBodies)
    it(`is refused: ${title}`, async () => {
      const list = Array.from({ length: schema.maxItems + 1 }, (_, index) => itemFor(schema.items, index))
      const value = place.reduceRight<unknown>((inner, part) => ({ [part]: inner }), list)
      const needed = Object.keys(call.params).filter((it) => call.params[it]?.isRequired && it !== name)
      // Any name of a parameter may stand there.
      const sent = name === '(name)' ? 'sign_in_providers' : name
      const body = {
        ...Object.fromEntries(needed.map((it) => [it, it === 'since' ? '2026-01-31' : 'x'])),
        [sent]: value,
      }
      const reply = await makeCall(world.ada, call, { body })
      assert.deepEqual([reply.status, reply.body.code], [400, 53], reply.text.slice(0, 200))
      assert.match(reply.body.message, new RegExp(`at most ${schema.maxItems} items`))
    })

  it('is refused where one text holds it', async () => {
    const many = Array.from({ length: 1001 }, (_, index) => `x${index}`).join(',')
    const bug = { product: 'TestProduct', component: 'TestComponent', summary: 'x', version: 'unspecified' }
    for (const name of ['cc', 'keywords', 'depends_on', 'blocks', 'alias']) {
      const { status, body } = await world.edna.post('/rest/bug', { ...bug, [name]: many })
      assert.deepEqual([status, body.code], [400, 53], name)
    }
  })

  it('may not be written for too many bugs', async () => {
    const bug = { product: 'TestProduct', component: 'TestComponent', summary: 'x', version: 'unspecified' }
    const { id } = (await world.edna.post('/rest/bug', bug)).body
    const ids = Array.from({ length: 99 }, () => id)
    const people = Array.from({ length: 51 }, () => cast.stan.login)
    const refused = await world.edna.put(`/rest/bug/${id}`, { ids, cc: { remove: people } })
    assert.deepEqual([refused.status, refused.body.code], [400, 53], refused.text)
    const taken = await world.edna.put(`/rest/bug/${id}`, { ids, cc: { remove: people.slice(1) } })
    assert.equal(taken.status, 200, taken.text)
    for (const lists of [
      { cc: { add: people.slice(0, 26), remove: people.slice(0, 25) } },
      { keywords: { set: people } },
      { keywords: { add: people.slice(0, 26) }, depends_on: { remove: people.slice(0, 25) } },
      {
        blocks: { add: people.slice(0, 20) },
        groups: { add: people.slice(0, 20) },
        see_also: { add: people.slice(0, 11) },
      },
    ]) {
      const reply = await world.edna.put(`/rest/bug/${id}`, { ids, ...lists })
      assert.match(reply.body.message, /at most 5000\b/, JSON.stringify(lists))
    }
    const flags = people.map(() => ({ name: 'nosuch', status: '?' }))
    const flagged = await world.edna.put(`/rest/bug/${id}`, { ids, flags })
    assert.deepEqual([flagged.status, flagged.body.code], [400, 53], flagged.text)
    const fewer = await world.edna.put(`/rest/bug/${id}`, { ids, flags: flags.slice(1) })
    assert.deepEqual([fewer.status, fewer.body.code], [404, 51], fewer.text)
  })

  it('is taken where it has the maximum', async () => {
    const { body } = await world.edna.post('/rest/bug', {
      product: 'TestProduct',
      component: 'TestComponent',
      summary: 'x',
      version: 'unspecified',
      alias: Array.from({ length: 100 }, (_, index) => `alias${index}`),
    })
    const ids = Array.from({ length: 999 }, () => body.id)
    const { status } = await world.edna.put(`/rest/bug/${body.id}`, { ids, whiteboard: 'x' })
    assert.equal(status, 200)
  })
})

function itemFor(schema: JsonSchema, index: number): unknown {
  const kinds: JsonSchema[] = schema.anyOf ?? [schema]
  const [{ type }] = kinds as [JsonSchema]
  if (type === 'integer') return index + 1
  return type === 'string' ? `item${index}` : {}
}
