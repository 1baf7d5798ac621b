import assert from 'node:assert/strict'
import { expectAccessible } from '../../support/accessibility.ts'
import type { BrowserWorld } from '../../support/browser.ts'
import { insertBugsWithKeyword } from '../../support/bug-rows.ts'
import { itInSoak } from '../../support/sample.ts'

const MANY = 130

export function removalsStories(at: BrowserWorld) {
  itInSoak('merges what many bugs have in steps, and lets go on what was stopped', async () => {
    const { ada, db } = at.world
    const idOf = async (name: string) => (await ada.post('/rest/keyword', { name, description: name })).body.id
    const [many, half] = [await idOf('of-many'), await idOf('half-done')]
    await idOf('kept')
    await insertBugsWithKeyword(at.world, many, MANY)
    const { page } = await at.visit('/admin/keywords', { as: 'ada' })
    await page.getByRole('button', { name: 'Delete of-many' }).click()
    await page.getByLabel('Its bugs get').selectOption('kept')
    await page.getByText(`${MANY} bugs get kept.`).waitFor()
    await page.getByText('They are so many that it goes on after you have saved').waitFor()
    await page.getByRole('button', { name: 'Merge and delete' }).click()
    await page.getByText('“of-many” is being merged into “kept”.').waitFor()
    await page.getByRole('button', { name: 'Delete of-many' }).waitFor({ state: 'detached' })
    const [done] = await db.query((q) => q.selectFrom('removals').selectAll().where('object_id', '=', many))
    assert.equal(done?.state, 'done')
    const { id: _, ...same } = done
    const left = await insertBugsWithKeyword(at.world, half, 30)
    const stopped = { ...same, object_id: half, name: 'half-done', state: 'stopped', bugs_done: MANY - left.length }
    await db.transaction((tx) => tx.query((q) => q.insertInto('removals').values(stopped)), 'configuration')
    await page.reload()
    const card = page.getByRole('list', { name: 'What goes on in steps' }).getByRole('listitem')
    await card.getByText('Merge the keyword half-done into kept').waitFor()
    await card.getByText(`Stopped. 100 of ${MANY} bugs are done and stay so; the others were not changed.`).waitFor()
    await expectAccessible(page)
    await card.getByRole('button', { name: 'Go on' }).click()
    await card.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Delete half-done' }).waitFor({ state: 'detached' })
    const { body } = await ada.get(`/rest/bug/${left[0]}?include_fields=keywords`)
    assert.deepEqual(body.bugs, [{ keywords: ['kept'] }])
  })
}
