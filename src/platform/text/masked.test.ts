import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { processorMilliseconds } from '../../../test/support/processor-time.ts'
import { masked, maskedOf } from './masked.ts'

const KEY = 'Zk3Qw9XtR7bLmN2pVs8Y'

/** A made-up JSON Web Token; its middle part has few digits. */
const JWT = ['{"alg":"none"}', '{"sub":"somebody","name":"Some Body"}', 'x'.repeat(30)]
  .map((part) => Buffer.from(part).toString('base64url'))
  .join('.')

describe('masked', () => {
  for (const [text, without] of [
    ['1&api_key=abc', '1&api_key=…'],
    ['1&Bugzilla_api_key=abc&limit=3', '1&Bugzilla_api_key=…&limit=3'],
    ['1?token=7-abc', '1?token=…'],
    ['id,password=correct', 'id,password=…'],
    ['1%26api_key%3Dabc', '1%26api_key%3D…'],
    ['{"api_key":"abc","a":1}', '{"api_key":"…","a":1}'],
    ['"{\\"token\\": \\"abc\\"}"', '"{\\"token\\": \\"…"}"'],
    ['X-TRACKER-API-KEY: abc', 'X-TRACKER-API-KEY: …'],
    ['Authorization: Bearer abc', 'Authorization: Bearer …'],
    ['Bearer abcdefgh', 'Bearer …'],
    ['APIKEY=abc', 'APIKEY=…'],
    [`edna@lacewing.test${KEY}`, 'edna@lacewing.…'],
    [`1/${KEY}/2`, '1/…/2'],
    ['10totp=123456', '10totp=…'],
    [`10${JWT.split('.')[1]}`, '10…'],
    [`1 ${JWT}`, '1 …'],
  ] as const)
    it(`masks the credential in ${text}`, () => assert.equal(masked(text), without))

  for (const word of [
    'tQ4eJpXzR0nVbY7uKsWmDg',
    'WbJxOqNcTkUyHzRvGiLsPe',
    'x7Kq2ZpLw9Vt4RnB8sYc1Dm6Hj3Gf5Ua0EoIiQrT',
    'da39a3ee5e6b4b0d3255bfef95601890afd80709',
    '0123456789abcdefaaaabbbbccccdddd',
    'mF_9.B5f-4.1JqM2x-Kq8_Zt7Lw3Vn6Rb',
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  ])
    it(`masks a word that looks random: ${word}`, () => {
      assert.ok(!masked(`1 ${word}`).includes(word.slice(6)), masked(word))
    })

  for (const text of [
    '',
    'There is no bug 999999999999999999999999.',
    'The token is invalid or has expired. Log in again to get a new one.',
    'The password is too short: it must have at least 6 characters.',
    'You are not allowed to do this: this API key lacks the scope write.',
    'an-alias-of-a-bug-that-is-rather-long-2026',
    'somebody.with.a.long.name@a-rather-long-domain.example.com',
    'InternationalizationAndLocalization',
    'DevToolsAccessibilityPanel',
    'SurveyJournalInternational',
    'is_specifically_requestable',
    '2026-01-31T12:00:00Z',
    'http://tracker.test/show_bug.cgi?id=1001',
    'The administrator finds it in the log under 1b4e28ba-2fa1-41d2-883f-0016d3cca427.',
  ])
    it(`does not change: ${text}`, () => assert.equal(masked(text), text))

  it('leaves out the secrets that it is given, also the beginning of one that is cut off', () => {
    const secrets = ['my own "key" of lacewing', '123456', 'short']
    for (const [text, without] of [
      ['There is no bug “1my own "key" of lacewing2”.', 'There is no bug “1…2”.'],
      ['ids cannot be ["my own \\"key\\" of lacewing"]: no.', 'ids cannot be ["…"]: no.'],
      ['There is no bug “1my own "ke…”.', 'There is no bug “1…”.'],
      ['limit must be a whole number, not “10123456”.', 'limit must be a whole number, not “10…”.'],
      ['The password is too short.', 'The password is too short.'],
    ] as const)
      assert.equal(maskedOf(text, secrets), without)
  })

  it('takes linear time', () => {
    const started = processorMilliseconds()
    for (const piece of ['token', 'api_key=', 'bearer ', 'a1', '"', ' ']) masked(piece.repeat(200_000))
    assert.ok(processorMilliseconds() - started < 3000)
  })
})
