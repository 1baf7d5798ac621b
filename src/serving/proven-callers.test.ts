import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, it } from 'node:test'
import { OpenRequest } from '../access/open-request.ts'
import { ProvenCallers } from './proven-callers.ts'

describe('The callers whose credentials were accepted', () => {
  it('are known until their credentials are refused', () => {
    const callers = new ProvenCallers()
    assert.equal(callers.userOf('key'), undefined)
    callers.note('key', 7)
    callers.note(undefined, 8)
    assert.deepEqual(
      [callers.userOf('key'), callers.userOf('other'), callers.userOf(undefined)],
      [7, undefined, undefined],
    )
    callers.forget('key')
    assert.equal(callers.userOf('key'), undefined)
    callers.note('token', 9)
    callers.note('token', null)
    assert.equal(callers.userOf('token'), undefined)
  })

  it('wait as users while their credentials are checked, and others as parts of their address', () => {
    const budget = {} as ConstructorParameters<typeof OpenRequest>[3]['budget']
    const { client } = new OpenRequest('GET', '/rest/bug', '203.0.113.7', { response: {} as ServerResponse, budget })
    assert.equal(client.name, 'address 203.0.113.7')
    client.unchecked = 'key'
    assert.equal(client.name, 'address 203.0.113.7\nkey')
    client.provenUserId = 7
    assert.equal(client.name, 'user 7')
    client.unchecked = ''
    assert.equal(client.name, 'address 203.0.113.7')
  })
})
