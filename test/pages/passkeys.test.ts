import assert from 'node:assert/strict'
import { afterEach, before, it } from 'node:test'
import { expectAccessibleInSoak } from '../support/accessibility.ts'
import { movePasskeys, serveAtLocalhost, withAuthenticator } from '../support/account-pages.ts'
import { describeInBrowser } from '../support/browser.ts'
import { cast, PASSWORD } from '../support/cast.ts'
import { isEveryCombination } from '../support/sample.ts'
import { World } from '../support/world.ts'

const environment: Record<string, string> = {}

describeInBrowser(
  'passkeys on pages',
  (at) => {
    before(() => serveAtLocalhost(at.world, environment))
    afterEach(() => at.leave())

    it('are added with keys only, used in every step of a log-in, confirm a change, and are removed', async () => {
      const { page } = await at.visit('/settings/factors', { as: 'stan', isDark: true })
      const own = await withAuthenticator(page)
      await page.getByRole('button', { name: 'Add a passkey' }).focus()
      await page.keyboard.press('Enter')
      await page.getByLabel('Name').waitFor()
      await expectAccessibleInSoak(page)
      await page.keyboard.type('<b>Laptop</b>')
      await page.keyboard.press('Enter')
      const codes = page.getByRole('group', { name: 'Recovery codes' }).getByRole('listitem')
      await codes.first().waitFor()
      assert.equal(await codes.count(), 10)
      await page.getByText('Passkey on one device').waitFor()
      await page.getByRole('button', { name: 'Add a passkey' }).click()
      await page.getByRole('button', { name: 'Go on' }).click()
      await page.getByText('This device has a passkey for your account already').waitFor()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('button', { name: 'Rename <b>Laptop</b>' }).click()
      await page.getByRole('dialog').getByLabel('Name').fill('Laptop')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Remove Laptop' }).waitFor()
      await expectAccessibleInSoak(page)

      const second = await at.visit('/login?to=/requests', { isPhone: isEveryCombination })
      await second.page.getByRole('button', { name: 'Log in with a passkey' }).waitFor()
      await expectAccessibleInSoak(second.page)
      await second.page.getByLabel('Login name').fill(cast.stan.login)
      await second.page.getByLabel('Password').fill(PASSWORD)
      await second.page.keyboard.press('Enter')
      await second.page.getByLabel('Code').waitFor()
      const phone = await withAuthenticator(second.page)
      await movePasskeys(own, phone)
      await second.page.getByRole('button', { name: 'Use a passkey' }).click()
      await second.page.waitForURL(`${at.world.url}/requests`)

      const alone = await at.visit('/login?to=/requests')
      const authenticator = await withAuthenticator(alone.page)
      await alone.page.getByRole('button', { name: 'Log in with a passkey' }).click()
      await alone.page.getByRole('alert').filter({ hasText: 'No passkey was used' }).waitFor()
      await movePasskeys(phone, authenticator)
      await alone.page.getByRole('button', { name: 'Log in with a passkey' }).click()
      await alone.page.waitForURL(`${at.world.url}/requests`)

      // Chromium takes the passkey that it offers with the login name at once, as if its user had chosen it.
      await alone.context.clearCookies()
      await alone.page.goto('/login?to=/requests')
      await alone.page.waitForURL(`${at.world.url}/requests`)
      await movePasskeys(authenticator, own)

      await at.world.db.query((q) => q.updateTable('login_tokens').set({ proven_at: '2020-01-01T00:00:00Z' }))
      await page.getByRole('button', { name: 'Get new recovery codes' }).click()
      const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
      await dialog.getByRole('button', { name: 'Use a passkey' }).waitFor()
      await expectAccessibleInSoak(page)
      await dialog.getByRole('button', { name: 'Use a passkey' }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByText('The old recovery codes no longer work').waitFor()
      await page.getByRole('button', { name: 'Remove Laptop' }).click()
      await page.getByText('With a second factor, a stolen password').waitFor()

      await alone.context.clearCookies()
      await alone.page.goto('/login')
      await movePasskeys(own, authenticator)
      await alone.page.getByRole('button', { name: 'Log in with a passkey' }).click()
      await alone.page.getByRole('alert').filter({ hasText: 'That passkey was not accepted' }).waitFor()
    })
  },
  new World('sqlite', environment),
)
