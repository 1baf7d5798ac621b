import assert from 'node:assert/strict'
import type { Reply } from './world.ts'

/** `done` or the number of the error, for each of several requests that meet; in order, because any of them can be first. */
export function outcomesOf(replies: readonly Reply<{ code: number }>[]) {
  return replies.map(({ status, body }) => (status < 300 ? 'done' : body.code)).sort()
}

/** Asserts that the call was refused with this status and error number. */
export function assertRefused(reply: Reply<{ code: number }>, status: number, code: number) {
  assert.deepEqual({ status: reply.status, code: reply.body.code }, { status, code }, reply.text)
}
