import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'
import { expectAccessibleInBothThemes } from '../support/accessibility.ts'
import { describeInBrowser } from '../support/browser.ts'
import { cast } from '../support/cast.ts'

const HOSTILE = '<img src=x onerror=alert(1)> “nightly” \u202Ereport'

describeInBrowser('settings', (at) => {
  afterEach(() => at.leave())

  it('list everything that acts for one, with rights and last use, and end it one by one', async () => {
    const { edna, ada } = at.world
    await ada.put('/rest/parameters', { incoming_address: 'bugs@lacewing.test' })
    const key = { description: HOSTILE, scopes: ['read', 'write'] }
    const { body: made } = await edna.post(`/rest/user/${cast.edna.login}/api_key`, key)
    const hook = { url: 'http://127.0.0.1:9/hook', events: ['bug.create'], is_active: false }
    await at.world.as({ 'X-TRACKER-API-KEY': made.api_key }).post('/rest/webhook', hook)
    await edna.get(`/rest/user/${cast.edna.login}/mail_address`)
    const { page } = await at.visit('/settings/access', { as: 'edna' })
    const list = page.getByRole('region', { name: 'What acts for you' })
    const row = (text: string) => list.getByRole('listitem').filter({ hasText: text })
    await row('http://127.0.0.1:9/hook').getByText('may send what you may see: bug.create').waitFor()
    await row('http://127.0.0.1:9/hook').getByText('made with the API key').waitFor()
    await row('API key <img').getByText('may read what you may see, file and change bugs').first().waitFor()
    assert.match((await list.getByRole('listitem').first().textContent()) ?? '', /^This browser.*in use now/)
    assert.equal(await row('This browser').getByRole('button').count(), 0)
    await expectAccessibleInBothThemes(page)

    await row('Address for filing by mail')
      .getByRole('button', { name: /^End it/ })
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Mail to it is refused at once. It cannot be used again').waitFor()
    await dialog.getByRole('button', { name: 'Keep it' }).click()
    assert.equal(await row('Address for filing by mail').count(), 1)
    await row('Address for filing by mail')
      .getByRole('button', { name: /^End it/ })
      .click()
    await dialog.getByRole('button', { name: 'End it' }).click()
    await page.getByText('Ended: Address for filing by mail.').waitFor()
    await row('Address for filing by mail').waitFor({ state: 'detached' })

    // A key takes along what was made with it.
    await page.setViewportSize({ width: 390, height: 844 })
    await row('may read what you may see, file and change bugs')
      .filter({ hasText: 'nightly' })
      .getByRole('button')
      .focus()
    await page.keyboard.press('Enter')
    await dialog.getByText('what was made with it ends too').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('Ended: API key.').waitFor()
    await row('http://127.0.0.1:9/hook').waitFor({ state: 'detached' })
    assert.equal((await at.world.as({ 'X-TRACKER-API-KEY': made.api_key }).get('/rest/whoami')).status, 400)
    assert.notEqual(await page.evaluate('document.activeElement?.tagName'), 'BODY')
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
  })
})
