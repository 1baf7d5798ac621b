import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectAccessibleInBothThemes } from '../../support/accessibility.ts'
import type { BrowserWorld } from '../../support/browser.ts'

export function workflowStories(at: BrowserWorld) {
  it('changes steps of the workflow together with those of another administrator, by mouse and keys', async () => {
    const { ada } = at.world
    const steps = async () => (await ada.get('/rest/workflow')).body.transitions.map(({ from, to }) => `${from} ${to}`)
    const { page } = await at.visit('/admin/workflow', { as: 'ada' })
    await page.getByRole('button', { name: 'CONFIRMED to VERIFIED: not allowed', exact: true }).click()
    await page.getByRole('button', { name: 'CONFIRMED to VERIFIED: allowed', exact: true }).waitFor()
    await expectAccessibleInBothThemes(page)
    // Another administrator saves another step meanwhile, then one that is changed here too.
    await ada.put('/rest/workflow/from/IN_PROGRESS/VERIFIED', { is_allowed: true })
    await page.getByRole('button', { name: 'Preview what happens' }).click()
    await page.getByRole('button', { name: 'Save 1 change' }).click()
    await page.getByText('Workflow: 1 change saved.').waitFor()
    const saved = await steps()
    assert.ok(saved.includes('CONFIRMED VERIFIED') && saved.includes('IN_PROGRESS VERIFIED'))
    await page.setViewportSize({ width: 390, height: 844 })
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
    await page.getByRole('button', { name: 'UNCONFIRMED to CONFIRMED: allowed', exact: true }).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Discard' }).press('Enter')
    await page.getByRole('button', { name: 'New bug to CONFIRMED: allowed', exact: true }).click()
    await page.getByRole('button', { name: 'New bug to CONFIRMED: allowed with a comment', exact: true }).press('Space')
    await page.getByRole('button', { name: 'New bug to IN_PROGRESS: allowed', exact: true }).click()
    await page.getByRole('button', { name: 'New bug to IN_PROGRESS: allowed with a comment', exact: true }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
    await page.getByText('New bugs need at least one active status').waitFor()
    assert.deepEqual(await steps(), saved)
    for (const from of ['CONFIRMED', 'IN_PROGRESS'])
      await ada.put(`/rest/workflow/from/${from}/VERIFIED`, { is_allowed: false })
  })
}
