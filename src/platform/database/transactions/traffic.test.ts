import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { LowPriority, Traffic } from './traffic.ts'

describe('low priority', () => {
  let writing: NodeJS.Timeout | undefined
  afterEach(() => clearInterval(writing))

  /** Writers that never pause. */
  const busy = () => {
    const traffic = new Traffic()
    traffic.note()
    writing = setInterval(() => traffic.note(), 2)
    return traffic
  }
  // As another thread sees it.
  const lowPriorityBehind = ({ shared }: Traffic, longestMilliseconds: number, share = 0) =>
    new LowPriority(new Traffic(shared), longestMilliseconds, share)
  const waited = async (lowPriority: LowPriority) => {
    const before = performance.now()
    await lowPriority.waitUntilWriterIdle()
    return performance.now() - before
  }

  it('waits until the writers have paused for a moment', async () => {
    const traffic = new Traffic()
    traffic.note()
    assert.ok((await waited(lowPriorityBehind(traffic, 10_000))) > 15)
  })

  it('continues at once when there is no writer', async () => {
    const late = setTimeout(() => assert.fail('It waited'), 10_000)
    await waited(lowPriorityBehind(new Traffic(), 60_000))
    clearTimeout(late)
  })

  it('does not wait forever for writers that never pause', async () => {
    const took = await waited(lowPriorityBehind(busy(), 100))
    assert.ok(took > 90, `It waited only ${took} ms`)
  })

  it('does not wait again for a while after it has waited in vain', async () => {
    const lowPriority = lowPriorityBehind(busy(), 100, 60_000)
    await lowPriority.waitUntilWriterIdle()
    let hasWaited = true
    void lowPriority.waitUntilWriterIdle().then(() => {
      hasWaited = false
    })
    // What waits for nothing has ended before the next turn of the event loop.
    await new Promise(setImmediate)
    assert.equal(hasWaited, false)
  })

  it('waits again after that time', async () => {
    const lowPriority = lowPriorityBehind(busy(), 100, 1)
    await lowPriority.waitUntilWriterIdle()
    await new Promise((resolve) => setTimeout(resolve, 10))
    const took = await waited(lowPriority)
    assert.ok(took > 90, `It waited only ${took} ms`)
  })

  it('takes no share of the time from writers that do pause', async () => {
    const traffic = new Traffic()
    const lowPriority = lowPriorityBehind(traffic, 10_000, 60_000)
    traffic.note()
    await lowPriority.waitUntilWriterIdle()
    traffic.note()
    assert.ok((await waited(lowPriority)) > 15)
  })
})
