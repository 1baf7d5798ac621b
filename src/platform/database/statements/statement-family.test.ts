import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from 'kysely'
import { BoundedCache } from '../../bounded-cache.ts'
import { sqliteDialect } from '../../dialects/sqlite-dialect.ts'
import { statement } from './statement.ts'
import { statementFamily } from './statement-family.ts'

describe('A statement cache', () => {
  it('keeps entries in use and evicts each of the others once', () => {
    const evicted: number[] = []
    const cache = new BoundedCache<number>(10, (value) => evicted.push(value))
    for (let number = 1; number <= 1000; number++) {
      assert.equal(cache.get(`${number}`), undefined)
      cache.set(`${number}`, number)
      assert.equal(cache.get('1'), 1)
    }
    assert.ok(!evicted.includes(1))
    assert.equal(new Set(evicted).size, evicted.length)
    const kept = 1000 - evicted.length
    assert.ok(kept >= 5 && kept <= 10, `${kept} are kept`)
    assert.equal(cache.get('1000'), 1000)
  })
})

describe('A statement family', () => {
  it('builds each variant once while it is in use', () => {
    let written = 0
    const family = statementFamily(
      (column: string) => column,
      (column) => {
        written++
        return statement<object>()((q) => ({ compile: () => sql`select 1 as ${sql.ref(column)}`.compile(q) }))
      },
    )
    assert.equal(family('a'), family('a'))
    assert.equal(family('b').for(sqliteDialect).sql, 'select 1 as "b"')
    assert.equal(written, 2)
  })
})
