import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CONTROL } from '../../catalogue/group-controls/group-control.ts'
import { ApiError } from '../../platform/errors.ts'
import {
  addableGroups,
  type BugGroupChange,
  type ControlledGroup,
  explainGroups,
  groupsAfter,
  groupsOfNewBug,
  mandatoryGroups,
} from './bug-groups.ts'

const { NA, Shown, Default, Mandatory } = CONTROL

const group = (id: number, name: string, member: number, other: number, is_active: 0 | 1 = 1): ControlledGroup => ({
  id,
  name,
  is_active,
  member_control: member,
  other_control: other,
})
const inGroups = (...ids: number[]) => ({ ids: new Set(ids) })
const nobody = inGroups()
const namesOf = (groups: readonly { name: string }[]) => groups.map(({ name }) => name)
const notSettable = (fault: unknown) => fault instanceof ApiError && fault.code === 120

/** The groups of a product, of all kinds. */
const PRODUCT = [
  group(1, 'shown', Shown, Shown),
  group(2, 'own', Shown, NA),
  group(3, 'default', Default, Default),
  group(4, 'usual', Default, NA),
  group(5, 'mandatory', Mandatory, NA),
  group(6, 'everywhere', Mandatory, Mandatory),
  group(7, 'closed', Mandatory, Mandatory, 0),
  group(8, 'old', Default, Default, 0),
]
const member = inGroups(1, 2, 3, 4, 5, 6, 7, 8)

describe('the groups of a new bug', () => {
  it('are the mandatory and the default ones of the user, unless others are requested', () => {
    assert.deepEqual(namesOf(groupsOfNewBug(PRODUCT, member, undefined)), [
      'mandatory',
      'everywhere',
      'default',
      'usual',
    ])
    assert.deepEqual(namesOf(groupsOfNewBug(PRODUCT, nobody, undefined)), ['everywhere', 'default'])
    assert.deepEqual(namesOf(groupsOfNewBug(PRODUCT, member, [])), ['mandatory', 'everywhere'])
    assert.deepEqual(namesOf(groupsOfNewBug(PRODUCT, member, ['own'])), ['mandatory', 'everywhere', 'own'])
    assert.deepEqual(namesOf(mandatoryGroups(PRODUCT, inGroups(5))), ['mandatory', 'everywhere'])
  })

  it('are each there once, by whatever spelling of the name', () => {
    assert.deepEqual(namesOf(groupsOfNewBug(PRODUCT, nobody, [' Everywhere ', 'SHOWN'])), ['everywhere', 'shown'])
  })

  it('are refused alike if they do not exist, are inactive or are not for the user', () => {
    for (const name of ['missing', 'own', 'usual', 'mandatory', 'closed', 'old', ''])
      assert.throws(() => groupsOfNewBug(PRODUCT, nobody, [name]), notSettable, name)
    for (const name of ['missing', 'closed', 'old'])
      assert.throws(() => groupsOfNewBug(PRODUCT, member, [name]), notSettable, name)
  })
})

