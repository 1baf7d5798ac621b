import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { CALL_SCHEMAS, callSchemas } from '../scripts/call-schemas.ts'
import { ruleFiles, rulesPage } from '../scripts/rules-page.ts'
import { errorKinds, errorNumbers, meanings } from '../src/platform/errors.ts'
import { root } from './support/doc-examples.ts'

describe('docs/rules.md', () => {
  it('is what the code prints (npm run docs)', async () => {
    assert.equal(readFileSync(`${root}docs/rules.md`, 'utf8'), await rulesPage())
  })

  it('lists the rules in the order of checking, and no rule that is never checked', async () => {
    for (const { file, rules, lists } of await ruleFiles()) {
      const inOrder = lists.map((list) => rules.filter((rule) => list.includes(rule)))
      assert.deepEqual(inOrder, lists, `${file} has its rules in another order than they are checked in`)
      assert.equal(new Set(lists.flat()).size, rules.length, `${file} has a rule that is in no list`)
    }
  })
})

describe('the schemas of tools for agents', () => {
  it('are those of the calls (npm run docs)', () => {
    assert.equal(readFileSync(CALL_SCHEMAS, 'utf8'), callSchemas())
  })
})

describe('the error numbers', () => {
  it('each have a meaning', () => {
    assert.deepEqual(
      errorKinds.filter(({ code }) => !meanings[code]),
      [],
    )
  })

  it('are all in use', () => {
    const used = new Set(errorKinds.map(({ code }) => String(code)))
    assert.deepEqual(
      Object.keys(meanings).filter((code) => !used.has(code)),
      [],
    )
  })

  it('never change, and new ones are recorded (npm run docs)', () => {
    const noted: Record<string, number> = JSON.parse(readFileSync(`${root}test/error-numbers.json`, 'utf8'))
    assert.deepEqual({ ...errorNumbers }, noted)
  })
})
