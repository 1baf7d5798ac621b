import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Factor } from '../factors/factor-store.ts'
import { passkeysAt } from './passkey-options.ts'

const passkey: Factor = {
  id: 1,
  user_id: 1,
  kind: 'passkey',
  name: 'Key',
  is_confirmed: 1,
  secret: '',
  credential_id: 'a',
  counter: 0,
  transports: '',
  rp_id: 'bugs.example.com',
  is_multi_device: 0,
  is_backed_up: 0,
  created_at: '2026-01-01T00:00:00Z',
  last_used_at: null,
}

describe('the passkeys of a site', () => {
  it('are those that were made for its host', () => {
    const site = { rpId: 'bugs.example.com', origin: 'https://bugs.example.com' }
    const other: Factor = { ...passkey, id: 2, rp_id: 'old.example.com' }
    const code: Factor = { ...passkey, id: 3, kind: 'totp' }
    assert.deepEqual(passkeysAt(site, [passkey, other, code]), [passkey])
  })
})
