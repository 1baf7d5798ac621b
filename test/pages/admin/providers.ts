import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { expectAccessibleInBothThemes, expectAccessibleInSoak } from '../../support/accessibility.ts'
import type { BrowserWorld } from '../../support/browser.ts'
import { TestProvider } from '../../support/oidc-provider.ts'
import { itInSoak } from '../../support/sample.ts'

export function providersStories(at: BrowserWorld) {
  const provider = new TestProvider()
  before(async () => {
    await provider.open()
    await provider.register('http://127.0.0.1:1', 'corp')
  })
  after(() => provider.close())

  itInSoak('adds, tests, changes, switches off and removes a provider, with keys on a phone', async () => {
    const { ada } = at.world
    const { page } = await at.visit('/admin/providers', { as: 'ada' })
    const button = (name: string | RegExp) => page.getByRole('button', { name })
    await button('New provider').click()
    await page.getByLabel('Name', { exact: true }).fill('Corp')
    await page.getByLabel('Title').fill('Corp <b>')
    await page.getByLabel('Issuer').fill(`${provider.issuer}/wrong`)
    await page.getByLabel('Client id').fill('bugs')
    await page.getByLabel('Client secret').fill('geheim42')
    await button('Save').click()
    await page.getByRole('alert').filter({ hasText: 'small letters' }).waitFor()
    await expectAccessibleInBothThemes(page)
    await page.getByLabel('Name', { exact: true }).fill('corp')
    await button('Save').click()
    await button('Test Corp <b>').click()
    await page.getByText('cannot be read: the server answered with the status 404').waitFor()
    assert.doesNotMatch(await page.content(), /geheim42/)
    await expectAccessibleInSoak(page)

    await page.setViewportSize({ width: 390, height: 844 })
    await button('Change Corp <b>').press('Enter')
    await page.getByLabel('Issuer').fill(provider.issuer)
    await page.keyboard.press('Enter')
    await page.getByRole('alert').filter({ hasText: 'type it again' }).waitFor()
    await page.getByLabel('Client secret').fill(provider.clientSecret)
    await page.keyboard.press('Enter')
    await page.getByRole('form').waitFor({ state: 'detached' })
    await button('Test Corp <b>').press('Enter')
    await page.getByText('The issuer is the same as here.').waitFor()
    await button('Switch off Corp <b>').press('Enter')
    await button('Switch on Corp <b>').waitFor()
    assert.deepEqual((await ada.get('/rest/account/rules')).body.providers, [])
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
    await button('Remove Corp <b>').press('Enter')
    await button('Remove the provider').press('Enter')
    await page.getByText('There are no providers').waitFor()
    const { page: other } = await at.visit('/admin/providers', { as: 'pam' })
    await other.getByText('This is for administrators').waitFor()
  })
}
