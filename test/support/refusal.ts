import assert from 'node:assert/strict'
import type { Reply } from './world.ts'

/** Asserts that the call was refused with this status and error number. */
export function assertRefused(reply: Reply, status: number, code: number) {
  assert.deepEqual({ status: reply.status, code: reply.body.code }, { status, code }, reply.text)
}
