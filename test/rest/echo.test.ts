import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Call } from '../../src/access/call.ts'
import { cast } from '../support/cast.ts'
import { addressOf, everyCall } from '../support/every-call.ts'
import { isEveryCombination, sampled } from '../support/sample.ts'
import { describeOnSqlite, type Reply } from '../support/world.ts'

/** What nobody is to read in an answer: a key as the server makes them. */
const KEY = 'x7Kq2ZpLw9Vt4RnB8sYc1Dm6Hj3Gf5Ua0EoIiQrT'

/** How clients have glued a key to something else. */
const GLUED = [`1&api_key=${KEY}`, `1?Bugzilla_api_key=${KEY}`, `1 ${KEY}`, `${'a'.repeat(30)}token=${KEY}`]

describeOnSqlite('an error message', (world) => {
  const send = (call: Call, ref: string, given: Record<string, unknown>): Promise<Reply> => {
    const inBody = call.method === 'POST' || call.method === 'PUT'
    const query = new URLSearchParams(inBody ? {} : (given as Record<string, string>)).toString()
    return world.ada.send(call.method, `${addressOf(call, ref)}?${query}`, inBody ? given : undefined)
  }

  function assertSilent({ status, text }: Reply, title: string) {
    for (let start = 0; start + 10 <= KEY.length; start++)
      assert.ok(status < 400 || !text.includes(KEY.slice(start, start + 10)), `${title}: ${text}`)
  }

  it('repeats no credential, wherever it stands', async () => {
    let turn = 0
    // Every name of a parameter at the first call that has it, and in the soak at all of them.
    const tried = new Set<string>()
    const glued = () => GLUED[turn++ % GLUED.length] as string
    for (const [place, { call, title }] of everyCall.entries()) {
      for (const ref of sampled(GLUED, 4, place)) assertSilent(await send(call, ref, {}), `${title} path`)
      assertSilent(await send(call, '4711', { [glued()]: '1' }), `${title} name`)
      for (const name of Object.keys(call.params)) {
        if (tried.has(name) && !isEveryCombination) continue
        tried.add(name)
        const param = name === '(name)' ? 'f1' : name
        const values = [glued(), [glued()], ...(call.method === 'GET' ? [] : [{ api_key: KEY }])]
        for (const value of sampled(values, values.length, turn))
          assertSilent(await send(call, '4711', { [param]: value }), `${title} ${param} ${JSON.stringify(value)}`)
      }
    }
    for (const ref of GLUED) assertSilent(await world.nobody.get(`/rest/nothing/${encodeURIComponent(ref)}`), 'no call')
    assert.ok(!JSON.stringify(world.logged).includes(KEY.slice(0, 10)))
  })

  it('repeats no credential of the same request, even one that looks like a word', async () => {
    const [own, long] = [cast.ada.apiKey, `my-own-key-${'of-lacewing-'.repeat(5)}`]
    const cases: [address: string, body?: object, headers?: Record<string, string>][] = [
      [`/rest/bug?limit=10${own}`],
      [`/rest/keyword/${own}`],
      [`/rest/nothing/${own}`],
      [`/rest/bug?limit=${long}`, undefined, { 'X-TRACKER-API-KEY': long }],
      [`/rest/keyword/x-${long}?api_key=${long}`, undefined, { 'X-TRACKER-API-KEY': '' }],
      ['/rest/keyword?limit=1', { name: `a ${own}`, description: 'x', password: `a ${own}` }],
      ['/rest/user/1', { [long]: 1, password: long }],
      ['/rest/session', { login: 'ada', password: 'my own word', totp: '123456', is_kept: '1my own word23456123456' }],
    ]
    for (const [address, body, headers] of cases) {
      const method = body === undefined ? 'GET' : address.includes('user') ? 'PUT' : 'POST'
      const { status, text } = await world.ada.send(method, address, body, headers)
      assert.ok(status >= 400, `${address} ${text}`)
      assert.doesNotMatch(text, /of-ada|y-own-key|own word|123456/, `${address} ${text}`)
    }
  })

  it('repeats no credential in what is ignored', async () => {
    const { body: bug } = await world.edna.post('/rest/bug', {
      product: 'TestProduct',
      component: 'TestComponent',
      summary: 'x',
    })
    const changed = await world.edna.put(`/rest/bug/${bug.id}`, { [`limit-${KEY}`]: 1, colour: 'red' })
    assert.deepEqual(changed.body.ignored, ['colour', '…'])
    const found = await world.nobody.get(`/rest/bug?id=${bug.id}&x-${KEY}=1`)
    assert.deepEqual(found.body.ignored, ['…'])
  })

  it('repeats the beginning of what was sent, and never half a character', async () => {
    const message = async (name: string) =>
      (await world.nobody.get(`/rest/keyword/${encodeURIComponent(name)}`)).body.message
    assert.equal(await message('a'.repeat(40)), `There is no keyword “${'a'.repeat(40)}”.`)
    assert.equal(await message('a'.repeat(41)), `There is no keyword “${'a'.repeat(40)}…”.`)
    assert.equal(await message(`${'a'.repeat(39)}😀b`), `There is no keyword “${'a'.repeat(39)}…”.`)
  })
})
