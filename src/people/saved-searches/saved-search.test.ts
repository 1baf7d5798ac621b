import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { enforce } from '../../platform/rule.ts'
import { changedSearch, parametersIn, type SavedEdit, withoutCredentials } from './saved-search.ts'
import { savedSearchRules } from './saved-search-rules.ts'

const search: SavedEdit = { name: 'Mine', query: 'product=A', sort_key: 0 }

function brokenBy(more: Partial<SavedEdit>): string | undefined {
  try {
    enforce(savedSearchRules, { ...search, ...more })
    return undefined
  } catch (error) {
    return (error as { reason: string }).reason
  }
}

describe('a saved search', () => {
  it('keeps of an address what follows the question mark, and no credentials', () => {
    const queryOf = (query: string) => changedSearch(search, { query }).query
    assert.equal(queryOf(' https://bugs.test/buglist.cgi?product=B&order=x?y '), 'product=B&order=x?y')
    assert.equal(queryOf('product=what?&x=1'), 'product=what?&x=1')
    assert.equal(queryOf('product=B&api_key=geheim&token=t'), 'product=B')
    assert.equal(queryOf('?product=B'), 'product=B')
    const tail = '&api_key=geheim'
    assert.equal(queryOf(`a=${'x'.repeat(20_000 - 2 - tail.length)}${tail}`).includes('geheim'), false, 'of any length')
    assert.deepEqual(changedSearch(search, {}), search)
    assert.deepEqual(changedSearch(search, { name: ' Ours ', sort_key: 5 }), { ...search, name: 'Ours', sort_key: 5 })
  })

  it('without credentials stays as it was, byte for byte', () => {
    for (const query of ['a=%20b&c', 'x=a+b', '']) assert.equal(withoutCredentials(query), query)
    assert.equal(withoutCredentials('a=%20b&Bugzilla_api_key=x&a=c'), 'a=+b&a=c')
  })

  it('repeats a parameter as a list', () => {
    const read = parametersIn('a=1&b=2&a=3&a=4&__proto__=5&c=')
    assert.deepEqual(Object.entries(read), [
      ['a', ['1', '3', '4']],
      ['b', '2'],
      ['__proto__', '5'],
      ['c', ''],
    ])
  })

  it('has a plain name', () => {
    assert.equal(brokenBy({ name: '' }), 'parameter_required')
    assert.equal(brokenBy({ name: 'x'.repeat(64) }), undefined)
    for (const name of ['x'.repeat(65), 'a<b', 'a>b', 'a&b', 'a\nb'])
      assert.equal(brokenBy({ name }), 'bad_value', JSON.stringify(name))
  })

  it('asks something, in at most 20,000 characters', () => {
    assert.equal(brokenBy({ query: '' }), 'parameter_required')
    assert.equal(brokenBy({ query: `summary=${'x'.repeat(19_992)}` }), undefined)
    assert.equal(brokenBy({ query: `summary=${'x'.repeat(19_993)}` }), 'bad_value')
  })

  it('uses no other saved search', () => {
    assert.equal(brokenBy({ query: 'savedsearch=Mine' }), 'bad_value')
    assert.equal(brokenBy({ query: 'product=savedsearch' }), undefined)
  })

  it('has a sort key from 0 to 32,767', () => {
    for (const sort_key of [0, 32_767]) assert.equal(brokenBy({ sort_key }), undefined)
    for (const sort_key of [-1, 32_768]) assert.equal(brokenBy({ sort_key }), 'bad_value')
  })
})
