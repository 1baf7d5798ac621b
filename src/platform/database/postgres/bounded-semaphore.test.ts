import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { partOfCaller } from '../../queues/caller-turns.ts'
import { BoundedSemaphore } from './bounded-semaphore.ts'

const SIZES = {
  inside: 2,
  insideOfOneCaller: 2,
  waiting: 2,
  waitingOfOneCaller: 2,
  longestWaitMilliseconds: 60_000,
}

describe('A bounded semaphore', () => {
  const open = (sizes: Partial<typeof SIZES> = {}) =>
    new BoundedSemaphore({ ...SIZES, ...sizes }, () => new Error('full'))

  it('lets a limited number in, and the next in order when one leaves', async () => {
    const semaphore = open()
    assert.deepEqual([semaphore.enter('a'), semaphore.enter('a')], [undefined, undefined])
    const order: string[] = []
    const third = semaphore.enter('a')?.then(() => order.push('third'))
    const fourth = semaphore.enter('a')?.then(() => order.push('fourth'))
    await assert.rejects(async () => semaphore.enter('a'), /full/)
    assert.deepEqual([semaphore.insideCount, semaphore.waitingCount], [2, 2])
    semaphore.leave('a')
    await third
    semaphore.leave('a')
    await fourth
    assert.deepEqual(order, ['third', 'fourth'])
    semaphore.leave('a')
    semaphore.leave('a')
    assert.deepEqual([semaphore.insideCount, semaphore.waitingCount], [0, 0])
  })

  it('refuses entries that wait too long, and forgets them', async () => {
    const semaphore = open({ longestWaitMilliseconds: 5 })
    assert.deepEqual([semaphore.enter('a'), semaphore.enter('a')], [undefined, undefined])
    await assert.rejects(async () => semaphore.enter('a'), /full/)
    semaphore.leave('a')
    assert.equal(semaphore.enter('a'), undefined)
  })

  it('keeps room for others than the caller with the most inside, and lets that one go on when it leaves', async () => {
    const semaphore = open({ inside: 3 })
    assert.deepEqual([semaphore.enter('flood'), semaphore.enter('flood')], [undefined, undefined])
    let isInside = false
    const third = semaphore.enter('flood')?.then(() => {
      isInside = true
    })
    assert.equal(semaphore.enter('calm'), undefined)
    semaphore.leave('calm')
    await Promise.resolve()
    assert.equal(isInside, false)
    semaphore.leave('flood')
    await third
    assert.equal(semaphore.insideCount, 2)
  })

  it('lets the caller with the fewest inside in first, however many wait before', async () => {
    const semaphore = open({ inside: 3, insideOfOneCaller: 3, waiting: 100, waitingOfOneCaller: 100 })
    for (const caller of ['one', 'one', 'two']) assert.equal(semaphore.enter(caller), undefined)
    const order: string[] = []
    const enter = (caller: string) => semaphore.enter(caller)?.then(() => order.push(caller))
    const waiting = ['one', 'one', 'two', 'two', 'calm'].map(enter)
    for (const caller of ['one', 'two', 'calm', 'one', 'two']) {
      semaphore.leave(caller)
      await new Promise(setImmediate)
    }
    await Promise.all(waiting)
    assert.deepEqual(order, ['calm', 'two', 'one', 'two', 'one'])
  })

  it('lets the parts of a caller take turns, whose turns are those of the caller', async () => {
    const semaphore = open({ inside: 1, waiting: 100, waitingOfOneCaller: 100 })
    assert.equal(semaphore.enter('other'), undefined)
    const order: string[] = []
    const [busy, calm] = [partOfCaller('address', 'busy'), partOfCaller('address', 'calm')]
    const waiting = [busy, busy, busy, calm, 'other'].map((caller) =>
      semaphore.enter(caller)?.then(() => order.push(caller)),
    )
    for (const caller of ['other', busy, 'other', calm, busy]) {
      semaphore.leave(caller)
      await new Promise(setImmediate)
    }
    await Promise.all(waiting)
    assert.deepEqual(order, [busy, 'other', calm, busy, busy])
  })

  it('refuses the last of the caller with the most when too many wait, not the one that comes', async () => {
    const semaphore = open({ inside: 1, waiting: 3, waitingOfOneCaller: 3 })
    assert.equal(semaphore.enter('flood'), undefined)
    const [first, second, third] = ['flood', 'flood', 'flood'].map((caller) => semaphore.enter(caller))
    const calm = semaphore.enter('calm')
    await assert.rejects(async () => third, /full/)
    for (const caller of ['flood', 'calm', 'flood']) semaphore.leave(caller)
    await Promise.all([first, second, calm])
  })

  it('says how long a caller waits who has nothing inside, and nothing of those who wait for themselves', async () => {
    const semaphore = open({ inside: 3, waiting: 100, waitingOfOneCaller: 100 })
    for (const caller of ['flood', 'flood', 'other']) assert.equal(semaphore.enter(caller), undefined)
    const flood = semaphore.enter('flood')
    await setTimeout(20)
    assert.equal(semaphore.waitMilliseconds, 0)
    const calm = semaphore.enter('calm')
    await setTimeout(20)
    const waited = semaphore.waitMilliseconds
    assert.ok(waited >= 15 && waited < 10_000, String(waited))
    semaphore.leave('other')
    await calm
    assert.equal(semaphore.waitMilliseconds, 0)
    semaphore.leave('flood')
    await flood
  })
})
