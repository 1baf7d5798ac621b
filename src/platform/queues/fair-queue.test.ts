import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ApiError } from '../errors.ts'
import { FairQueue } from './fair-queue.ts'

describe('a fair queue', () => {
  it('lets callers take turns, however many tasks one of them has', async () => {
    const queue = new FairQueue({ running: 1, waiting: 100, waitingOfOneCaller: 100 })
    const done: string[] = []
    const tasks = ['flood', 'flood', 'flood', 'flood', 'calm', 'other', 'calm'].map((caller) =>
      queue.run(caller, async () => void done.push(caller)),
    )
    await Promise.all(tasks)
    assert.deepEqual(done, ['flood', 'flood', 'calm', 'other', 'flood', 'calm', 'flood'])
  })

  it('refuses another task of a caller with too many, and of every caller when it is full', async () => {
    const queue = new FairQueue({ running: 1, waiting: 3, waitingOfOneCaller: 2 })
    const isRefused = (fault: unknown) =>
      fault instanceof ApiError && fault.reason === 'overloaded' && fault.status === 503
    const gate = Promise.withResolvers<void>()
    const nothing = () => gate.promise
    const tasks = ['flood', 'flood', 'flood'].map((caller) => queue.run(caller, nothing))
    await assert.rejects(queue.run('flood', nothing), isRefused)
    assert.throws(() => queue.requireRoom('flood'), isRefused)
    queue.requireRoom('calm')
    tasks.push(queue.run('calm', nothing))
    await assert.rejects(queue.run('other', nothing), isRefused)
    gate.resolve()
    await Promise.all(tasks)
    await queue.run('flood', nothing)
  })

  it('continues after a task that fails', async () => {
    const queue = new FairQueue({ running: 1, waiting: 3, waitingOfOneCaller: 3 })
    const failing = queue.run('a', async () => assert.fail('no'))
    const next = queue.run('a', async () => 7)
    await assert.rejects(failing)
    assert.equal(await next, 7)
  })
})
