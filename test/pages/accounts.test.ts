import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, afterEach, before, it } from 'node:test'
import { codeOf } from '../../src/people/factors/totp.ts'
import { expectAccessible, expectAccessibleInSoak } from '../support/accessibility.ts'
import { choosePassword, linkFor as mailedLink } from '../support/account-pages.ts'
import type { BodyAt } from '../support/body-types.ts'
import { describeInBrowser, follow, logIn, pagesWorld } from '../support/browser.ts'
import { cast, PASSWORD } from '../support/cast.ts'
import { TestMailServer } from '../support/mail-server.ts'
import { isEveryCombination, itInSoak, sampled } from '../support/sample.ts'

const mailServer = await new TestMailServer().open()
after(() => mailServer.close())

describeInBrowser(
  'accounts on pages',
  (at) => {
    before(() => at.world.ada.put('/rest/parameters', { createemailregexp: '@lacewing\\.test$' }))
    afterEach(() => at.leave())

    const linkFor = (address: string) => mailedLink(at.world, mailServer, address)

    /** A user who needs a code after the password. */
    async function userWithApp() {
      const user = await at.world.newUser({ password: PASSWORD })
      const parameters = new URLSearchParams({ login: user.login, password: PASSWORD })
      const { body } = await at.world.nobody.get(`/rest/login?${parameters}`)
      const session = at.world.as({ 'X-TRACKER-TOKEN': body.token })
      const { body: app } = await session.post('/rest/factor/totp')
      const code = codeOf(app.secret, Math.floor(Date.now() / 30_000))
      assert.equal((await session.post('/rest/factor/totp/confirm', { id: app.id, code })).status, 201)
      return user
    }

    it('let one join with keys only, with rules shown before one types, and the link works once', async () => {
      const { page } = await at.visit('/login', { isDark: true, isPhone: isEveryCombination })
      // The page gives the focus to its first field when it appears.
      await page.locator('#main input:focus').waitFor()
      await page.getByRole('link', { name: 'Create an account' }).focus()
      await page.keyboard.press('Enter')
      await page.getByLabel('Address').fill('jo@lacewing.test')
      await expectAccessibleInSoak(page)
      await page.keyboard.press('Enter')
      await page.getByRole('status').filter({ hasText: 'jo@lacewing.test' }).waitFor()
      const link = await linkFor('jo@lacewing.test')
      await page.goto(link)
      await page.getByRole('heading', { name: 'Create your account' }).waitFor()
      assert.ok(!page.url().includes('#'), 'the token does not stay in the address')
      const rules = page.getByRole('list', { name: 'A password must be' }).getByRole('listitem')
      assert.equal(await rules.count(), 3)
      await page.getByLabel('Your name').fill('<b>Jo</b>')
      await page.getByLabel('Password', { exact: true }).fill('Passw0rd')
      assert.match((await rules.first().textContent()) ?? '', /At least 8 characters \(yes\)/)
      await expectAccessible(page)
      await choosePassword(page, 'Passw0rd')
      await page.getByText('must not be one of the most common').waitFor()
      await choosePassword(page, 'a quiet afternoon')
      await page.getByRole('button', { name: /<b>Jo<\/b>/ }).waitFor()
      await follow(page, link)
      await page.getByRole('alert').filter({ hasText: 'was used already' }).waitFor()
    })

    it('let one set a forgotten password, and say the same for an unknown account', async () => {
      const { page, context } = await at.visit('/login')
      for (const login of ['nobody-at-all@lacewing.test', cast.rhea.login]) {
        await follow(page, '/login')
        await page.getByRole('link', { name: 'Forgot your password?' }).click()
        await page.getByLabel('Login name').fill(login)
        await page.getByRole('button', { name: 'Send the link' }).click()
        await page.getByRole('status').filter({ hasText: 'If there is such an account' }).waitFor()
      }
      assert.equal(await linkFor('nobody-at-all@lacewing.test'), '')
      await expectAccessibleInSoak(page)
      await follow(page, await linkFor(cast.rhea.login))
      await page.getByText(`For ${cast.rhea.login}`).waitFor()
      await choosePassword(page, 'another afternoon')
      await page.getByRole('button', { name: /Rhea Reporter/ }).waitFor()

      if (!isEveryCombination) return
      const { login } = await userWithApp()
      await at.world.nobody.post('/rest/account/password', { login })
      await context.clearCookies()
      await page.goto(await linkFor(login))
      await choosePassword(page, 'yet another afternoon')
      await page.getByText('The password is saved. Log in with it.').waitFor()
    })

    itInSoak('invite a user whose account an administrator made without a password', async () => {
      // An installation without bugs shows its administrator what comes first.
      const { page: administration, context } = await at.visit('/', { as: 'ada' })
      const steps = administration.getByRole('region', { name: 'First steps' })
      const product = steps.getByRole('listitem').filter({ hasText: 'Create a product' })
      await product.waitFor()
      assert.equal(await steps.getByRole('link').count(), 4)
      assert.equal(await product.getByText('Done').count(), 0, 'TestProduct is no product of theirs')
      await at.world.ada.post('/rest/product', { name: 'Lamps', description: 'Light.', version: '1' })
      await at.world.ada.post('/rest/component', {
        ...{ product: 'Lamps', name: 'Bulb', description: 'Shines.', default_assignee: cast.ada.login },
      })
      await administration.reload()
      await product.getByText('Done').waitFor()
      await steps.getByRole('listitem').filter({ hasText: 'Invite people' }).getByText('Done').waitFor()
      await expectAccessibleInSoak(administration)
      await steps.getByRole('link', { name: 'Invite people' }).click()
      await administration.getByLabel('Mail address').fill('ina@lacewing.test')
      await administration.getByLabel('Real name').fill('Ina <i>Invited</i>')
      await administration.getByLabel('Password').fill('')
      await administration.getByRole('button', { name: 'Create the account' }).click()
      await administration.getByRole('status').filter({ hasText: 'gets an invitation by mail' }).waitFor()
      // The next can be invited in the same way.
      await administration.getByLabel('Mail address').and(administration.locator(':focus')).waitFor()
      assert.equal(await administration.getByLabel('Password').inputValue(), '')
      const link = await linkFor('ina@lacewing.test')
      await context.clearCookies()
      const { page } = isEveryCombination ? await at.visit(link, { isPhone: true }) : { page: administration }
      await page.goto(link)
      await page.getByRole('heading', { name: 'Choose a password' }).waitFor()
      await page.getByText('For ina@lacewing.test').waitFor()
      assert.equal(await page.getByLabel('Your name').inputValue(), 'Ina <i>Invited</i>')
      await choosePassword(page, 'a quiet evening')
      await page.waitForURL(`${at.world.url}/`)
      await follow(page, '/settings')
      await page.getByText('You log in as ina@lacewing.test.', { exact: true }).waitFor()
      if (!isEveryCombination) return
      await administration.goto(link)
      await administration.getByRole('alert').filter({ hasText: 'was used already' }).waitFor()
    })

    itInSoak(
      'let those who manage accounts change one, but none with more rights than they have, and say why',
      async () => {
        const user = await at.world.newUser()
        const { page } = await at.visit('/admin/products', { as: 'uma', isDark: true })
        await page.getByText('This is for administrators').waitFor()
        await page.getByRole('button', { name: /Uma/ }).click()
        await page.getByRole('menuitem', { name: 'Administration' }).click()
        await page.getByLabel('Mail address').fill('una@lacewing.test')
        const rail = page.getByRole('navigation', { name: 'Administration' }).getByRole('link')
        assert.deepEqual(await rail.allTextContents(), ['People'])
        assert.equal(await page.getByLabel('Is an administrator').count(), 0)
        await expectAccessible(page)
        await page.getByRole('button', { name: 'Create the account' }).click()
        await page.getByRole('status').filter({ hasText: 'una@lacewing.test' }).waitFor()
        const form = page.getByRole('form', { name: 'Account' })
        const save = form.getByRole('button', { name: 'Change the account' })
        const change = (label: string, text: string) => form.getByLabel(label).fill(text)
        const attempts = [
          [() => change('New password', 'taken over 1'), 'ada@lacewing.test has rights that you do not have'],
          [() => change('Login name', 'mine@lacewing.test'), 'ada@lacewing.test has rights that you do not have'],
          [() => change('Why the user cannot log in', 'Out'), 'ada@lacewing.test has rights that you do not have'],
          [() => form.getByLabel('Is an administrator').click(), 'admin'],
        ] as const
        // A password and a group: the other two are refused as the password is.
        for (const [attempt, reason] of sampled(attempts, 3)) {
          await follow(page, '/admin/people')
          await follow(page, `/user/${cast.ada.login}`)
          await attempt()
          await save.click()
          await form.getByRole('alert').filter({ hasText: reason }).waitFor()
        }
        await expectAccessibleInSoak(page)
        await follow(page, `/user/${user.login}`)
        await page.getByText(`${user.login}`).first().waitFor()
        // What one may not give is not offered.
        await form.locator('summary').click()
        assert.equal(await form.getByLabel('Is an administrator').count(), 0)
        await change('New password', 'helped out 1')
        await change('Login name', 'renamed@lacewing.test')
        await page.keyboard.press('Enter')
        await page.waitForURL('**/user/renamed%40lacewing.test')
        const password = { login: 'renamed@lacewing.test', password: 'helped out 1' }
        assert.equal((await at.world.nobody.get(`/rest/login?${new URLSearchParams(password)}`)).status, 200)
        // What readers without rights see is also in the test of what an account did.
        if (!isEveryCombination) return
        const { page: byAdministrator } = await at.visit(`/user/${cast.sven.login}`, { as: 'ada' })
        const inherited = byAdministrator.getByLabel('May schedule reports for themselves')
        await inherited.click()
        await byAdministrator.getByRole('button', { name: 'Change the account' }).click()
        await byAdministrator.getByRole('alert').filter({ hasText: 'comes from another group' }).waitFor()
        assert.ok(await inherited.isChecked())
        const other = await at.visit(`/user/${cast.uma.login}`, { as: 'stan' })
        await other.page.getByRole('region', { name: 'Reported' }).waitFor()
        assert.equal(await other.page.getByRole('form', { name: 'Account' }).count(), 0)
      },
    )

    /** Another browser of Edna's, which opens no page. Returns its cookie. */
    async function newSession(): Promise<string> {
      const { headers } = await fetch(`${at.world.url}/rest/session`, {
        method: 'POST',
        body: JSON.stringify({ login: cast.edna.login, password: PASSWORD }),
        headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' },
      })
      return headers.getSetCookie()[0]?.split(';')[0] ?? ''
    }

    async function userOf(cookie: string): Promise<string | undefined> {
      const { body } = await at.world.as({ Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' }).get('/rest/whoami')
      return body.name
    }

    it('show where one is logged in, and end all other sessions', async () => {
      const other = await newSession()
      const { page } = await at.visit('/settings', { as: 'edna' })
      const sessions = page.getByRole('region', { name: 'Sessions' })
      await sessions.getByText(/This browser, Chrome on Linux/).waitFor()
      await sessions.getByText('from 127.0.0.1').first().waitFor()
      assert.equal(await sessions.getByRole('listitem').count(), 2)
      await expectAccessible(page)
      await sessions.getByRole('button', { name: 'End it' }).click()
      await page.getByText('The session has ended.').waitFor()
      assert.equal(await userOf(other), undefined)
      const third = await newSession()
      assert.equal(await userOf(third), cast.edna.login)
      await page.reload()
      await sessions.getByRole('button', { name: 'End all other sessions' }).click()
      await page.getByText('All other sessions have ended.').waitFor()
      assert.equal(await userOf(third), undefined)
      await page.getByRole('button', { name: /Edna Editor/ }).click()
      await page.getByRole('menuitem', { name: 'Log out' }).click()
      await page.getByRole('link', { name: 'Log in' }).first().waitFor()
      await follow(page, '/settings')
      await page.getByText('Log in to change your account').waitFor()
    })

    itInSoak('show what else acts for one after a new password, and end it with one button', async () => {
      const user = await at.world.newUser({ password: PASSWORD })
      const url = `http://127.0.0.1:9/${'long'.repeat(50)}`
      assert.equal((await user.client.post('/rest/webhook', { url, is_active: false })).status, 201)
      const { page } = await at.visit('/login?to=/settings', { isPhone: isEveryCombination, isDark: true })
      await page.setViewportSize({ width: 360, height: 760 })
      await page.getByLabel('Login name').fill(user.login)
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await page.keyboard.press('Enter')
      const form = page.getByRole('form', { name: 'Password' })
      await form.getByLabel('Old password').fill(PASSWORD)
      await form.getByLabel('New password', { exact: true }).fill('another afternoon')
      await form.getByLabel('New password again').fill('another afternoon')
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Your password is changed' })
      await dialog.getByText('API key').waitFor()
      assert.equal(await dialog.getByRole('listitem').count(), 2)
      assert.ok(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'))
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'End all of it' }).click()
      await page.getByText('Only this browser acts for you now.').waitFor()
      assert.notEqual(await page.evaluate('document.activeElement?.tagName'), 'BODY')
      assert.equal((await user.client.get('/rest/whoami')).status, 400)
    })

    it('end what else acts for one with a forgotten password, unless one keeps it', async () => {
      const user = await at.world.newUser({ password: PASSWORD })
      await at.world.nobody.post('/rest/account/password', { login: user.login })
      const { page } = await at.visit('/help')
      await follow(page, await linkFor(user.login))
      const box = page.getByLabel('Also end what else acts for you: 1 API key.')
      assert.ok(await box.isChecked())
      await choosePassword(page, 'another afternoon')
      await page.getByRole('button', { name: /Somebody/ }).waitFor()
      assert.equal((await user.client.get('/rest/whoami')).status, 400)
    })

    it('change the address with a link, which is worth nothing to others', async () => {
      const { page, context } = await at.visit('/settings', { as: 'sven' })
      const form = page.getByRole('form', { name: 'Address' })
      await form.getByLabel('New address').fill('sven.new@lacewing.test')
      await form.getByLabel('Password').fill(PASSWORD)
      await form.getByRole('button', { name: 'Change the address' }).click()
      await form.getByRole('status').filter({ hasText: 'sven.new@lacewing.test' }).waitFor()
      const link = await linkFor('sven.new@lacewing.test')
      await logIn(context, 'stan')
      await page.goto(link)
      await page.getByRole('button', { name: 'Use the new address' }).click()
      await page.getByRole('alert').filter({ hasText: 'it must be the code' }).waitFor()
      await logIn(context, 'sven')
      await page.goto('/settings')
      await follow(page, link)
      await page.getByRole('button', { name: 'Use the new address' }).click()
      await page.getByText('Your login name is now sven.new@lacewing.test').waitFor()
    })

    itInSoak('give one a file with all that is stored, and close the account if that is allowed', async () => {
      await at.world.ada.put('/rest/parameters', { allowuserdeletion: true })
      const { page } = await at.visit('/settings', { as: 'greta' })
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Download what is stored about you' }).click(),
      ])
      const { account } = JSON.parse(readFileSync(await download.path(), 'utf8'))
      assert.equal(account.name, cast.greta.login)
      await page.getByRole('button', { name: 'Close your account' }).click()
      const dialog = page.getByRole('dialog', { name: 'Close your account' })
      await dialog.getByLabel('Your password').fill(PASSWORD)
      await expectAccessibleInSoak(page)
      await dialog.getByRole('button', { name: 'Close the account for ever' }).click()
      await page.getByRole('link', { name: 'Log in' }).first().waitFor()
      assert.equal((await at.world.ada.get(`/rest/user/${account.id}`)).body.users[0].real_name, 'Former user')
    })

    it('let one create an API key after the password again, copy it once, and revoke it', async () => {
      const { page, context } = await at.visit('/settings/keys', { as: 'pam', isDark: true })
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await at.world.db.query((q) => q.updateTable('login_tokens').set({ proven_at: '2020-01-01T00:00:00Z' }))
      await page.getByRole('button', { name: 'Create an API key' }).press('Enter')
      const form = page.getByRole('form', { name: 'Create an API key' })
      const create = form.getByRole('button', { name: 'Create the key' })
      await form.getByLabel('Description').and(page.locator(':focus')).fill('<b>nightly</b> report')
      const read = form.getByLabel(/^Read what you may see/)
      await read.press('Space')
      await create.and(page.locator('[aria-disabled=true]')).waitFor()
      await read.press('Space')
      await form.getByLabel(/^File and change bugs/).press('Space')
      await form.getByLabel('It ends').selectOption('On a day that you choose')
      await form.getByLabel('Last day').fill('2100-01-01')
      await expectAccessibleInSoak(page)
      await create.click()
      const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
      await dialog.getByLabel('Your password').fill('wrong')
      await page.keyboard.press('Enter')
      await dialog.getByText('The login name or the password is wrong.').waitFor()
      await expectAccessible(page)
      await dialog.getByLabel('Your password').fill(PASSWORD)
      await page.keyboard.press('Enter')
      const shown = page.getByRole('group', { name: 'The new API key' })
      const secret = (await shown.locator('code').textContent()) ?? ''
      await shown.getByRole('button', { name: 'Copy the key' }).click()
      await page.getByText('The key is copied.').waitFor()
      assert.equal(await page.evaluate('navigator.clipboard.readText()'), secret)
      await expectAccessibleInSoak(page)
      const whoami = () => fetch(`${at.world.url}/rest/whoami`, { headers: { 'X-TRACKER-API-KEY': secret } })
      const { scopes } = (await (await whoami()).json()) as BodyAt<'GET', '/rest/whoami'>
      assert.deepEqual(scopes, ['read', 'write'])
      await page.setViewportSize({ width: 360, height: 760 })
      await page.reload()
      const row = page.getByRole('listitem').filter({ hasText: '<b>nightly</b> report' })
      for (const fact of [/^created just now$/, /^never used$|^last used just now$/, /^ends \d+ \w+ (2100|2099)$/])
        await row.getByText(fact).waitFor()
      await row.getByText(/^may read, write$/).waitFor()
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
      assert.ok(!(await page.content()).includes(secret))
      await row.getByRole('button', { name: 'Revoke <b>nightly</b> report' }).click()
      await expectAccessibleInSoak(page)
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke the key' }).click()
      await page
        .getByRole('region', { name: 'Keys that no longer work' })
        .getByText(/revoked$/)
        .waitFor()
      assert.equal((await whoami()).status, 400)
      await page.setViewportSize({ width: 1280, height: 860 })
    })
  },
  pagesWorld('sqlite', { LACEWING_SMTP_URL: mailServer.url }),
)
