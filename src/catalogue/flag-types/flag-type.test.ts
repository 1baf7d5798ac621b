import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { NEW_FLAG_TYPE } from './editing/flag-type-edit.ts'
import {
  appliesSomewhereIn,
  appliesTo,
  areSameScopes,
  EVERYWHERE,
  flagTypesByComponent,
  type ScopedFlagType,
  type ScopeIds,
  valuesFor,
  withoutRedundantScopes,
} from './flag-type.ts'

const review: ScopedFlagType = {
  ...NEW_FLAG_TYPE,
  id: 1,
  name: 'review',
  target: 'bug',
  inclusions: [],
  exclusions: [],
}

const product = (product_id: number): ScopeIds => ({ product_id, component_id: null })
const component = (product_id: number, component_id: number): ScopeIds => ({ product_id, component_id })
const within = (inclusions: ScopeIds[], exclusions: ScopeIds[] = []) => ({ ...review, inclusions, exclusions })

describe('a flag type applies', () => {
  it('to the components that an inclusion names', () => {
    assert.equal(appliesTo(within([component(1, 11)]), 1, 11), true)
    assert.equal(appliesTo(within([component(1, 11)]), 1, 12), false)
  })

  it('to all components of an included product, and to no other product', () => {
    assert.equal(appliesTo(within([product(1)]), 1, 12), true)
    assert.equal(appliesTo(within([product(1)]), 2, 21), false)
  })

  it('everywhere with an inclusion without a product, and nowhere without inclusions', () => {
    assert.equal(appliesTo(within([EVERYWHERE]), 2, 21), true)
    assert.equal(appliesTo(within([]), 2, 21), false)
  })

  it('to nothing that an exclusion names', () => {
    assert.equal(appliesTo(within([EVERYWHERE], [product(1)]), 1, 11), false)
    assert.equal(appliesTo(within([EVERYWHERE], [product(1)]), 2, 21), true)
    assert.equal(appliesTo(within([product(1)], [component(1, 11)]), 1, 11), false)
    assert.equal(appliesTo(within([product(1)], [component(1, 11)]), 1, 12), true)
  })

  it('somewhere in a product if at least one component is not excluded', () => {
    assert.equal(appliesSomewhereIn(within([product(1)], [component(1, 11)]), 1), true)
    assert.equal(appliesSomewhereIn(within([component(1, 11)], [component(1, 11)]), 1), false)
    assert.equal(appliesSomewhereIn(within([component(1, 11)], [product(1)]), 1), false)
    assert.equal(appliesSomewhereIn(within([component(1, 11)]), 2), false)
  })

  it('to the same components, computed for all at once and for each', () => {
    const scope = fc.constantFrom(EVERYWHERE, product(1), product(2), component(1, 11), component(1, 12))
    const types = fc.array(fc.tuple(fc.array(scope), fc.array(scope)).map(([some, none]) => within(some, none)))
    fc.assert(
      fc.property(types, fc.constantFrom(11, 12, 13), (all, componentId) => {
        const one = all.filter((type) => appliesTo(type, 1, componentId))
        assert.deepEqual(flagTypesByComponent(all, 1)(componentId), one)
      }),
    )
  })

  it('with one shared list to all components that no inclusion or exclusion names', () => {
    const typesIn = flagTypesByComponent([within([product(1)]), within([component(1, 11)])], 1)
    assert.equal(typesIn(12), typesIn(13))
    assert.equal(typesIn(11).length, 2)
  })

  it('to the same bugs after repeated and contained scopes are removed', () => {
    assert.deepEqual(withoutRedundantScopes([component(1, 11), product(1), product(1), component(2, 21)]), [
      product(1),
      component(2, 21),
    ])
    assert.deepEqual(withoutRedundantScopes([product(1), EVERYWHERE]), [EVERYWHERE])
    const scope = fc.constantFrom(EVERYWHERE, product(1), product(2), component(1, 11), component(2, 21))
    fc.assert(
      fc.property(fc.array(scope), fc.constantFrom([1, 11], [1, 12], [2, 21], [3, 31]), (scopes, [where, part]) => {
        const location = [where as number, part as number] as const
        assert.equal(
          appliesTo(within(withoutRedundantScopes(scopes)), ...location),
          appliesTo(within(scopes), ...location),
        )
      }),
    )
  })

  it('to the same scopes in any order', () => {
    assert.equal(areSameScopes([product(1), component(2, 21)], [component(2, 21), product(1)]), true)
    assert.equal(areSameScopes([product(1)], [product(1), product(2)]), false)
    assert.equal(areSameScopes([product(1), product(2)], [product(1)]), false)
  })
})

describe('the values that a user can set a flag to', () => {
  const values = (type: Partial<ScopedFlagType>, ...groups: number[]) =>
    valuesFor({ ...review, ...type }, new Set(groups)).join('')

  it('are all values if the type has no groups', () => assert.equal(values({}), 'X?+-'))

  it('do not include ? if the type is not requestable', () => {
    assert.equal(values({ is_requestable: 0 }), 'X+-')
    assert.equal(values({ is_requestable: 0, grant_group_id: 5 }), 'X')
  })

  it('include + and - only for members of the grant group', () => {
    assert.equal(values({ grant_group_id: 5 }), 'X?')
    assert.equal(values({ grant_group_id: 5 }, 5), 'X?+-')
  })

  it('include ? only for members of the request group and of the grant group', () => {
    assert.equal(values({ grant_group_id: 5, request_group_id: 6 }), 'X')
    assert.equal(values({ grant_group_id: 5, request_group_id: 6 }, 6), 'X?')
    assert.equal(values({ grant_group_id: 5, request_group_id: 6 }, 5), 'X?+-')
  })

  it('are all values for all users if the type has only a request group', () => {
    assert.equal(values({ request_group_id: 6 }), 'X?+-')
  })
})
