import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chosenGroups } from './chosen-groups.ts'

describe('chosenGroups', () => {
  const before = new Set([1, 2, 3])
  const everything = () => true

  it('adds and removes the named groups, each once', () => {
    const requested = { add: [3, 4, 4, 5], remove: [1, 9, 1] }
    assert.deepEqual(chosenGroups(before, requested, everything), { added: [4, 5], removed: [1] })
  })

  it('adds a group that is both added and removed', () => {
    assert.deepEqual(chosenGroups(before, { add: [1, 4], remove: [1, 4] }, everything), { added: [4], removed: [] })
  })

  it('replaces the whole list with set', () => {
    assert.deepEqual(chosenGroups(before, { set: [3, 4] }, everything), { added: [4], removed: [1, 2] })
    assert.deepEqual(chosenGroups(before, { set: [] }, everything), { added: [], removed: [1, 2, 3] })
  })

  it('keeps, with set, the groups that the caller may not change', () => {
    const onlyOdd = (group: number) => group % 2 === 1
    assert.deepEqual(chosenGroups(before, { set: [5] }, onlyOdd), { added: [5], removed: [1, 3] })
    assert.deepEqual(
      chosenGroups(before, { set: [] }, () => false),
      { added: [], removed: [] },
    )
  })
})
