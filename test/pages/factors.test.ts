import assert from 'node:assert/strict'
import { after, afterEach, before, it } from 'node:test'
import { codeOf } from '../../src/people/factors/totp.ts'
import { expectAccessible, expectAccessibleInSoak } from '../support/accessibility.ts'
import { describeInBrowser, follow, logIn } from '../support/browser.ts'
import { cast, PASSWORD } from '../support/cast.ts'
import { readComments } from '../support/discussion.ts'
import { fileBug } from '../support/file-bug.ts'
import { TestProvider } from '../support/oidc-provider.ts'
import { isEveryCombination, itInSoak } from '../support/sample.ts'

const provider = await new TestProvider().open()
after(() => provider.close())

describeInBrowser('second factors and sign-on on pages', (at) => {
  before(async () => {
    await provider.register(at.world.url, 'corp')
    await at.world.ada.put('/rest/parameters', {
      sign_in_providers: [{ ...provider.settings('corp'), title: 'Example Corp', creates_accounts: true }],
    })
  })
  afterEach(() => at.leave())

  it('let one add an app with keys only, and ask for its code at the next log-in', async () => {
    const { page, context } = await at.visit('/settings/factors', { as: 'stan', isDark: true })
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
    await page.getByLabel('Code of the app').fill(codeOf(secret, step))
    await page.keyboard.press('Enter')
    const codes = page.getByRole('group', { name: 'Recovery codes' }).getByRole('listitem')
    await codes.first().waitFor()
    assert.equal(await codes.count(), 10)
    await expectAccessibleInSoak(page)

    await context.clearCookies()
    const other = isEveryCombination ? await at.visit('/help', { isPhone: true }) : { page }
    await other.page.goto('/login?to=//example.com/')
    await other.page.getByLabel('Login name').fill(cast.stan.login)
    await other.page.getByLabel('Password').fill(PASSWORD)
    await other.page.keyboard.press('Enter')
    await other.page.getByLabel('Code').waitFor()
    await expectAccessibleInSoak(other.page)
    if (isEveryCombination) {
      await other.page.getByRole('button', { name: 'Use another account' }).click()
      assert.equal(await other.page.getByLabel('Password').inputValue(), '')
      await other.page.keyboard.type(cast.stan.login)
      await other.page.getByLabel('Password').fill(PASSWORD)
      await other.page.keyboard.press('Enter')
      await other.page.getByLabel('Code').waitFor()
    }
    await other.page.keyboard.type('123')
    await other.page.keyboard.press('Enter')
    await other.page.getByRole('alert').filter({ hasText: 'That code is wrong' }).waitFor()
    const next = Math.max(step + 1, Math.floor(Date.now() / 30_000))
    await other.page.getByLabel('Code').fill(codeOf(secret, next))
    await other.page.keyboard.press('Enter')
    await other.page.waitForURL(`${at.world.url}/`)
  })

  it('lead through a provider and back to where one was, and take no response that this tab did not ask for', async () => {
    provider.user = { sub: 'jo', email: 'jo@lacewing.test', email_verified: true, name: '<b>Jo</b>' }
    const { page, context } = await at.visit('/login?to=/requests')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Log in through Example Corp' }).click()
    await page.waitForURL(`${at.world.url}/requests`)
    await page.getByRole('button', { name: /<b>Jo<\/b>/ }).waitFor()

    provider.user = { sub: 'eve', email: 'eve@lacewing.test', email_verified: false }
    await context.clearCookies()
    await page.goto('/login?to=/requests')
    await page.getByRole('button', { name: 'Log in through Example Corp' }).click()
    await page.getByRole('alert').filter({ hasText: 'has not verified your address' }).waitFor()
    await expectAccessibleInSoak(page)
    await page.getByRole('link', { name: 'Log in' }).last().click()
    await page.getByLabel('Login name').fill(cast.edna.login)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${at.world.url}/requests`)

    await context.clearCookies()
    await page.goto('/login/return/corp?code=stolen&state=of-another-browser')
    await page.getByRole('alert').filter({ hasText: 'this browser has not begun it' }).waitFor()
    assert.ok(!page.url().includes('stolen'), 'the response does not stay in the address')
  })

  it('let one in with a recovery code, and lead those who must have a factor to adding one', async () => {
    const user = await at.world.newUser({ password: PASSWORD })
    const { body } = await at.world.nobody.get(
      `/rest/login?${new URLSearchParams({ login: user.login, password: PASSWORD })}`,
    )
    const session = at.world.as({ 'X-TRACKER-TOKEN': body.token })
    const { body: app } = await session.post('/rest/factor/totp')
    const code = codeOf(app.secret, Math.floor(Date.now() / 30_000))
    const { body: confirmed } = await session.post('/rest/factor/totp/confirm', { id: app.id, code })
    const { page, context } = await at.visit('/login?to=/requests')
    const enter = async (login: string) => {
      await page.getByLabel('Login name').fill(login)
      await page.getByLabel('Password').fill(PASSWORD)
      await page.keyboard.press('Enter')
    }
    await enter(user.login)
    await page.getByLabel('Code').fill(confirmed.recovery_codes[0].toUpperCase())
    await page.keyboard.press('Enter')
    await page.waitForURL(`${at.world.url}/requests`)

    await context.clearCookies()
    await page.goto('/login?to=/requests')
    const { name } = await at.world.newGroup()
    const member = await at.world.newUser({ password: PASSWORD })
    await at.world.ada.put(`/rest/user/${member.id}`, { groups: { add: [name] } })
    await at.world.withParameters({ factor_group: name }, async () => {
      await enter(member.login)
      await page.waitForURL('**/settings/factors')
      await page.getByText('Your account needs a second factor').waitFor()
      await expectAccessibleInSoak(page)
      await page.goto('/bugs')
      await page.waitForURL('**/settings/factors')
    })
  })

  itInSoak(
    'let a user who has only a provider log in there again in another window, and go on in this one',
    async () => {
      provider.user = { sub: 'only', email: 'only@lacewing.test', email_verified: true }
      provider.loginAgeSeconds = 3600
      const { page } = await at.visit('/login?to=/settings/factors')
      await page.getByRole('button', { name: 'Log in through Example Corp' }).click()
      await page.waitForURL('**/settings/factors')
      await page.getByRole('button', { name: 'Add an authenticator app' }).click()
      await page.evaluate("document.body.setAttribute('data-kept', '')")
      const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
      const again = dialog.getByRole('button', { name: 'Log in again with Example Corp' })
      await again.waitFor()
      assert.equal(await dialog.getByLabel('Your password').count(), 0)
      await expectAccessibleInSoak(page)
      provider.loginAgeSeconds = 0
      const opened = page.waitForEvent('popup')
      await again.press('Enter')
      const closed = (await opened).waitForEvent('close')
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('img', { name: 'QR code with the key' }).waitFor()
      assert.equal(await page.locator('[data-kept]').count(), 1, 'the page was not loaded again')
      await closed
      await follow(page, '/settings')
      const form = page.getByRole('form', { name: 'Password' })
      await form.getByLabel('New password', { exact: true }).fill('a quiet morning')
      assert.equal(await form.getByLabel('Old password').count(), 0)
      await form.getByLabel('New password again').fill('a quiet morning')
      await page.keyboard.press('Enter')
      await page.getByText('Your password is changed.').waitFor()
    },
  )

  itInSoak(
    'say that the provider has ended the session, and let one log in there again without losing what was typed',
    async () => {
      provider.user = { sub: 'gone', email: 'gone@lacewing.test', email_verified: true }
      const { page } = await at.visit('/login?to=/settings')
      const throughProvider = page.getByRole('button', { name: 'Log in through Example Corp' })
      await throughProvider.click()
      await page.waitForURL('**/settings')
      const logOut = async () => {
        const [session] = await at.world.db.query((q) =>
          q.selectFrom('login_tokens').select('provider_session').where('provider_subject', '=', 'gone'),
        )
        await provider.logOut('gone', session?.provider_session ?? '')
      }
      await page.getByLabel('Real name').fill('Gone and back')
      // What the page still reads would be refused first.
      await page.locator('.skeleton').first().waitFor({ state: 'detached' })
      await logOut()
      const save = page.getByRole('button', { name: 'Save the name' })
      await save.click()
      const dialog = page.getByRole('dialog', { name: 'You were logged out' })
      await dialog.getByText('Log in to go on').waitFor()
      await expectAccessible(page)
      await throughProvider.click()
      await dialog.waitFor({ state: 'detached' })
      await save.click()
      await page.getByText('Your name is changed.').waitFor()
      await page.getByRole('button', { name: /Gone and back/ }).waitFor()

      await logOut()
      // A page that is opened without its session still has the name of the installation.
      await at.world.withParameters({ site_name: 'Skylark' }, async () => {
        await page.goto('/settings')
        await page.getByRole('dialog', { name: 'You were logged out of Skylark' }).waitFor()
        assert.match(await page.title(), /Skylark$/)
        assert.equal(await page.locator('.brand').textContent(), 'Skylark')
      })
      await page.goto('/login?to=/settings')
      await throughProvider.click()
      await page.waitForURL('**/settings')
      await page.getByRole('button', { name: /Gone and back/ }).waitFor()
    },
  )

  itInSoak('link an account with a provider from the settings, and unlink it', async () => {
    provider.user = { sub: 'sven-there', email: 'other@lacewing.test', email_verified: false }
    const { page } = await at.visit('/settings/factors', { as: 'sven' })
    await page.getByRole('button', { name: 'Link with Example Corp' }).click()
    const unlink = page.getByRole('button', { name: 'Unlink Example Corp' })
    await unlink.waitFor()
    assert.equal(new URL(page.url()).pathname, '/settings/factors')
    await expectAccessibleInSoak(page)
    await unlink.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Link with Example Corp' }).waitFor()
  })

  itInSoak('show administrators what an account did, and hide it with a preview and undo', async () => {
    const user = await at.world.newUser()
    const bug = await fileBug(user.client, { summary: 'Buy <b>now</b>' })
    await user.client.post(`/rest/bug/${bug}/comment`, { comment: 'Buy more' })
    const address = `/user/${encodeURIComponent(user.login)}`
    const { page, context } = await at.visit(address, { as: 'ada', isPhone: isEveryCombination })
    const part = page.getByRole('region', { name: 'Activity' })
    await part.getByText('Buy more').waitFor()
    await expectAccessibleInSoak(page)
    await part.getByRole('button', { name: 'Hide it all' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('1 bug, 2 comments, 0 attachments').waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Hide it all' }).click()
    await page.getByRole('button', { name: 'Undo' }).last().waitFor()
    const tags = async () => (await readComments(at.world.ada, bug))[1].tags
    assert.deepEqual(await tags(), ['spam'])
    await part.getByRole('button', { name: 'Undo' }).click()
    await part.getByText('restored').waitFor()
    assert.deepEqual(await tags(), [])
    await logIn(context, 'rhea')
    await page.goto(address)
    await page.getByRole('region', { name: 'Reported' }).waitFor()
    assert.equal(await part.count(), 0)
    assert.equal(await page.getByRole('form', { name: 'Account' }).count(), 0)
  })
})
