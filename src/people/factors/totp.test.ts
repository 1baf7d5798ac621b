import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { codeOf, newTotpSecret, stepOfCode, totpAddress } from './totp.ts'

/** The key of the examples in RFC 6238, `12345678901234567890`, in base32. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

describe('codes of authenticator apps', () => {
  it('are those of RFC 6238', () => {
    for (const [seconds, code] of [
      [59, '287082'],
      [1111111109, '081804'],
      [1111111111, '050471'],
      [1234567890, '005924'],
      [2000000000, '279037'],
      [20000000000, '353130'],
    ] as const)
      assert.equal(codeOf(SECRET, Math.floor(seconds / 30)), code)
  })

  it('are taken one step early or late, and no more', () => {
    const steps = [-2, -1, 0, 1, 2].map((off) => stepOfCode(SECRET, codeOf(SECRET, 1000 + off), 30_000_000))
    assert.deepEqual(steps, [undefined, 999, 1000, 1001, undefined])
    const code = codeOf(SECRET, 1000)
    for (const other of [`x${code}`, `${code}x`, `${code}1`, code.slice(1), ''])
      assert.equal(stepOfCode(SECRET, other, 30_000_000), undefined, other)
  })

  it('have random secrets, which apps read from an address', () => {
    const [one, two] = [newTotpSecret(), newTotpSecret()]
    assert.match(one, /^[A-Z2-7]{32}$/)
    assert.notEqual(one, two)
    const address = new URL(totpAddress(one, 'a&b@x.test', 'bugs.example.com'))
    assert.equal(decodeURIComponent(address.pathname), '/bugs.example.com:a&b@x.test')
    assert.equal(address.searchParams.get('secret'), one)
  })
})
