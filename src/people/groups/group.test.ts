import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { enforce } from '../../platform/rule.ts'
import { faultInPattern } from '../../platform/text/regexps.ts'
import { type Group, groupRules } from './group.ts'

const group: Group = {
  id: 7,
  name: 'testers',
  description: 'Those who test',
  is_bug_group: 1,
  user_regexp: '',
  is_active: 1,
  icon_url: null,
  is_system: 0,
}

function brokenBy(after: Partial<Group>, before?: Group): string | undefined {
  try {
    enforce(groupRules, { before, after: { ...(before ?? group), ...after } })
    return undefined
  } catch (error) {
    return (error as { reason: string }).reason
  }
}

describe('a group', () => {
  it('has a name of one line, which is not a number', () => {
    assert.equal(brokenBy({ name: '' }), 'group_name_empty')
    assert.equal(brokenBy({ name: 'x'.repeat(255) }), undefined)
    for (const name of ['x'.repeat(256), '12', 'two\nlines', 'a\u2028b', 'a\u2029b', 'a\u0000b'])
      assert.equal(brokenBy({ name }), 'bad_value', JSON.stringify(name))
    for (const name of ['12a', 'a12', '1 2', 'größe & mehr']) assert.equal(brokenBy({ name }), undefined, name)
  })

  it('has a description, and texts of at most 10,000 characters', () => {
    assert.equal(brokenBy({ description: '' }), 'group_description_empty')
    assert.equal(brokenBy({ description: 'x'.repeat(10_000), icon_url: `/${'x'.repeat(9_999)}` }), undefined)
    assert.equal(brokenBy({ description: 'x'.repeat(10_001) }), 'bad_value')
    assert.equal(brokenBy({ icon_url: `/${'x'.repeat(10_000)}` }), 'bad_value')
  })

  it('has a regular expression that can be evaluated', () => {
    assert.equal(brokenBy({ user_regexp: '@example\\.com$' }), undefined)
    for (const user_regexp of ['(', '(?=a)', '(a)\\1']) {
      assert.equal(brokenBy({ user_regexp }), 'group_regexp_invalid')
      const broken = () => enforce(groupRules, { before: undefined, after: { ...group, user_regexp } })
      assert.throws(broken, ({ message }: Error) => message.includes(faultInPattern(user_regexp) ?? '?'))
    }
  })

  it('has an icon with an address of the web, or a path here', () => {
    for (const icon_url of ['https://example.com/i.png', 'HTTP://example.com', 'images/i.png', '/i-1_x.png'])
      assert.equal(brokenBy({ icon_url }), undefined, icon_url)
    for (const icon_url of [
      'javascript:alert(1)',
      'data:image/png,x',
      'ftp://example.com/i',
      'https://',
      'https://a b',
      'x" onerror=y',
      'a\nhttps://example.com',
      'i.png?x',
    ])
      assert.equal(brokenBy({ icon_url }), 'bad_value', icon_url)
  })

  it('of the system keeps its name, its description and its state', () => {
    const system: Group = { ...group, is_system: 1 }
    for (const change of [{ name: 'others' }, { description: 'Other' }, { is_active: 0 }] as const) {
      assert.equal(brokenBy(change, system), 'system_group_fixed', JSON.stringify(change))
      assert.equal(brokenBy(change, group), undefined)
    }
    assert.equal(brokenBy({ user_regexp: 'x', icon_url: '/i.png' }, system), undefined)
    assert.equal(brokenBy({ is_system: 1 }), undefined)
  })
})
