import assert from 'node:assert/strict'
import { noteCatalogueChanged } from '../../../src/access/installation.ts'
import { expectAccessibleInBothThemes } from '../../support/accessibility.ts'
import type { BrowserWorld } from '../../support/browser.ts'
import { itInSoak } from '../../support/sample.ts'

export function workflowStories(at: BrowserWorld) {
  itInSoak(
    'changes steps of the workflow together with those of another administrator, by mouse and keys',
    async () => {
      const { ada } = at.world
      const steps = async () =>
        (await ada.get('/rest/workflow')).body.transitions.map(({ from, to }) => `${from} ${to}`)
      const { page } = await at.visit('/admin/workflow', { as: 'ada' })
      await page.getByRole('button', { name: 'CONFIRMED to VERIFIED: not allowed', exact: true }).click()
      await page.getByRole('button', { name: 'CONFIRMED to VERIFIED: allowed', exact: true }).waitFor()
      await expectAccessibleInBothThemes(page)
      // Another administrator saves another step meanwhile, then one that is changed here too.
      await ada.put('/rest/workflow/from/IN_PROGRESS/VERIFIED', { is_allowed: true })
      // A workflow from elsewhere may lack a step that the tracker needs: saving adds it, and the preview says so.
      const { db } = at.world
      await db.transaction(async (tx) => {
        await noteCatalogueChanged(tx)
        const named = (name: string) =>
          tx
            .query((q) => q.selectFrom('field_values').select('id').where('name', '=', name))
            .then(([row]) => row?.id ?? 0)
        const [from, to] = [await named('VERIFIED'), await named('RESOLVED')]
        await tx.query((q) =>
          q.deleteFrom('workflow_transitions').where('from_status_id', '=', from).where('to_status_id', '=', to),
        )
      }, 'configuration')
      await page.getByRole('button', { name: 'Preview what happens' }).click()
      await page.getByText('Saving also allows VERIFIED → RESOLVED').waitFor()
      await page.getByRole('button', { name: 'Save 1 change' }).click()
      await page.getByText('Workflow: 1 change saved.').waitFor()
      const saved = await steps()
      assert.ok(saved.includes('CONFIRMED VERIFIED') && saved.includes('IN_PROGRESS VERIFIED'))
      await page.setViewportSize({ width: 390, height: 844 })
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
      // Every step of the standard workflow is in sight without moving the table.
      for (const step of await page.locator('.workflow-step').all()) {
        const box = await step.boundingBox()
        assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 390)
      }
      await page.getByRole('button', { name: 'UNCONFIRMED to CONFIRMED: allowed', exact: true }).focus()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Space')
      await page.getByRole('button', { name: 'Discard' }).press('Enter')
      await page.getByRole('button', { name: 'New bug to CONFIRMED: allowed', exact: true }).click()
      await page
        .getByRole('button', { name: 'New bug to CONFIRMED: allowed with a comment', exact: true })
        .press('Space')
      await page.getByRole('button', { name: 'New bug to IN_PROGRESS: allowed', exact: true }).click()
      await page.getByRole('button', { name: 'New bug to IN_PROGRESS: allowed with a comment', exact: true }).click()
      await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
      await page.getByText('New bugs need at least one active status').waitFor()
      assert.deepEqual(await steps(), saved)
      for (const from of ['CONFIRMED', 'IN_PROGRESS'])
        await ada.put(`/rest/workflow/from/${from}/VERIFIED`, { is_allowed: false })
    },
  )
}
