import assert from 'node:assert/strict'
import { after, afterEach, before, it } from 'node:test'
import { codeOf } from '../../src/people/factors/totp.ts'
import { expectAccessible } from '../support/accessibility.ts'
import { describeInBrowser } from '../support/browser.ts'
import { cast, PASSWORD } from '../support/cast.ts'
import { TestProvider } from '../support/oidc-provider.ts'

const provider = await new TestProvider().open()
after(() => provider.close())

describeInBrowser('second factors and sign-on on pages', (at) => {
  before(async () => {
    await provider.register(at.world.url, 'corp')
    await at.world.ada.put('/rest/parameters', {
      sign_in_providers: [
        {
          name: 'corp',
          title: 'Example Corp',
          issuer: provider.issuer,
          client_id: provider.clientId,
          client_secret: provider.clientSecret,
          creates_accounts: true,
        },
      ],
    })
  })
  afterEach(() => at.leave())

  it('let one add an app with keys only, and ask for its code at the next log-in', async () => {
    const { page } = await at.visit('/settings/factors', { as: 'stan', isDark: true })
    await page.getByText('Passkeys cannot be used here, because the address of this server has no https').waitFor()
    await page.getByRole('button', { name: 'Add an authenticator app' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('img', { name: 'QR code with the key' }).waitFor()
    const secret = (await page.locator('.totp-key').textContent()) ?? ''
    await expectAccessible(page)
    await page.keyboard.type('000')
    await page.keyboard.press('Enter')
    await page.getByText('The code is wrong').waitFor()
    const step = Math.floor(Date.now() / 30_000)
    await page.getByLabel('Code of the app').fill(codeOf(secret, step - 1))
    await page.keyboard.press('Enter')
    const codes = page.getByRole('group', { name: 'Recovery codes' }).getByRole('listitem')
    await codes.first().waitFor()
    assert.equal(await codes.count(), 10)
    await expectAccessible(page)

    const other = await at.visit('/login?to=//example.com/', { isPhone: true })
    await other.page.getByLabel('Login name').fill(cast.stan.login)
    await other.page.getByLabel('Password').fill(PASSWORD)
    await other.page.keyboard.press('Enter')
    await other.page.getByLabel('Code').waitFor()
    await expectAccessible(other.page)
    await other.page.keyboard.type('123')
    await other.page.keyboard.press('Enter')
    await other.page.getByRole('alert').filter({ hasText: 'That code is wrong' }).waitFor()
    await other.page.getByLabel('Code').fill(codeOf(secret, step))
    await other.page.keyboard.press('Enter')
    await other.page.waitForURL(`${at.world.url}/`)
  })

  it('lead through a provider and back to where one was, and take no response that this tab did not ask for', async () => {
    provider.user = { sub: 'jo', email: 'jo@lacewing.test', email_verified: true, name: '<b>Jo</b>' }
    const { page } = await at.visit('/login?to=/requests')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Log in through Example Corp' }).click()
    await page.waitForURL('**/requests')
    await page.getByRole('button', { name: /<b>Jo<\/b>/ }).waitFor()

    provider.user = { sub: 'eve', email: 'eve@lacewing.test', email_verified: false }
    const eve = await at.visit('/login')
    await eve.page.getByRole('button', { name: 'Log in through Example Corp' }).click()
    await eve.page.getByRole('alert').filter({ hasText: 'has not verified your address' }).waitFor()
    await expectAccessible(eve.page)

    const forged = await at.visit('/login/return/corp?code=stolen&state=of-another-browser')
    await forged.page.getByRole('alert').filter({ hasText: 'this browser has not begun it' }).waitFor()
    assert.ok(!forged.page.url().includes('stolen'), 'the response does not stay in the address')
  })
})
