import assert from 'node:assert/strict'
import { expectAccessibleInBothThemes } from '../../support/accessibility.ts'
import type { BrowserWorld } from '../../support/browser.ts'
import { cast } from '../../support/cast.ts'
import { itInSoak } from '../../support/sample.ts'
import { until } from '../../support/until.ts'

const HOSTILE = '<script>document.title = 1</script> "\u202e'

export function auditStories(at: BrowserWorld) {
  itInSoak('finds entries of the audit log by who, what, object and time, and saves them as CSV', async () => {
    const { uma } = at.world
    const { body } = await uma.post('/rest/user', { email: 'watched@lacewing.test', full_name: HOSTILE })
    await uma.put(`/rest/user/${body.id}`, { full_name: `${HOSTILE} two` })
    const { page } = await at.visit('/admin/audit', { as: 'ada' })
    await page.getByRole('listitem').filter({ hasText: 'watched@lacewing.test' }).first().waitFor()
    await expectAccessibleInBothThemes(page)
    await page.getByRole('combobox', { name: 'What' }).selectOption('account')
    await page.getByRole('searchbox', { name: 'Who' }).fill(cast.uma.login)
    await page.getByRole('searchbox', { name: 'Who' }).press('Enter')
    await page.getByLabel('Text', { exact: true }).fill('<script>')
    await page.getByLabel('Text', { exact: true }).press('Enter')
    const entries = page.locator('.audit-entry')
    await until(async () => (await entries.count()) === 1)
    await entries.first().getByText(`${HOSTILE} two`).waitFor()
    await entries.first().getByRole('link', { name: 'watched@lacewing.test' }).click()
    await page.getByText(`number ${body.id}`).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as CSV' }).click(),
    ])
    assert.equal(download.suggestedFilename(), 'audit.csv')
    await page.getByRole('button', { name: 'Show everything' }).click()
    await page.getByRole('textbox', { name: 'To' }).fill('2001-01-01')
    await page.getByText('Nothing was changed like that').waitFor()
    const entry = { user_id: 1, class: 'Parameter', object_id: 0, field: 'whinedays', removed: '0', added: '1' }
    const at2001 = '2001-01-02T12:00:00Z'
    await at.world.db.query((q) =>
      q.insertInto('audit_log').values(Array.from({ length: 120 }, () => ({ ...entry, at: at2001 }))),
    )
    await page.getByRole('textbox', { name: 'To' }).fill('2001-01-03')
    await until(async () => (await entries.count()) === 100)
    await page.getByRole('button', { name: 'Show older entries' }).press('Enter')
    await until(async () => (await entries.count()) === 120)
    assert.equal(await page.getByRole('button', { name: 'Show older entries' }).count(), 0)
    await page.setViewportSize({ width: 390, height: 844 })
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
    assert.notEqual(await page.title(), '1')
  })

  itInSoak('shows places only to those who may use them', async () => {
    const { page } = await at.visit('/admin/audit', { as: 'uma' })
    await page.getByText('This is for administrators').waitFor()
    const { page: other } = await at.visit('/admin', { as: 'uma' })
    await other.getByRole('heading', { level: 1, name: 'People' }).waitFor()
    assert.deepEqual(await other.locator('.rail a').allTextContents(), ['People'])
  })
}
