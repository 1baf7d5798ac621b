import assert from 'node:assert/strict'
import { expectAccessibleInBothThemes } from '../../support/accessibility.ts'
import type { BrowserWorld } from '../../support/browser.ts'
import { itInSoak } from '../../support/sample.ts'

export function classificationsStories(at: BrowserWorld) {
  itInSoak(
    'creates, renames and deletes classifications and moves products, together, with keys on a phone',
    async () => {
      const { ada } = at.world
      await ada.post('/rest/classification', { name: 'Old', description: 'Old things' })
      await ada.post('/rest/product', { name: 'Sofa', description: 'Soft', version: '1' })
      const { page } = await at.visit('/admin/classifications', { as: 'ada', isPhone: true })
      await page.getByRole('button', { name: 'New classification' }).press('Enter')
      await page.keyboard.type('Furniture')
      await page.keyboard.press('Enter')
      await page.getByLabel('Classification of Sofa').selectOption('Furniture')
      await page.getByRole('button', { name: 'Delete Old' }).press('Enter')
      const first = page.getByRole('region', { name: 'Unclassified' })
      await first.getByLabel('Name').fill('Everything else')
      await page.getByText('4 changes not saved').waitFor()
      await expectAccessibleInBothThemes(page)
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
      await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
      await page.getByRole('button', { name: 'Save 4 changes' }).press('Enter')
      await page.getByText('Classifications: 4 changes saved.').waitFor()
      await page.getByRole('complementary').getByText('changed Everything else: name').waitFor()
      const { classifications } = (await ada.get('/rest/classification')).body
      const names = classifications.map(({ name, products }) => [name, products.map((it) => it.name).includes('Sofa')])
      assert.deepEqual(names, [
        ['Everything else', false],
        ['Furniture', true],
      ])
      await ada.put('/rest/classification/1', { name: 'Unclassified' })
      const { page: other } = await at.visit('/admin/classifications', { as: 'greta' })
      await other.getByText('This is for administrators').waitFor()
    },
  )
}
