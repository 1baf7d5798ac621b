import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Traffic } from './traffic.ts'

describe('whoever lets others write first', () => {
  const waited = async (there: Traffic, longest: number) => {
    const before = performance.now()
    // As another thread sees it.
    await new Traffic(there.shared).ended(longest)
    return performance.now() - before
  }

  it('waits until they have paused for a moment', async () => {
    const traffic = new Traffic()
    traffic.note()
    assert.ok((await waited(traffic, 10_000)) > 15)
  })

  it('goes on at once where nobody writes', async () => {
    const traffic = new Traffic()
    const others = setTimeout(() => assert.fail('It waited'), 10_000)
    await waited(traffic, 60_000)
    clearTimeout(others)
  })

  it('does not wait for those who never pause', async () => {
    const traffic = new Traffic()
    traffic.note()
    const writing = setInterval(() => traffic.note(), 2)
    const took = await waited(traffic, 100)
    clearInterval(writing)
    assert.ok(took > 90, `It waited only ${took} ms`)
  })
})