describe('a change of the groups of a bug', () => {
  const after = (more: Partial<BugGroupChange>) =>
    namesOf(
      groupsAfter({
        groups: PRODUCT,
        own: member,
        current: [],
        add: [],
        remove: [],
        isMoving: false,
        orGroups: false,
        ...more,
      }),
    )
  const [shown, own] = [PRODUCT.slice(0, 1), PRODUCT.slice(1, 2)]

  it('adds groups that the user is in', () => {
    assert.deepEqual(after({ add: [' Shown', 'own'] }), ['shown', 'own'])
    assert.throws(() => after({ add: ['shown'], own: nobody }), notSettable)
    assert.throws(() => after({ add: ['own'], own: inGroups(1) }), notSettable)
    for (const name of ['missing', 'old']) assert.throws(() => after({ add: [name] }), notSettable, name)
  })

  it('leaves a group that is there already, with any rights of the user who adds it', () => {
    assert.deepEqual(after({ add: ['OWN '], current: own, own: nobody }), ['own'])
  })

  it('removes groups that the user is in and that are not mandatory', () => {
    assert.deepEqual(after({ remove: [' SHOWN'], current: [...shown, ...own] }), ['own'])
    assert.throws(() => after({ remove: ['shown'], current: shown, own: nobody }), notSettable)
    assert.throws(() => after({ remove: ['shown'], current: shown, own: inGroups(2) }), notSettable)
    assert.throws(() => after({ remove: ['mandatory'], current: PRODUCT.slice(4, 5) }), notSettable)
    assert.deepEqual(after({ remove: ['closed'], current: PRODUCT.slice(6, 7) }), [])
  })

  it('may remove a group that the bug does not have, if the user may know of it', () => {
    assert.deepEqual(after({ remove: ['own'], current: shown }), ['shown'])
    assert.deepEqual(after({ remove: [' Shown '], own: nobody }), [])
    assert.throws(() => after({ remove: ['own'], own: nobody }), notSettable)
    assert.throws(() => after({ remove: ['missing'] }), notSettable)
  })

  it('changes only the copy', () => {
    const current = [...shown]
    after({ current, add: ['own'] })
    assert.deepEqual(current, shown)
  })

  const foreign = [{ id: 20, name: 'foreign' }]

  it('of a move adds the mandatory groups, and drops those that are not used there for members only', () => {
    const moved = { isMoving: true, groups: PRODUCT.slice(0, 6) }
    assert.deepEqual(after({ ...moved, current: [...shown, ...foreign], own: inGroups(20) }), ['shown', 'everywhere'])
    assert.deepEqual(after({ ...moved, current: shown, own: inGroups(1) }), ['shown', 'everywhere'])
    assert.deepEqual(after({ ...moved, current: foreign, own: nobody }), ['foreign', 'everywhere'])
    assert.deepEqual(after({ ...moved, current: PRODUCT.slice(5, 6), own: nobody }), ['everywhere'])
    assert.deepEqual(after({ ...moved, isMoving: false, current: foreign, own: inGroups(20) }), ['foreign'])
  })

  it('of a move lets users restrict the bug to groups that they are not in, unless that shows it to more', () => {
    const move = { isMoving: true, groups: shown, add: ['shown'], own: nobody }
    assert.deepEqual(after(move), ['shown'])
    assert.deepEqual(after({ ...move, current: foreign }), ['foreign', 'shown'])
    assert.deepEqual(after({ ...move, orGroups: true }), ['shown'])
    assert.throws(() => after({ ...move, current: foreign, orGroups: true }), notSettable)
    assert.deepEqual(after({ ...move, current: foreign, orGroups: true, own: inGroups(1) }), ['foreign', 'shown'])
  })

  it('of a move is refused if a mandatory group would show the bug to more users', () => {
    const move = { isMoving: true, groups: PRODUCT.slice(5, 6), current: foreign, orGroups: true }
    assert.throws(() => after({ ...move, own: nobody }), notSettable)
    assert.deepEqual(after({ ...move, own: inGroups(6) }), ['foreign', 'everywhere'])
    assert.deepEqual(after({ ...move, own: nobody, current: [] }), ['everywhere'])
  })
})

describe('the explanation of the groups of a bug', () => {
  const current = PRODUCT.filter(({ name }) => ['shown', 'mandatory', 'closed'].includes(name))

  it('says which ones the user may remove, why, and what a move does', () => {
    const explained = (own: { ids: ReadonlySet<number> }) =>
      explainGroups(PRODUCT, own, current).map((it) => [it.name, it.can_remove, it.kept_on_move, it.rule.split('.')[0]])
    const members = 'Members of the group may remove it'
    const others = 'Only members of the group may remove it'
    assert.deepEqual(explained(member), [
      ['shown', true, false, members],
      ['mandatory', false, false, 'The group is mandatory in the product'],
      ['closed', true, false, members],
    ])
    assert.deepEqual(explained(nobody), [
      ['shown', false, true, others],
      ['mandatory', false, true, others],
      ['closed', false, true, others],
    ])
  })

  it('names the groups that the user may add: active ones of theirs that the bug does not have', () => {
    assert.deepEqual(addableGroups(PRODUCT, member, current), ['own', 'default', 'usual', 'everywhere'])
    assert.deepEqual(addableGroups(PRODUCT, inGroups(1, 2, 8), current), ['own'])
    assert.deepEqual(addableGroups(PRODUCT, nobody, []), [])
  })
})
