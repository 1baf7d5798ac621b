import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { fetchFor } from './provider-fetch.ts'

describe('what a provider names', () => {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    if (request.url === '/empty') return response.writeHead(205).end('ignored')
    response.writeHead(request.url === '/moved' ? 302 : 200, { Location: '/elsewhere' }).end('words')
  })
  const at = (host: string, path: string) => `http://${host}:${(server.address() as AddressInfo).port}${path}`
  before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
  after(() => server.close())

  it('is fetched from the host of its issuer, wherever that is', async () => {
    const fetched = await fetchFor('http://127.0.0.1/realm')(at('127.0.0.1', '/keys'), {})
    assert.deepEqual([fetched.status, await fetched.text()], [200, 'words'])
    const sent = await fetchFor('http://127.0.0.1')(at('127.0.0.1', '/token'), { method: 'POST', body: 'x' })
    assert.equal(sent.status, 200)
    assert.equal((await fetchFor('http://127.0.0.1')(at('127.0.0.1', '/empty'), {})).body, null)
    assert.equal((await fetchFor('http://127.0.0.1')(at('127.0.0.1', '/moved'), {})).status, 302)
    assert.deepEqual(requests.splice(0), ['GET /keys', 'POST /token', 'GET /empty', 'GET /moved'])
  })

  it('is fetched from no other host inside of the network, by address or by name', async () => {
    const fetch = fetchFor('https://id.example.com')
    for (const host of ['127.0.0.1', '[::1]', '10.0.0.1', '169.254.169.254'])
      await assert.rejects(fetch(at(host, '/keys'), {}), /is not a public address/, host)
    await assert.rejects(fetch(at('localhost', '/keys'), {}), /localhost has no public address/)
    await assert.rejects(fetch(at('nowhere.invalid', '/keys'), {}), /nowhere\.invalid/)
    assert.deepEqual(requests, [])
  })
})
