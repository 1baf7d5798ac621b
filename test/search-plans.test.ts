import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { it } from 'node:test'
import { searchPlans } from './support/search-plans.ts'
import { describeOnEachEngine } from './support/world.ts'

/**
 * A change of these files is a change of how searches are carried out: look for a scan of a large table where an index was. They are
 * written anew with `LACEWING_WRITE_PLANS=1 npm test -- test/search-plans.test.ts`.
 */
describeOnEachEngine('typical searches', (world) => {
  it('are carried out as in test/plans', async () => {
    const file = new URL(`./plans/${world.engine}.txt`, import.meta.url)
    const plans = await searchPlans(world)
    if (process.env.LACEWING_WRITE_PLANS !== undefined) writeFileSync(file, plans)
    assert.equal(plans, existsSync(file) ? readFileSync(file, 'utf8') : '')
  })
})
