import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { newCredential, passkeyAnswer } from './passkey-params.ts'

const bytes = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const clientDataJSON = bytes({ challenge: 'asked' })
const GIVEN = { clientDataJSON, authenticatorData: 'AA-_', signature: 'BB' }
const MADE = { clientDataJSON, attestationObject: 'CC' }

const answer = (response: unknown = GIVEN, more: object = {}) =>
  passkeyAnswer.read('credential', { id: 'id', type: 'public-key', response, ...more })
const made = (response: unknown = MADE, more: object = {}) =>
  newCredential.read('credential', { id: 'id', type: 'public-key', response, ...more })

describe('the answer of a passkey', () => {
  it('is read with its challenge', () => {
    const read = { id: 'id', challenge: 'asked' }
    assert.deepEqual(answer(), { ...read, ...GIVEN, userHandle: undefined })
    assert.deepEqual(answer({ ...GIVEN, userHandle: 'DD' }), { ...read, ...GIVEN, userHandle: 'DD' })
    for (const userHandle of [null, '']) assert.equal(answer({ ...GIVEN, userHandle })?.userHandle, undefined)
    assert.deepEqual(made(), { ...read, ...MADE, transports: [] })
  })

  it('may be missing where it is not needed', () => {
    for (const missing of [undefined, null]) assert.equal(passkeyAnswer.read('credential', missing), undefined)
  })

  it('keeps transports that browsers know, and at most ten', () => {
    const transports = ['usb', 'smart-card', 'USB', 7, 'a,b', '', 'x'.repeat(21), 'y'.repeat(20)]
    assert.deepEqual(made({ ...MADE, transports }).transports, ['usb', 'smart-card', 'y'.repeat(20)])
    assert.equal(made({ ...MADE, transports: Array(10).fill('usb') }).transports.length, 10)
    assert.throws(() => made({ ...MADE, transports: Array(11).fill('usb') }), { reason: 'bad_value' })
    assert.deepEqual(made({ ...MADE, transports: 'usb' }).transports, [])
  })

  const LONGEST = { id: 1_364, clientDataJSON: 4_000, authenticatorData: 4_000, signature: 2_000, userHandle: 100 }
  for (const [part, most] of Object.entries(LONGEST))
    it(`has bytes in base64url, no longer than a passkey makes them: ${part}`, () => {
      const send = (value: unknown) =>
        part === 'id' ? answer(GIVEN, { id: value }) : answer({ ...GIVEN, [part]: value })
      const long = part === 'clientDataJSON' ? clientDataJSON : 'A'.repeat(most)
      assert.equal(send(long)?.[part as 'id'], long)
      for (const wrong of ['A'.repeat(most + 1), 'a b', 'a+b', 'a/b', 'ab=', ' ab', 'ab ', 7, ['ab'], {}])
        assert.throws(() => send(wrong), { reason: 'bad_value' }, JSON.stringify(wrong).slice(0, 20))
    })

  it('is refused if a part of it is missing or of another kind, and is not repeated', () => {
    const refused: unknown[] = [
      undefined,
      null,
      7,
      'text',
      [],
      [{ id: 'id', type: 'public-key', response: MADE }],
      {},
      { id: 'id', type: 'password', response: MADE },
      { id: 'id', response: MADE },
      { id: 'id', type: 'public-key' },
      { id: 'id', type: 'public-key', response: null },
      { id: 'id', type: 'public-key', response: [MADE] },
      { id: 'id', type: 'public-key', response: { clientDataJSON } },
    ]
    for (const sent of refused)
      assert.throws(() => newCredential.read('credential', sent), { reason: /bad_value|parameter_required/ })
    assert.throws(
      () => answer({ ...GIVEN, signature: 'secret words' }),
      (error: Error) => !/secret/.test(error.message),
    )
  })

  it('names a challenge', () => {
    for (const data of [bytes({}), bytes({ challenge: 7 }), bytes([]), Buffer.from('{').toString('base64url')])
      assert.throws(() => answer({ ...GIVEN, clientDataJSON: data }), { reason: 'bad_value' })
  })
})
