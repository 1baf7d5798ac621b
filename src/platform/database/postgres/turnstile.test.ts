import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Turnstile } from './turnstile.ts'

describe('A turnstile', () => {
  const open = (longestWaitMilliseconds: number) =>
    new Turnstile({ inside: 2, waiting: 2, longestWaitMilliseconds }, () => new Error('full'))

  it('lets a limited number in, and the next in order when one leaves', async () => {
    const turnstile = open(60_000)
    assert.deepEqual([turnstile.enter(), turnstile.enter()], [undefined, undefined])
    const order: string[] = []
    const third = turnstile.enter()?.then(() => order.push('third'))
    const fourth = turnstile.enter()?.then(() => order.push('fourth'))
    await assert.rejects(async () => turnstile.enter(), /full/)
    assert.deepEqual([turnstile.insideCount, turnstile.waitingCount], [2, 2])
    turnstile.leave()
    await third
    turnstile.leave()
    await fourth
    assert.deepEqual(order, ['third', 'fourth'])
    turnstile.leave()
    turnstile.leave()
    assert.deepEqual([turnstile.insideCount, turnstile.waitingCount], [0, 0])
  })

  it('refuses entries that wait too long, and forgets them', async () => {
    const turnstile = open(5)
    assert.deepEqual([turnstile.enter(), turnstile.enter()], [undefined, undefined])
    await assert.rejects(async () => turnstile.enter(), /full/)
    turnstile.leave()
    assert.equal(turnstile.enter(), undefined)
  })
})
