import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { walk } from './walk.ts'

const among = (links: Readonly<Record<number, readonly number[]>>) => {
  let questions = 0
  return {
    count: () => questions,
    neighbours: async (of: readonly number[], most: number) => {
      questions++
      return [...new Set(of.flatMap((id) => links[id] ?? []))].sort((a, b) => a - b).slice(0, most)
    },
  }
}

describe('a walk', () => {
  it('finds the fewest steps to each item, with one query per step', async () => {
    const { neighbours, count } = among({ 1: [2, 3], 2: [3, 4], 3: [], 4: [5] })
    const { steps, isComplete } = await walk(1, 2, 100, neighbours)
    assert.deepEqual(
      [...steps],
      [
        [1, 0],
        [2, 1],
        [3, 1],
        [4, 2],
      ],
    )
    assert.equal(isComplete, true)
    assert.equal(count(), 2)
  })

  it('ends when it finds nothing new, also in a circle', async () => {
    const { neighbours, count } = among({ 1: [2], 2: [1] })
    assert.deepEqual([...(await walk(1, 9, 100, neighbours)).steps.keys()], [1, 2])
    assert.equal(count(), 2)
  })

  it('ends at its limit and reports that it is incomplete', async () => {
    const { neighbours } = among({ 1: [2, 3, 4], 2: [5] })
    assert.deepEqual(await walk(1, 9, 3, neighbours), {
      steps: new Map([
        [1, 0],
        [2, 1],
        [3, 1],
      ]),
      isComplete: false,
    })
    assert.equal((await walk(1, 1, 4, neighbours)).isComplete, true)
  })
})
