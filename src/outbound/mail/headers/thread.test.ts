import assert from 'node:assert/strict'
import { it } from 'node:test'
import { threadOf } from './thread.ts'

const first = { bugId: 7, userId: 3, isNew: true, site: 'https://bugs.example.org', seed: 'a' }

it('The id of the first message about a bug follows from the bug and its reader', () => {
  assert.deepEqual(threadOf(first), { messageId: '<bug-7-3@https.bugs.example.org>', inReplyTo: undefined })
})

it('Later messages are replies to the first', () => {
  const { messageId, inReplyTo } = threadOf({ ...first, isNew: false })
  assert.match(messageId, /^<bug-7-3-[A-Za-z0-9]{10}@https\.bugs\.example\.org>$/)
  assert.equal(inReplyTo, '<bug-7-3@https.bugs.example.org>')
})

it('A message that is sent again has the same id, and no other message has it', () => {
  const later = { ...first, isNew: false }
  assert.equal(threadOf(later).messageId, threadOf(later).messageId)
  assert.notEqual(threadOf(later).messageId, threadOf({ ...later, seed: 'b' }).messageId)
})

it('The id has the port before the @, and the path after the host', () => {
  const { messageId } = threadOf({ ...first, site: 'http://localhost:8080/tracker' })
  assert.equal(messageId, '<bug-7-3-8080@http.localhost/tracker>')
})

it('No character in the URL of the site ends the id early', () => {
  for (const site of ['http://[::1]:80', 'http://ex ample>\r\nBcc: all', '', 'nonsense'])
    assert.match(threadOf({ ...first, site }).messageId, /^<[A-Za-z0-9./-]+@[A-Za-z0-9./-]+>$/)
})
