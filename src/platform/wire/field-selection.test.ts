import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type FieldKind, selectionOf } from './field-selection.ts'

/** A small bug: two fields of every kind, and nested parts. */
const whole = {
  id: 1,
  name: 'one',
  tags: [],
  history: [],
  cf_colour: 'red',
  cf_size: 'big',
  parts: { id: 2, name: 'two', inner: { id: 3, name: 'three' } },
}
const KINDS: Record<string, FieldKind> = { tags: 'extra', history: 'extra', cf_colour: 'custom', cf_size: 'custom' }
const kindOf = (field: string): FieldKind => KINDS[field] ?? 'default'
const DEFAULT = 'id name parts'
const CUSTOM = 'cf_colour cf_size'
const EXTRA = 'history tags'

function fieldsOf(input: Record<string, unknown>) {
  return Object.keys(selectionOf(input).pick(whole, kindOf)).sort().join(' ')
}
const sorted = (...lists: string[]) => lists.join(' ').split(' ').filter(Boolean).sort().join(' ')

describe('include_fields and exclude_fields', () => {
  const cases: [title: string, input: Record<string, unknown>, fields: string][] = [
    ['returns default and custom fields by default', {}, sorted(DEFAULT, CUSTOM)],
    ['returns only the named fields', { include_fields: 'id,name' }, 'id name'],
    ['ignores unknown names', { include_fields: 'id,nothing' }, 'id'],
    ['returns nothing for unknown names only', { include_fields: 'nothing' }, ''],
    ['is case-sensitive', { include_fields: 'ID,Name' }, ''],
    ['treats an empty list as missing', { include_fields: '' }, sorted(DEFAULT, CUSTOM)],
    ['treats a list of only commas as missing', { include_fields: ' , ,' }, sorted(DEFAULT, CUSTOM)],
    ['accepts a repeated parameter', { include_fields: ['id', 'name,tags'] }, 'id name tags'],
    ['separates at spaces', { include_fields: 'id name' }, 'id name'],
    ['separates at plus signs', { include_fields: 'id+name' }, 'id name'],
    ['leaves out what is excluded', { exclude_fields: 'id' }, sorted('name parts', CUSTOM)],
    ['excludes what is in both lists', { include_fields: 'id,name', exclude_fields: 'id' }, 'name'],
    ['ignores unknown names in the exclusion', { exclude_fields: 'nothing' }, sorted(DEFAULT, CUSTOM)],
    ['returns an extra field that is named', { include_fields: 'tags' }, 'tags'],
    ['returns everything for _all', { include_fields: '_all' }, sorted(DEFAULT, CUSTOM, EXTRA)],
    [
      'returns the defaults, including custom fields, for _default',
      { include_fields: '_default' },
      sorted(DEFAULT, CUSTOM),
    ],
    ['adds to the defaults', { include_fields: '_default,tags' }, sorted(DEFAULT, CUSTOM, 'tags')],
    ['returns only extra fields for _extra', { include_fields: '_extra' }, EXTRA],
    ['returns defaults and extra fields', { include_fields: '_default,_extra' }, sorted(DEFAULT, CUSTOM, EXTRA)],
    ['returns only custom fields for _custom', { include_fields: '_custom' }, CUSTOM],
    ['returns named and custom fields', { include_fields: 'id,_custom' }, sorted('id', CUSTOM)],
    ['leaves out custom fields', { exclude_fields: '_custom' }, DEFAULT],
    ['leaves out extra fields of _all', { include_fields: '_all', exclude_fields: '_extra' }, sorted(DEFAULT, CUSTOM)],
    ['leaves out everything by default', { exclude_fields: '_default' }, ''],
    [
      'keeps extra fields when the defaults are excluded',
      { include_fields: '_all', exclude_fields: '_default' },
      EXTRA,
    ],
    ['leaves out everything', { exclude_fields: '_all' }, ''],
    ['returns nothing for an unknown shortcut', { include_fields: '_foo' }, ''],
    ['ignores values that are not text', { include_fields: [{ id: 1 }, null, 7] }, sorted(DEFAULT, CUSTOM)],
    ['does not find properties of the prototype', { include_fields: '__proto__,constructor,toString' }, ''],
    ['returns a field of which a part is named', { include_fields: 'parts.name' }, 'parts'],
    ['excludes a field of which a part is named', { include_fields: 'parts.name', exclude_fields: 'parts' }, ''],
    ['keeps a field of which a part is excluded', { exclude_fields: 'parts.name' }, sorted(DEFAULT, CUSTOM)],
  ]
  for (const [title, input, fields] of cases) it(title, () => assert.equal(fieldsOf(input), fields))
})

