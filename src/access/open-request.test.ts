import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, get, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { LONGEST_REQUEST_MILLISECONDS } from '../platform/database/slow-reads/read-limits.ts'
import { ResponseMemory } from '../platform/wire/http/response-memory.ts'
import { UnreadResponses } from '../platform/wire/http/unread-responses.ts'
import { OpenRequest } from './open-request.ts'

const LIMITS = { unreadBytes: 1000, unreadBytesOfOneCaller: 1000, standstillMilliseconds: 1000 }

describe('a request that is being answered', () => {
  let server: Server
  before(async () => {
    server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  const requestFor = (response: ServerResponse, address = '203.0.113.5') =>
    new OpenRequest('GET', '/bug', address, { response, budget: new UnreadResponses(LIMITS) })

  /** The response of the server to a new client, who can leave. */
  async function newClient() {
    const answering = once(server, 'request') as Promise<[unknown, ServerResponse]>
    const client = get({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, agent: false })
    client.on('error', () => {})
    const [, response] = await answering
    return { response, client }
  }

  it('shares limits with those of the same user, or of the same network without login', async () => {
    const { response, client } = await newClient()
    const request = requestFor(response, '2001:db8::1')
    assert.equal(request.caller, requestFor(response, '2001:db8::2').caller)
    assert.notEqual(request.caller, requestFor(response, '2001:db8:0:1::2').caller)
    request.userId = 7
    assert.equal(request.caller, 'user 7')
    client.destroy()
  })

  it('has one time limit for all that it reads, and one account of memory', async () => {
    const { response, client } = await newClient()
    const request = requestFor(response)
    assert.equal(request.readLimits, request.readLimits)
    assert.equal(request.readLimits.deadline, request.started + LONGEST_REQUEST_MILLISECONDS)
    assert.ok(request.memory instanceof ResponseMemory)
    assert.equal(request.memory, request.memory)
    assert.equal(request.isFromOwnPage, false)
    client.destroy()
  })

  it('stops reading when its client leaves', async () => {
    const { response, client } = await newClient()
    const { signal } = requestFor(response).readLimits
    assert.equal(signal.aborted, false)
    client.destroy()
    await once(response, 'close')
    assert.equal(signal.aborted, true)
  })

  it('reads nothing when its client has left before', async () => {
    const { response, client } = await newClient()
    client.destroy()
    await once(response, 'close')
    assert.equal(requestFor(response).readLimits.signal.aborted, true)
  })

  it('is not stopped by its own end', async () => {
    const { response, client } = await newClient()
    const { signal } = requestFor(response).readLimits
    client.on('response', (reply) => reply.resume())
    response.end('done')
    await once(response, 'close')
    assert.equal(signal.aborted, false)
  })
})
