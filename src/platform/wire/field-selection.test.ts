import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type FieldKind, selectionOf } from './field-selection.ts'

/** A bug in small: two fields of every kind, and parts within. */
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

function fieldsOf(given: Record<string, unknown>) {
  return Object.keys(selectionOf(given).pick(whole, kindOf)).sort().join(' ')
}
const sorted = (...lists: string[]) => lists.join(' ').split(' ').filter(Boolean).sort().join(' ')

describe('include_fields and exclude_fields', () => {
  const cases: [title: string, given: Record<string, unknown>, fields: string][] = [
    ['gives default and custom fields when nothing is said', {}, sorted(DEFAULT, CUSTOM)],
    ['gives only what is named', { include_fields: 'id,name' }, 'id name'],
    ['ignores unknown names', { include_fields: 'id,nothing' }, 'id'],
    ['gives nothing when only unknown names are there', { include_fields: 'nothing' }, ''],
    ['tells letter case', { include_fields: 'ID,Name' }, ''],
    ['takes an empty list for none', { include_fields: '' }, sorted(DEFAULT, CUSTOM)],
    ['takes nothing but commas for none', { include_fields: ' , ,' }, sorted(DEFAULT, CUSTOM)],
    ['takes a repeated parameter', { include_fields: ['id', 'name,tags'] }, 'id name tags'],
    ['separates at blanks', { include_fields: 'id name' }, 'id name'],
    ['separates at plus signs', { include_fields: 'id+name' }, 'id name'],
    ['leaves out what is excluded', { exclude_fields: 'id' }, sorted('name parts', CUSTOM)],
    ['excludes what is in both lists', { include_fields: 'id,name', exclude_fields: 'id' }, 'name'],
    ['ignores unknown names in the exclusion', { exclude_fields: 'nothing' }, sorted(DEFAULT, CUSTOM)],
    ['gives an extra field that is named', { include_fields: 'tags' }, 'tags'],
    ['gives everything for _all', { include_fields: '_all' }, sorted(DEFAULT, CUSTOM, EXTRA)],
    ['gives the defaults, custom ones too, for _default', { include_fields: '_default' }, sorted(DEFAULT, CUSTOM)],
    ['adds to the defaults', { include_fields: '_default,tags' }, sorted(DEFAULT, CUSTOM, 'tags')],
    ['gives only extra fields for _extra', { include_fields: '_extra' }, EXTRA],
    ['gives defaults and extra fields', { include_fields: '_default,_extra' }, sorted(DEFAULT, CUSTOM, EXTRA)],
    ['gives only custom fields for _custom', { include_fields: '_custom' }, CUSTOM],
    ['gives named and custom fields', { include_fields: 'id,_custom' }, sorted('id', CUSTOM)],
    ['leaves out custom fields', { exclude_fields: '_custom' }, DEFAULT],
    ['leaves out extra fields of _all', { include_fields: '_all', exclude_fields: '_extra' }, sorted(DEFAULT, CUSTOM)],
    ['leaves out everything by default', { exclude_fields: '_default' }, ''],
    ['keeps extra fields when the defaults go', { include_fields: '_all', exclude_fields: '_default' }, EXTRA],
    ['leaves out everything', { exclude_fields: '_all' }, ''],
    ['gives nothing for an unknown shortcut', { include_fields: '_foo' }, ''],
    ['ignores what is no text', { include_fields: [{ id: 1 }, null, 7] }, sorted(DEFAULT, CUSTOM)],
    ['knows no fields but those there are', { include_fields: '__proto__,constructor,toString' }, ''],
    ['gives a field of which a part is named', { include_fields: 'parts.name' }, 'parts'],
    ['excludes a field of which a part is named', { include_fields: 'parts.name', exclude_fields: 'parts' }, ''],
    ['keeps a field of which a part is excluded', { exclude_fields: 'parts.name' }, sorted(DEFAULT, CUSTOM)],
  ]
  for (const [title, given, fields] of cases) it(title, () => assert.equal(fieldsOf(given), fields))
})

describe('subfields', () => {
  const partsOf = (given: Record<string, unknown>) => {
    const select = selectionOf(given)
    return select.wants('parts') ? Object.keys(select.within('parts').pick(whole.parts)).sort().join(' ') : undefined
  }
  const cases: [title: string, given: Record<string, unknown>, parts: string | undefined][] = [
    ['are all there by default', {}, 'id inner name'],
    ['are all there when the field is named', { include_fields: 'parts' }, 'id inner name'],
    ['are only those named', { include_fields: 'parts.name' }, 'name'],
    ['are several when several are named', { include_fields: 'parts.name,parts.id' }, 'id name'],
    ['are all there when the field is named beside one of them', { include_fields: 'parts,parts.id' }, 'id inner name'],
    ['are all there with _default beside one of them', { include_fields: '_default,parts.id' }, 'id inner name'],
    ['can be excluded from a named field', { include_fields: 'parts', exclude_fields: 'parts.id' }, 'inner name'],
    ['can be excluded alone', { exclude_fields: 'parts.id,parts.name' }, 'inner'],
    ['are excluded when in both lists', { include_fields: 'parts.id', exclude_fields: 'parts.id' }, ''],
    ['are gone with their field', { exclude_fields: 'parts' }, undefined],
    ['of another field make no difference', { include_fields: 'other.id' }, undefined],
    ['that do not exist give an empty object', { include_fields: 'parts.nothing' }, ''],
    ['of subfields bring their parent', { include_fields: 'parts.inner.id' }, 'inner'],
  ]
  for (const [title, given, parts] of cases) it(title, () => assert.equal(partsOf(given), parts))

  it('go as deep as they are written', () => {
    const inner = selectionOf({ include_fields: 'parts.inner.id' }).within('parts').within('inner')
    assert.deepEqual(inner.pick(whole.parts.inner), { id: 3 })
  })
})

describe('a selection asked while reading', () => {
  it('says that an extra field need not be read unless it is asked for', () => {
    assert.equal(selectionOf({}).wants('history', 'extra'), false)
    assert.equal(selectionOf({ exclude_fields: 'id' }).wants('history', 'extra'), false)
    assert.equal(selectionOf({ include_fields: 'history' }).wants('history', 'extra'), true)
    assert.equal(selectionOf({ include_fields: '_all' }).wants('history', 'extra'), true)
  })

  it('says that a field need not be read when only others are named', () => {
    assert.equal(selectionOf({ include_fields: 'id' }).wants('parts'), false)
    assert.equal(selectionOf({ include_fields: 'parts.id' }).wants('parts'), true)
  })
})
