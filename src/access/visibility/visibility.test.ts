import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { settingsFrom } from '../../platform/config/settings.ts'
import { anonymous, type Caller } from '../caller.ts'
import { graphOf } from './group-graph.ts'
import { isInsider, isTimeTracker, loginFor, seesAddresses } from './reader-rights.ts'
import { couldSeeDeletedBug, type DeletedBug } from './visible-bugs.ts'

const groups = new Map([5, 3, 1, 2, 4].map((id) => [id, { id, name: `group ${id}`, description: '' }]))

describe('membership in groups', () => {
  const graph = graphOf(groups, [
    { member_group_id: 1, group_id: 2, right: 'member' },
    { member_group_id: 2, group_id: 3, right: 'member' },
    { member_group_id: 3, group_id: 1, right: 'member' },
    { member_group_id: 4, group_id: 5, right: 'bless' },
    { member_group_id: 5, group_id: 4, right: 'see' },
  ])

  it('is inherited through any number of groups, also in a circle', () => {
    for (const direct of [1, 2, 3]) assert.deepEqual([...graph.membership([direct]).ids].sort(), [1, 2, 3])
    const { list, names } = graph.membership([4, 3])
    assert.deepEqual(
      list.map(({ id }) => id),
      [1, 2, 3, 4],
    )
    assert.deepEqual([...names], ['group 1', 'group 2', 'group 3', 'group 4'])
  })

  it('is not inherited by the rights to bless and to see', () => {
    assert.deepEqual([...graph.membership([4]).ids], [4])
    assert.deepEqual([...graph.membership([5]).ids], [5])
    assert.deepEqual([...graph.sourcesOf(5)], [5])
    assert.deepEqual([...graph.sourcesOf(1)].sort(), [1, 2, 3])
  })

  it('gives the right to bless or see only the group of that grant', () => {
    assert.deepEqual([...graph.reached(new Set([4, 5]), 'bless')], [5])
    assert.deepEqual([...graph.reached(new Set([4, 5]), 'see')], [4])
    assert.deepEqual([...graph.reached(new Set([5]), 'bless')], [])
    assert.deepEqual([...graph.reached(new Set([1]), 'see')], [])
  })

  it('is none in a group that does not exist any more', () => {
    const { list, names } = graph.membership([9])
    assert.deepEqual([list, [...names]], [[], []])
    assert.deepEqual([...graph.ids].sort(), [1, 2, 3, 4, 5])
  })
})

const member = (id: number | null, ...names: string[]): Caller => ({
  ...anonymous,
  id,
  groups: { ids: new Set(), names: new Set(names), list: [] },
})

describe('a reader', () => {
  it('is an insider or a time tracker as a member of the group of the parameter, and nobody is without such a group', () => {
    const named = settingsFrom(
      new Map([
        ['insidergroup', 'staff'],
        ['timetrackinggroup', 'clerks'],
      ]),
    )
    const none = settingsFrom(
      new Map([
        ['insidergroup', ''],
        ['timetrackinggroup', ''],
      ]),
    )
    assert.deepEqual([isInsider(member(1, 'staff'), named), isTimeTracker(member(1, 'staff'), named)], [true, false])
    assert.deepEqual([isInsider(member(1, 'clerks'), named), isTimeTracker(member(1, 'clerks'), named)], [false, true])
    assert.deepEqual([isInsider(member(1, ''), none), isTimeTracker(member(1, ''), none)], [false, false])
  })

  it('without login sees only the part of an address before the @ where the filter is on', () => {
    const filtered = settingsFrom(new Map([['webservice_email_filter', '1']]))
    const open = settingsFrom(new Map([['webservice_email_filter', '0']]))
    const shown = (caller: Caller, settings = filtered) => loginFor('ada@a@example.com\nx', { caller, settings })
    assert.equal(shown(anonymous), 'ada')
    assert.equal(shown(anonymous, open), 'ada@a@example.com\nx')
    assert.equal(shown(member(1)), 'ada@a@example.com\nx')
    for (const caller of [anonymous, member(1)]) assert.equal(loginFor(undefined, { caller, settings: filtered }), '')
    assert.equal(seesAddresses({ caller: anonymous, settings: filtered }), false)
  })
})

describe('a deleted bug', () => {
  const SECRET: DeletedBug = {
    groupIds: [1, 2],
    assignedTo: 11,
    qaContact: 12,
    creator: 13,
    cc: [14, 15],
    isCreatorAccessible: true,
    isCcAccessible: true,
  }
  const couldSee = (id: number | null, ids: number[], bug: Partial<DeletedBug> = {}, rules = {}) => {
    const settings = { or_groups: false, useqacontact: true, ...rules }
    const caller = { id, groups: { ids: new Set(ids), names: new Set<string>(), list: [] } }
    return couldSeeDeletedBug(settings, caller, { ...SECRET, ...bug })
  }

  it('was seen by members of all of its groups, or of any with or_groups, and by all without groups', () => {
    for (const id of [null, 99]) {
      assert.deepEqual([couldSee(id, [1, 2, 3]), couldSee(id, [1]), couldSee(id, [])], [true, false, false])
      const either = { or_groups: true }
      assert.deepEqual([couldSee(id, [2], {}, either), couldSee(id, [3], {}, either)], [true, false])
      assert.deepEqual([couldSee(id, [], { groupIds: [] }), couldSee(id, [], { groupIds: [] }, either)], [true, true])
    }
  })

  it('was seen by its assignee, its QA contact, its reporter and its CC list', () => {
    for (const id of [11, 12, 13, 14, 15]) assert.equal(couldSee(id, []), true, `${id}`)
    for (const id of [null, 10, 16]) assert.equal(couldSee(id, []), false, `${id}`)
  })

  it('was not seen by an anonymous caller because it has no QA contact', () => {
    assert.equal(couldSee(null, [], { qaContact: null }), false)
  })

  it('was not seen by a QA contact where there are none, nor by a reporter or a CC list that were shut out', () => {
    assert.equal(couldSee(12, [], {}, { useqacontact: false }), false)
    assert.equal(couldSee(13, [], { isCreatorAccessible: false }), false)
    for (const id of [14, 15]) assert.equal(couldSee(id, [], { isCcAccessible: false }), false)
  })
})
