import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from 'kysely'
import {
  FEW_CANDIDATES_TO_TEST,
  LONGEST_INTERSECTED_LIST,
  MOST_CANDIDATES,
  MOST_LISTS,
  MOST_LISTS_INTERSECTED,
} from '../thresholds.ts'
import { countLikely, indexDriven, isIndexDriven, isListed } from './candidates.ts'
import { always, type Condition, never, withFacts } from './condition.ts'
import { allOf, anyOf, not, plannedSeparately } from './conditions.ts'

const list = (estimate: number) => isListed(sql`select 1 as id`, estimate)
const plain: Condition = sql<boolean>`bugs.priority_id = 1`
const direct = (estimate: number) =>
  withFacts(plain, { candidates: { lists: [{ ids: sql`select 1 as id` }], estimate, isDirect: true } })

describe('what indexes find for one of several conditions', () => {
  it('is what they find for each, if they find something for each', () => {
    const both = anyOf([list(10), list(20)]).candidates
    assert.deepEqual([both?.lists.length, both?.estimate, both?.isDirect], [2, 30, undefined])
    assert.equal(anyOf([list(10), plain]).candidates, undefined)
    const nested = anyOf([allOf([list(10), plain]), list(20)]).candidates
    assert.deepEqual(
      nested?.lists.map(({ rest }) => rest !== undefined),
      [true, false],
      'the bugs of a list are tested for what belongs to that list',
    )
  })

  it('is nothing if there are too many lists', () => {
    const lists = (count: number) => anyOf(Array.from({ length: count }, () => list(1))).candidates
    assert.equal(lists(MOST_LISTS)?.lists.length, MOST_LISTS)
    assert.equal(lists(MOST_LISTS + 1), undefined)
  })
})

describe('what indexes find for all of several conditions', () => {
  it('is the shortest list, tested for the rest', () => {
    const [long, short] = [list(LONGEST_INTERSECTED_LIST + 1), list(FEW_CANDIDATES_TO_TEST)]
    const found = allOf([long, plain, short]).candidates
    assert.deepEqual(
      [found?.estimate, found?.intersected, found?.lists.length],
      [short.candidates?.estimate, [short.candidates?.estimate], 1],
    )
    assert.equal(found?.lists[0], short.candidates?.lists[0])
    assert.notEqual(found?.rest, undefined)
    assert.equal(allOf([plain, not(plain)]).candidates, undefined)
  })

  it('is what several lists have in common, while they are not too long', () => {
    const [one, two] = [list(LONGEST_INTERSECTED_LIST), list(FEW_CANDIDATES_TO_TEST)]
    const found = allOf([one, two]).candidates
    assert.deepEqual(
      [found?.estimate, found?.intersected?.toSorted((a, b) => a - b)],
      [FEW_CANDIDATES_TO_TEST, [FEW_CANDIDATES_TO_TEST, LONGEST_INTERSECTED_LIST]],
    )
    assert.equal(found?.rest, undefined, 'nothing is left to test')
    const many = Array.from({ length: MOST_LISTS_INTERSECTED + 3 }, () => list(FEW_CANDIDATES_TO_TEST))
    const compared = allOf(many).candidates
    assert.equal(compared?.intersected?.length, MOST_LISTS_INTERSECTED + 1)
    assert.notEqual(compared?.rest, undefined)
  })

  it('is left to the engine if it starts there by itself', () => {
    const found = allOf([list(20), direct(10)]).candidates
    assert.deepEqual([found?.isDirect, found?.estimate, found?.lists.length], [true, 10, 1])
    assert.equal(allOf([list(10), direct(20)]).candidates?.isDirect, undefined)
  })
})

describe('a search starts with what indexes find', () => {
  it('if it is little, and the engine does not do so by itself', () => {
    const of = ({ candidates }: Condition) => candidates && isIndexDriven(candidates)
    assert.deepEqual([list(1), list(MOST_CANDIDATES), list(MOST_CANDIDATES + 1), direct(1)].map(of), [
      true,
      true,
      false,
      false,
    ])
    for (const same of [plain, direct(1), list(MOST_CANDIDATES + 1)]) assert.equal(indexDriven(same), same)
    const few = list(1)
    assert.notEqual(indexDriven(few), few)
  })

  it('and expects as many bugs as independent lists have in common', () => {
    assert.equal(countLikely(plain, 1000), 1000)
    assert.equal(countLikely(list(100), 1000), 100)
    assert.equal(countLikely(list(5000), 1000), 1000)
    const both = allOf([list(FEW_CANDIDATES_TO_TEST), list(FEW_CANDIDATES_TO_TEST)])
    assert.equal(countLikely(both, 2 * FEW_CANDIDATES_TO_TEST), FEW_CANDIDATES_TO_TEST / 2)
  })
})

describe('conditions that are known', () => {
  it('are left out, or decide', () => {
    assert.equal(allOf([]), always)
    assert.equal(anyOf([]), never)
    assert.equal(allOf([always, plain, always]), plain)
    assert.equal(anyOf([never, plain, never]), plain)
    assert.equal(allOf([plain, never]), never)
    assert.equal(anyOf([plain, always]), always)
    assert.deepEqual([not(always), not(never)], [never, always])
  })

  it('keep what is known about them', () => {
    assert.equal(plannedSeparately(list(7)).candidates?.estimate, 7)
    assert.equal(plannedSeparately(plain).candidates, undefined)
    assert.equal(plannedSeparately(not(plain)).parts, undefined, 'an engine plans it by itself')
    const { parts, candidates } = withFacts(allOf([list(1), plain]), {})
    assert.deepEqual([parts !== undefined, candidates?.estimate], [true, 1])
  })
})
