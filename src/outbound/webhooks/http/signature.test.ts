import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isSecret, newSecret, signatureHeaders } from './signature.ts'

describe('signatureHeaders', () => {
  it('signs like the published example of Standard Webhooks', () => {
    const headers = signatureHeaders(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      seconds: 1614265330,
      body: '{"test": 2432232314}',
    })
    assert.deepEqual(headers, {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    })
  })

  it('signs once with each secret', () => {
    const signed = { id: 'a', seconds: 1, body: '{}' }
    const [one, other] = [newSecret(), newSecret()]
    const both = signatureHeaders([one, other], signed)['webhook-signature'].split(' ')
    assert.deepEqual(both, [
      signatureHeaders([one], signed)['webhook-signature'],
      signatureHeaders([other], signed)['webhook-signature'],
    ])
    assert.notEqual(both[0], both[1])
  })
})

describe('isSecret', () => {
  it('accepts what newSecret generates, and no two are equal', () => {
    const made = Array.from({ length: 20 }, newSecret)
    assert.ok(made.every(isSecret))
    assert.equal(new Set(made).size, 20)
  })

  it('refuses other forms, and keys that are too short or too long', () => {
    const base64 = (bytes: number) => Buffer.alloc(bytes, 7).toString('base64')
    assert.ok(isSecret(`whsec_${base64(24)}`) && isSecret(`whsec_${base64(64)}`))
    for (const text of [
      '',
      'whsec_',
      base64(32),
      `whsec_${base64(23)}`,
      `whsec_${base64(65)}`,
      `whsec_${base64(32)}!`,
      `whsec_${base64(32)}\n`,
      `WHSEC_${base64(32)}`,
    ])
      assert.equal(isSecret(text), false, text)
  })
})
