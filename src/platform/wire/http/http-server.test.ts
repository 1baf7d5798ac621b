import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { bareServer } from '../../../../test/support/bare-server.ts'

describe('a request that fails with an unexpected error', () => {
  const { http, faults } = bareServer()
  let url = ''
  before(async () => {
    http.on('GET', '/fine', (_, response) => response.writeHead(200).end('fine'))
    http.on('GET', '/throws', () => {
      throw new Error('thrown')
    })
    http.on('GET', '/rejects', async () => {
      await Promise.resolve()
      throw new Error('rejected')
    })
    http.on('GET', '/header', async (_, response) => {
      response.writeHead(200, { 'X-Bad': 'a\nb' }).end('never')
    })
    http.on('GET', '/halfway', async (_, response) => {
      response.writeHead(200).write('half')
      throw new Error('halfway')
    })
    url = await http.listen({ host: '127.0.0.1', port: 0 })
  })
  after(() => http.close())

  it('gets 500, and others are served', async () => {
    for (const path of ['/throws', '/rejects', '/header']) {
      assert.equal((await fetch(url + path)).status, 500, path)
      assert.equal(await (await fetch(`${url}/fine`)).text(), 'fine')
    }
    assert.equal(faults.length, 3)
  })

  it('is cut short if its response has begun, and others are served', async () => {
    await assert.rejects(async () => (await fetch(`${url}/halfway`)).text())
    assert.equal(await (await fetch(`${url}/fine`)).text(), 'fine')
  })

  it('does not end the server when a connection cannot be accepted', () => {
    http.server.emit('error', new Error('accept EMFILE'))
    assert.match(String(faults.at(-1)), /EMFILE/)
  })
})
