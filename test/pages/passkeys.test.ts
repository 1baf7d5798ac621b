import assert from 'node:assert/strict'
import { afterEach, before, it } from 'node:test'
import { expectAccessibleInSoak } from '../support/accessibility.ts'
import { serveAtLocalhost, takePasskeys, withAuthenticator } from '../support/account-pages.ts'
import { describeInBrowser, follow } from '../support/browser.ts'
import { cast, PASSWORD } from '../support/cast.ts'
import { labelFocusedBy } from '../support/keyboard.ts'
import { isEveryCombination } from '../support/sample.ts'
import { World } from '../support/world.ts'

const environment: Record<string, string> = {}

describeInBrowser(
  'passkeys on pages',
  (at) => {
    before(() => serveAtLocalhost(at.world, environment))
    afterEach(() => at.leave())

    it('are added with keys only, used in every step of a log-in, confirm a change, and are removed', async () => {
      const first = await at.visit('/settings/factors', { as: 'stan', isDark: true })
      const { page } = first
      const own = await withAuthenticator(page)
      assert.equal(await labelFocusedBy(page.getByRole('button', { name: 'Add a passkey' })), 'Name')
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
      assert.equal(await labelFocusedBy(page.getByRole('button', { name: 'Rename <b>Laptop</b>' })), 'Name')
      await page.getByRole('dialog').getByLabel('Name').fill('Laptop')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Remove Laptop' }).waitFor()
      await expectAccessibleInSoak(page)

      // One page after the other; in the soak there are three at once.
      let kept = await takePasskeys(own)
      if (!isEveryCombination) await first.context.clearCookies()
      const second = isEveryCombination ? await at.visit('/help', { isPhone: true }) : first
      await second.page.goto('/login?to=/requests')
      await second.page.getByRole('button', { name: 'Log in with a passkey' }).waitFor()
      await expectAccessibleInSoak(second.page)
      await second.page.getByLabel('Login name').fill(cast.stan.login)
      await second.page.getByLabel('Password').fill(PASSWORD)
      await second.page.keyboard.press('Enter')
      await second.page.getByLabel('Code').waitFor()
      const phone = isEveryCombination ? await withAuthenticator(second.page) : own
      await kept.giveTo(phone)
      await second.page.getByRole('button', { name: 'Use a passkey' }).click()
      await second.page.waitForURL(`${at.world.url}/requests`)

      kept = await takePasskeys(phone)
      await second.context.clearCookies()
      const alone = isEveryCombination ? await at.visit('/help') : second
      await alone.page.goto('/login?to=/requests')
      const authenticator = isEveryCombination ? await withAuthenticator(alone.page) : own
      await alone.page.getByRole('button', { name: 'Log in with a passkey' }).click()
      await alone.page.getByRole('alert').filter({ hasText: 'No passkey was used' }).waitFor()
      await kept.giveTo(authenticator)
      await alone.page.getByRole('button', { name: 'Log in with a passkey' }).click()
      await alone.page.waitForURL(`${at.world.url}/requests`)

      // Chromium takes the passkey that it offers with the login name at once, as if its user had chosen it.
      await alone.context.clearCookies()
      await alone.page.goto('/login?to=/requests')
      await alone.page.waitForURL(`${at.world.url}/requests`)
      kept = await takePasskeys(authenticator)
      await kept.giveTo(own)
      if (!isEveryCombination) await follow(page, '/settings/factors')

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

      kept = await takePasskeys(own)
      await alone.context.clearCookies()
      await alone.page.goto('/login')
      await kept.giveTo(authenticator)
      await alone.page.getByRole('button', { name: 'Log in with a passkey' }).click()
      await alone.page.getByRole('alert').filter({ hasText: 'That passkey was not accepted' }).waitFor()
    })
  },
  new World('sqlite', environment),
)
