import assert from 'node:assert/strict'
import { expectAccessibleInBothThemes } from '../../support/accessibility.ts'
import type { BrowserWorld } from '../../support/browser.ts'
import { itInSoak } from '../../support/sample.ts'

export function stateStories(at: BrowserWorld) {
  itInSoak(
    'shows the state of the installation, with ways to the settings, and the old values while it cannot be read',
    async () => {
      await at.world.ada.post('/rest/admin/backup', { source: 'pg_dump' })
      await at.world.withParameters({ slow_search_milliseconds: 1 }, () =>
        at.world.ada.get('/rest/bug?short_desc=a+slow+one&short_desc_type=regexp'),
      )
      const { page } = await at.visit('/admin', { as: 'ada' })
      await page.getByRole('heading', { level: 1, name: 'State' }).waitFor()
      const queues = page.getByRole('region', { name: 'Queues' })
      await queues.getByText(/empty queues?$/).click()
      // A queue with nothing in it has no row.
      await queues.getByText('feed').waitFor()
      assert.equal(await page.getByRole('rowheader', { name: 'feed' }).count(), 0)
      await page.getByRole('rowheader', { name: 'short_desc: a slow one' }).waitFor()
      await page.getByRole('list', { name: 'Backups' }).getByText('pg_dump').waitFor()
      await expectAccessibleInBothThemes(page)
      await page.setViewportSize({ width: 360, height: 760 })
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
      await page.clock.install()
      await page.route('**/rest/admin/status', (route) => route.abort())
      await page.reload()
      await queues.waitFor()
      await page.clock.fastForward(21_000)
      await page.getByRole('status').filter({ hasText: 'Cannot be read now. As of' }).waitFor()
      await queues.waitFor()
      await page.unrouteAll()
      await page.getByRole('link', { name: 'Parameters: factor_group' }).press('Enter')
      await page.locator('[data-name=factor_group]').waitFor()
      await page.setViewportSize({ width: 1280, height: 760 })
      const find = page.getByRole('searchbox', { name: 'Find a setting' })
      await find.fill('work')
      await page.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name: 'Workflow' }).waitFor()
      await find.fill('status')
      await page.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name: 'Fields' }).waitFor()
      await find.fill('maintainer')
      await find.press('Enter')
      await page.locator('[data-name=maintainer]').waitFor()
    },
  )
}
