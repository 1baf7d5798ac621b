import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { currentCaller, madeAsCurrentCaller, runAs } from './current-caller.ts'

describe('the current caller', () => {
  it('is that of the request in everything that it waits for, also when its user becomes known', async () => {
    const caller = { name: 'address 10.0.0.1' }
    await runAs(caller, async () => {
      await new Promise(setImmediate)
      assert.equal(currentCaller(), 'address 10.0.0.1')
      caller.name = 'user 7'
      assert.equal(currentCaller(), 'user 7')
    })
    assert.equal(currentCaller(), '')
  })

  it('stays the same in a response that is made while it is read, also if another caller reads its next part', async () => {
    async function* parts() {
      for (let number = 0; number < 2; number++) yield currentCaller()
      await new Promise(setImmediate)
      yield currentCaller()
    }
    const made = runAs({ name: 'user 1' }, () => madeAsCurrentCaller(parts()))
    const seen: string[] = []
    await runAs({ name: 'user 2' }, async () => {
      for await (const part of made) seen.push(part)
    })
    assert.deepEqual(seen, ['user 1', 'user 1', 'user 1'])
  })
})
