import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectAccessibleInBothThemes } from '../../support/accessibility.ts'
import type { BrowserWorld } from '../../support/browser.ts'

export function railStories(at: BrowserWorld) {
  it('has a rail that leads to each page, by mouse and keys, also on a phone', async () => {
    const { page } = await at.visit('/admin/products', { as: 'ada' })
    const rail = page.getByRole('navigation', { name: 'Administration' })
    const current = rail.locator('[aria-current=page]')
    assert.equal(await current.textContent(), 'Products')
    await rail.getByRole('link', { name: 'People' }).click()
    await page.getByRole('heading', { level: 1, name: 'People' }).waitFor()
    assert.equal(await current.textContent(), 'People')
    await rail.getByRole('link', { name: 'Mail' }).press('Enter')
    const heading = page.getByRole('heading', { level: 1, name: 'Mail' })
    await page.locator('h1:focus', { hasText: 'Mail' }).waitFor()
    await expectAccessibleInBothThemes(page)
    await page.setViewportSize({ width: 360, height: 760 })
    await page.reload()
    await heading.waitFor()
    const box = await current.boundingBox()
    assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 360, 'the current entry is in sight')
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
  })
}
