import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectAccessibleInBothThemes } from '../../support/accessibility.ts'
import { type BrowserWorld, follow } from '../../support/browser.ts'

const HOSTILE = '"><img src=x onerror=alert(1)> \u202eevil'

export function productsStories(at: BrowserWorld) {
  const productOf = async (name: string) => {
    const { products } = (await at.world.ada.get(`/rest/product?names=${encodeURIComponent(name)}`)).body
    return products[0]
  }

  it('keeps changes as a draft, says what they do, saves them together, and undoes a discard', async () => {
    await at.world.ada.post('/rest/product', { name: 'Kettle', description: 'Boils', version: '1' })
    const { page } = await at.visit('/admin/products', { as: 'ada' })
    await page.keyboard.press('/')
    await page.keyboard.type('kett')
    assert.equal(await page.locator('.admin-table tbody tr').count(), 1)
    await page.getByRole('link', { name: 'Kettle' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Big kettle')
    await page.getByLabel('Description').fill(HOSTILE)
    const bar = page.getByRole('region', { name: 'Changes that are not saved' })
    await bar.getByText('2 changes not saved').waitFor()
    assert.equal(await page.locator('.is-unsaved s').first().textContent(), 'Kettle')
    // Leaving keeps them and says so, and so does a reload.
    await follow(page, '/admin/mail')
    await page.getByText('Kettle: 2 changes not saved, kept as a draft.').waitFor()
    await page.getByRole('button', { name: 'Go back' }).click()
    await bar.waitFor()
    await page.reload()
    await bar.getByText('kept in this browser since').waitFor()
    assert.equal((await productOf('Kettle'))?.description, 'Boils')
    await bar.getByRole('button', { name: 'Discard' }).click()
    await bar.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await bar.getByRole('button', { name: 'Preview what happens' }).click()
    const dialog = page.getByRole('dialog', { name: 'What happens' })
    await dialog.getByText('No bug, person or saved search is affected.').waitFor()
    await expectAccessibleInBothThemes(page)
    await dialog.getByRole('button', { name: 'Save 2 changes' }).click()
    await page.getByRole('heading', { level: 1, name: 'Big kettle' }).waitFor()
    await bar.waitFor({ state: 'detached' })
    assert.equal((await productOf('Big kettle'))?.description, HOSTILE.replace('\u202e', '\u202e'))
    const trail = page.getByRole('complementary', { name: 'What changed here' })
    await trail.getByText('changed name').first().waitFor()
  })

  it('shows what another administrator saved meanwhile beside the own value, with keys only on a phone', async () => {
    await at.world.ada.post('/rest/product', { name: 'Teapot', description: 'Brews', version: '1' })
    const { page } = await at.visit('/admin/products/Teapot', { as: 'ada', isPhone: true })
    const description = page.getByLabel('Description')
    await description.fill('Brews tea')
    const save = page.getByRole('button', { name: 'Save', exact: true })
    // Another value of the same product is not in the way.
    await at.world.ada.put('/rest/product/Teapot', { has_unconfirmed: false })
    await save.press('Enter')
    await page.getByText('Teapot: 1 change saved.').waitFor()
    await page.waitForFunction("document.activeElement?.matches('h1')")
    await description.fill('Mine')
    await at.world.ada.put('/rest/product/Teapot', { description: 'Theirs' })
    await save.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Saved by somebody else meanwhile' })
    await dialog.getByText('Theirs', { exact: true }).last().waitFor()
    await expectAccessibleInBothThemes(page)
    assert.equal((await productOf('Teapot'))?.description, 'Theirs', 'nothing is overwritten unseen')
    await dialog.getByRole('button', { name: 'Take these values' }).press('Enter')
    await page.locator('.is-unsaved s', { hasText: 'Theirs' }).waitFor()
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
    await save.press('Enter')
    await page.getByText('Teapot: 1 change saved.').waitFor()
    assert.equal((await productOf('Teapot'))?.description, 'Mine')
    await description.fill('')
    await save.press('Enter')
    await page.getByRole('alert').filter({ hasText: 'Description: ' }).waitFor()
  })
}
