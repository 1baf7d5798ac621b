import assert from 'node:assert/strict'

/** A value that must be there, such as the one with a key of a record. */
export function sure<Value>(value: Value | undefined): Value {
  assert.ok(value !== undefined, 'A value that the test reads is not there')
  return value
}
