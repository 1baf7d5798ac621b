import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { sqliteDialect } from '../../dialects/sqlite-dialect.ts'
import { statement } from './statement.ts'

describe('a statement', () => {
  it('is compiled once, with a value for each parameter when it is run', () => {
    const byLogin = statement<{ key: string }>()((q, p) =>
      q.selectFrom('users').select('id').where('login_key', '=', p.key),
    )
    const compiled = byLogin.for(sqliteDialect)
    assert.equal(compiled.sql, 'select "id" from "users" where "login_key" = ?')
    assert.deepEqual(compiled.valuesFor({ key: 'ada' }), ['ada'])
    assert.equal(byLogin.for(sqliteDialect), compiled)
  })

  it('does not depend on the limit, so that SQLite plans it once', () => {
    const first = statement<{ most: number }>()((q, p) => q.selectFrom('users').select('id').limit(p.most))
    assert.equal(first.for(sqliteDialect).sql, 'select "id" from "users" limit (? + 0)')
  })

  it('cannot branch on a parameter, which has no value yet: that does not compile', () => {
    statement<{ key?: string; id: number }>()((q, p) => {
      const users = q.selectFrom('users').select('id')
      // @ts-expect-error: a condition
      const chosen = p.key ? 'a' : 'b'
      // @ts-expect-error: a comparison
      const isFirst = p.id === 1
      // @ts-expect-error: arithmetic
      const next = p.id + 1
      // @ts-expect-error: a part of the value
      const first = p.key.trim()
      return users.where('login_key', '=', `${chosen}${isFirst}${next}${first}`)
    })
  })

  it('has no parameter as a condition anywhere in the source', () => {
    // The compiler allows a condition whose branch uses the parameter again: `p.key ? q.where('key', '=', p.key) : q`.
    const condition = /\bp\.\w+\s*(\?(?![.?])|&&|\|\|)|!p\.\w|\bif \(p\./
    assert.match('p.key ? a : b', condition)
    const found = globSync('src/**/*.ts').filter(
      (file) => !file.endsWith('statement.test.ts') && condition.test(withoutComments(readFileSync(file, 'utf8'))),
    )
    assert.deepEqual(found, [])
  })
})

function withoutComments(text: string) {
  return text.replace(/\/\*\*[\s\S]*?\*\/|\/\/.*/g, '')
}
