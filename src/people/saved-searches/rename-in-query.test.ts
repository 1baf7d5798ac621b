import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { renameInQuery } from './rename-in-query.ts'

const renaming = { fields: ['bug_status', 'status'], from: 'NEW', to: 'BRAND NEW' }

describe('a saved search after a value was renamed', () => {
  const cases: [before: string, after: string][] = [
    ['status=NEW', 'status=BRAND+NEW'],
    ['bug_status=new&bug_status=OLD&product=NEW', 'bug_status=BRAND+NEW&bug_status=OLD&product=NEW'],
    ['f1=bug_status&o1=equals&v1=NEW', 'f1=bug_status&o1=equals&v1=BRAND+NEW'],
    ['f1=bug_status&o1=substring&v1=NEW', 'f1=bug_status&o1=substring&v1=NEW'],
    ['f1=bug_status&o1=equals&v2=NEW', 'f1=bug_status&o1=equals&v2=NEW'],
    [
      'field0-0-0=bug_status&type0-0-0=equals&value0-0-0=NEW',
      'field0-0-0=bug_status&type0-0-0=equals&value0-0-0=BRAND+NEW',
    ],
    ['f12=status&o12=anyexact&v12=NEW', 'f12=status&o12=anyexact&v12=BRAND+NEW'],
    [
      'field10-11-12=status&type10-11-12=notequals&value10-11-12=NEW',
      'field10-11-12=status&type10-11-12=notequals&value10-11-12=BRAND+NEW',
    ],
    ['f1=status&v1=NEW', 'f1=status&v1=NEW'],
    ['xf1=status&o1=equals&v1=NEW', 'xf1=status&o1=equals&v1=NEW'],
    ['f1x=status&o1=equals&v1=NEW', 'f1x=status&o1=equals&v1=NEW'],
    ['short_desc=NEW&status=RENEW', 'short_desc=NEW&status=RENEW'],
    ['x=status&typeundefined=equals&valueundefined=NEW', 'x=status&typeundefined=equals&valueundefined=NEW'],
    ['odd=%20text&&x', 'odd=%20text&&x'],
  ]
  for (const [before, after] of cases)
    it(`is ${after} where it was ${before}`, () => assert.equal(renameInQuery(before, renaming), after))
})
