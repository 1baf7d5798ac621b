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

it('Whoever is asked is told', () => {
  assert.deepEqual(told(null, 'review?(bob@x.test)', ASKED), [['requestee', ASKED]])
  assert.deepEqual(told('review?', 'review?(bob@x.test)', ASKED), [['requestee', ASKED]])
  assert.deepEqual(told('review?(ann@x.test)', 'review?(bob@x.test)', ASKED), [['requestee', ASKED]])
})

it('Where nobody in particular is asked, nobody is told', () => {
  assert.deepEqual(told(null, 'review?'), [])
})

it('Whoever asked is told of the answer, and that the question is gone', () => {
  assert.deepEqual(told('review?(bob@x.test)', 'review+'), [['asker', ASKER]])
  assert.deepEqual(told('review?', 'review-'), [['asker', ASKER]])
  assert.deepEqual(told('review?', null), [['asker', ASKER]])
})

it('What was never a question concerns nobody', () => {
  assert.deepEqual(told(null, 'review+'), [])
  assert.deepEqual(told('review+', 'review-'), [])
  assert.deepEqual(told('review+', null), [])
})

it('A name with a question mark in it is no question', () => {
  const odd = { ...flag('why?+', 'why?-'), name: 'why?' }
  assert.deepEqual(requestsIn(odd, []), [])
})

it('The addresses of the flag type hear of everything', () => {
  const requests = requestsIn(flag(null, 'review+'), ['list@x.test', 'qa@x.test'])
  assert.deepEqual(
    requests.map(({ to, as }) => [as, to]),
    [
      ['listed', { address: 'list@x.test' }],
      ['listed', { address: 'qa@x.test' }],
    ],
  )
})
