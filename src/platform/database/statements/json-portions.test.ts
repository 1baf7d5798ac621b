import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { postgresDialect } from '../../dialects/postgres-dialect.ts'
import { sqliteDialect } from '../../dialects/sqlite-dialect.ts'
import { jsonPortions } from './json-portions.ts'

describe('the rows of statements', () => {
  it('are divided by their number, their length and what is written besides', () => {
    const sizes = (items: readonly number[], rowOf?: (id: number) => unknown, weight?: number) =>
      [...jsonPortions({ dialect: sqliteDialect }, items, rowOf, weight)].map((rows) => JSON.parse(rows).length)
    const ids = Array.from({ length: 250 }, (_, index) => index)
    assert.deepEqual(sizes([]), [])
    assert.deepEqual(sizes(ids), [100, 100, 50])
    assert.deepEqual(
      sizes(ids.slice(0, 5), (id) => ({ id, text: 'x'.repeat(40_000) })),
      [2, 2, 1],
    )
    assert.deepEqual(sizes(ids.slice(0, 3), undefined, 70_000), [1, 1, 1])
    assert.deepEqual([...jsonPortions({ dialect: postgresDialect }, ids)], [JSON.stringify(ids)])
  })
})
