import assert from 'node:assert/strict'
import { it } from 'node:test'
import { requestsIn } from './flag-mail.ts'

const ASKER = 1
const ASKED = 2

function flag(before: string | null, after: string | null, requestee: number | null = null) {
  return {
    id: 9,
    type_id: 4,
    name: 'review',
    attachment_id: null,
    before,
    after,
    requestee_id: requestee,
    setter_id: ASKER,
  }
}

const told = (...args: Parameters<typeof flag>) =>
  requestsIn(flag(...args), []).map(({ to, as }) => [as, 'userId' in to ? to.userId : to.address])

it('The requestee gets mail', () => {
  assert.deepEqual(told(null, 'review?(bob@x.test)', ASKED), [['requestee', ASKED]])
  assert.deepEqual(told('review?', 'review?(bob@x.test)', ASKED), [['requestee', ASKED]])
  assert.deepEqual(told('review?(ann@x.test)', 'review?(bob@x.test)', ASKED), [['requestee', ASKED]])
})

it('A request without a requestee sends no mail', () => {
  assert.deepEqual(told(null, 'review?'), [])
})

it('The user who asked gets mail about the answer, and when the request is removed', () => {
  assert.deepEqual(told('review?(bob@x.test)', 'review+'), [['asker', ASKER]])
  assert.deepEqual(told('review?', 'review-'), [['asker', ASKER]])
  assert.deepEqual(told('review?', null), [['asker', ASKER]])
})

it('A flag that was never requested sends no mail', () => {
  assert.deepEqual(told(null, 'review+'), [])
  assert.deepEqual(told('review+', 'review-'), [])
  assert.deepEqual(told('review+', null), [])
})

it('A question mark in the name of a flag is not a request', () => {
  const odd = { ...flag('why?+', 'why?-'), name: 'why?' }
  assert.deepEqual(requestsIn(odd, []), [])
})

it('The addresses of the flag type get mail about every change', () => {
  const requests = requestsIn(flag(null, 'review+'), ['list@x.test', 'qa@x.test'])
  assert.deepEqual(
    requests.map(({ to, as }) => [as, to]),
    [
      ['listed', { address: 'list@x.test' }],
      ['listed', { address: 'qa@x.test' }],
    ],
  )
})
