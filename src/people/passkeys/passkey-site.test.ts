import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { passkeySiteAt } from './passkey-site.ts'

describe('passkeys are possible', () => {
  it('at host names with https, and at localhost', () => {
    for (const [address, rpId, origin] of [
      ['https://bugs.example.com/tracker/', 'bugs.example.com', 'https://bugs.example.com'],
      ['https://bugs:8443', 'bugs', 'https://bugs:8443'],
      ['http://localhost:8080/', 'localhost', 'http://localhost:8080'],
      ['http://bugs.localhost', 'bugs.localhost', 'http://bugs.localhost'],
    ] as const)
      assert.deepEqual(passkeySiteAt(address), { rpId, origin })
  })

  it('neither at addresses nor at other names without https', () => {
    for (const address of [
      'http://bugs.example.com',
      'https://192.0.2.1',
      'http://127.0.0.1:8080',
      'https://[2001:db8::1]',
      'http://notlocalhost',
      'http://localhost.example.com',
    ])
      assert.equal(passkeySiteAt(address), undefined, address)
  })
})
