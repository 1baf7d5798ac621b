import assert from 'node:assert/strict'
import { it } from 'node:test'
import { flagRecipients } from './flag-mail.ts'

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

const recipientsOf = (...args: Parameters<typeof flag>) =>
  flagRecipients(flag(...args), []).map(({ to, as }) => [as, 'userId' in to ? to.userId : to.address])

it('The requestee gets mail', () => {
  assert.deepEqual(recipientsOf(null, 'review?(bob@x.test)', ASKED), [['requestee', ASKED]])
  assert.deepEqual(recipientsOf('review?', 'review?(bob@x.test)', ASKED), [['requestee', ASKED]])
  assert.deepEqual(recipientsOf('review?(ann@x.test)', 'review?(bob@x.test)', ASKED), [['requestee', ASKED]])
})

it('A request without a requestee sends no mail', () => {
  assert.deepEqual(recipientsOf(null, 'review?'), [])
})

it('The user who asked gets mail about the answer, and when the request is removed', () => {
  assert.deepEqual(recipientsOf('review?(bob@x.test)', 'review+'), [['asker', ASKER]])
  assert.deepEqual(recipientsOf('review?', 'review-'), [['asker', ASKER]])
  assert.deepEqual(recipientsOf('review?', null), [['asker', ASKER]])
})

it('A flag that was never requested sends no mail', () => {
  assert.deepEqual(recipientsOf(null, 'review+'), [])
  assert.deepEqual(recipientsOf('review+', 'review-'), [])
  assert.deepEqual(recipientsOf('review+', null), [])
})

it('A question mark in the name of a flag is not a request', () => {
  const odd = { ...flag('why?+', 'why?-'), name: 'why?' }
  assert.deepEqual(flagRecipients(odd, []), [])
})

it('The addresses of the flag type get mail about every change', () => {
  const requests = flagRecipients(flag(null, 'review+'), ['list@x.test', 'qa@x.test'])
  assert.deepEqual(
    requests.map(({ to, as }) => [as, to]),
    [
      ['listed', { address: 'list@x.test' }],
      ['listed', { address: 'qa@x.test' }],
    ],
  )
})
