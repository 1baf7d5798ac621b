import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { fold } from '../text/fold.ts'
import { addTextFunctions } from './sqlite-text-functions.ts'
import { RowTexts, type TextTest } from './text-tests.ts'

const TEXTS = ['', 'a', 'Amber Light', 'ÄRGER', 'A\u0308rger', 'straße', '\uffee', '💡 idea', 'amber-light', 'zz\ta']

/** Each test with the equivalent SQL for a text and its folded form. */
const TESTS: readonly [sql: string, test: (input: string) => TextTest][] = [
  ['instr(key, fold) > 0', (input) => ({ contains: fold(input) })],
  ['instr(text, given) > 0', (input) => ({ containsExactly: input })],
  ['key = fold', (input) => ({ equalsAny: ['no text', fold(input)] })],
  ['has_word(key, fold)', (input) => ({ hasWord: fold(input) })],
  ['has_pattern(text, given)', (input) => ({ hasPattern: input })],
  ['key < fold', (input) => ({ isBelow: fold(input), orEqual: false })],
  ['key <= fold', (input) => ({ isBelow: fold(input), orEqual: true })],
  ['key > fold', (input) => ({ isAbove: fold(input), orEqual: false })],
  ['key >= fold', (input) => ({ isAbove: fold(input), orEqual: true })],
]

describe('a condition on a text', () => {
  const db = new DatabaseSync(':memory:')
  addTextFunctions(db)

  for (const [sql, test] of TESTS)
    it(`has the same result as SQL: ${sql}`, () => {
      const statement = db.prepare(
        `select ${sql} as holds from (select ? as text, ? as key, ? as given, ? as fold) as row`,
      )
      for (const text of TEXTS)
        for (const input of TEXTS) {
          const row = statement.get(text, fold(text), input, fold(input))
          const holds = new RowTexts([text]).hold({ index: 0, test: test(input) })
          assert.equal(Number(holds), row?.holds, `${JSON.stringify(text)} and ${JSON.stringify(input)}`)
        }
    })

  it('can be combined with others, each about its own text, and is false for a missing text', () => {
    const row = new RowTexts(['Amber', 'birch', null])
    const has = (index: number, contains: string) => ({ index, test: { contains } })
    assert.equal(row.hold({ all: [has(0, 'amb'), has(1, 'birch')] }), true)
    assert.equal(row.hold({ all: [has(0, 'amb'), has(1, 'amb')] }), false)
    assert.equal(row.hold({ any: [has(0, 'oak'), has(1, 'bir')] }), true)
    assert.equal(row.hold({ not: has(0, 'oak') }), true)
    assert.equal(row.hold(has(2, '')), false)
    assert.equal(row.hold({ not: has(2, '') }), true)
  })
})