describe('subfields', () => {
  const partsOf = (input: Record<string, unknown>) => {
    const select = selectionOf(input)
    return select.wants('parts') ? Object.keys(select.within('parts').pick(whole.parts)).sort().join(' ') : undefined
  }
  const cases: [title: string, input: Record<string, unknown>, parts: string | undefined][] = [
    ['are all returned by default', {}, 'id inner name'],
    ['are all returned when the field is named', { include_fields: 'parts' }, 'id inner name'],
    ['are only those named', { include_fields: 'parts.name' }, 'name'],
    ['are several when several are named', { include_fields: 'parts.name,parts.id' }, 'id name'],
    [
      'are all returned when the field is named together with one of them',
      { include_fields: 'parts,parts.id' },
      'id inner name',
    ],
    ['are all returned with _default and one of them', { include_fields: '_default,parts.id' }, 'id inner name'],
    ['can be excluded from a named field', { include_fields: 'parts', exclude_fields: 'parts.id' }, 'inner name'],
    ['can be excluded alone', { exclude_fields: 'parts.id,parts.name' }, 'inner'],
    ['are excluded when they are in both lists', { include_fields: 'parts.id', exclude_fields: 'parts.id' }, ''],
    ['are excluded with their field', { exclude_fields: 'parts' }, undefined],
    ['of another field make no difference', { include_fields: 'other.id' }, undefined],
    ['that do not exist return an empty object', { include_fields: 'parts.nothing' }, ''],
    ['of subfields include their parent', { include_fields: 'parts.inner.id' }, 'inner'],
  ]
  for (const [title, input, parts] of cases) it(title, () => assert.equal(partsOf(input), parts))

  it('can be nested to any depth', () => {
    const inner = selectionOf({ include_fields: 'parts.inner.id' }).within('parts').within('inner')
    assert.deepEqual(inner.pick(whole.parts.inner), { id: 3 })
  })
})

describe('a selection used while reading', () => {
  it('does not want an extra field unless it is named', () => {
    assert.equal(selectionOf({}).wants('history', 'extra'), false)
    assert.equal(selectionOf({ exclude_fields: 'id' }).wants('history', 'extra'), false)
    assert.equal(selectionOf({ include_fields: 'history' }).wants('history', 'extra'), true)
    assert.equal(selectionOf({ include_fields: '_all' }).wants('history', 'extra'), true)
  })

  it('does not want a field when only others are named', () => {
    assert.equal(selectionOf({ include_fields: 'id' }).wants('parts'), false)
    assert.equal(selectionOf({ include_fields: 'parts.id' }).wants('parts'), true)
  })

  it('is not taken for another one that reads the same without its names', () => {
    const wants = (params: Record<string, string>) =>
      ['id', 'summary'].filter((name) => selectionOf(params).wants(name))
    assert.deepEqual(wants({ include_fields: 'id\nsummary' }), ['id', 'summary'])
    assert.deepEqual(wants({ include_fields: 'id', exclude_fields: 'summary\nundefined' }), ['id'])
    assert.deepEqual(wants({ include_fields: 'undefined' }), [])
    assert.deepEqual(wants({ exclude_fields: 'undefined' }), ['id', 'summary'])
  })
})
