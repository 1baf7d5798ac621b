import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BoundedSemaphore } from './bounded-semaphore.ts'

describe('A bounded semaphore', () => {
  const open = (longestWaitMilliseconds: number) =>
    new BoundedSemaphore({ inside: 2, waiting: 2, longestWaitMilliseconds }, () => new Error('full'))

  it('lets a limited number in, and the next in order when one leaves', async () => {
    const semaphore = open(60_000)
    assert.deepEqual([semaphore.enter(), semaphore.enter()], [undefined, undefined])
    const order: string[] = []
    const third = semaphore.enter()?.then(() => order.push('third'))
    const fourth = semaphore.enter()?.then(() => order.push('fourth'))
    await assert.rejects(async () => semaphore.enter(), /full/)
    assert.deepEqual([semaphore.insideCount, semaphore.waitingCount], [2, 2])
    semaphore.leave()
    await third
    semaphore.leave()
    await fourth
    assert.deepEqual(order, ['third', 'fourth'])
    semaphore.leave()
    semaphore.leave()
    assert.deepEqual([semaphore.insideCount, semaphore.waitingCount], [0, 0])
  })

  it('refuses entries that wait too long, and forgets them', async () => {
    const semaphore = open(5)
    assert.deepEqual([semaphore.enter(), semaphore.enter()], [undefined, undefined])
    await assert.rejects(async () => semaphore.enter(), /full/)
    semaphore.leave()
    assert.equal(semaphore.enter(), undefined)
  })
})
