import assert from 'node:assert/strict'
import { after, afterEach, before, it } from 'node:test'
import type { APIRequestContext } from 'playwright-core'
import { codeOf } from '../../src/people/factors/totp.ts'
import {
  choosePassword,
  linkFor as mailedLink,
  serveAtLocalhost,
  takePasskeys,
  withAuthenticator,
} from '../support/account-pages.ts'
import { describeInBrowser, pagesWorld } from '../support/browser.ts'
import { readComments } from '../support/discussion.ts'
import { newBug } from '../support/file-bug.ts'
import { TestMailServer } from '../support/mail-server.ts'
import { TestProvider } from '../support/oidc-provider.ts'
import { isEveryCombination } from '../support/sample.ts'

const mailServer = await new TestMailServer().open()
const provider = await new TestProvider().open()
after(() => {
  mailServer.close()
  provider.close()
})

const environment: Record<string, string> = { LACEWING_SMTP_URL: mailServer.url }
const [FIRST, SECOND, THIRD] = ['a quiet morning', 'a quiet afternoon', 'a quiet evening']

// accounts, factors, passkeys and session test each of these pages closely, on SQLite, and test/outbound their calls on both engines.
// This is every flow on the other engine.
if (isEveryCombination)
  describeInBrowser(
    'the life of an account',
    (at) => {
      before(async () => {
        await serveAtLocalhost(at.world, environment)
        await provider.register(at.world.url, 'corp')
        await at.world.ada.put('/rest/parameters', {
          createemailregexp: '@lacewing\\.test$',
          allowuserdeletion: true,
          sign_in_providers: [{ ...provider.settings('corp'), title: 'Example Corp', creates_accounts: true }],
        })
      })
      afterEach(() => at.leave())

      const linkFor = (address: string) => mailedLink(at.world, mailServer, address)
      /** A bug of the user who is logged in there. */
      const filedBy = async (request: APIRequestContext) => {
        const data = newBug({ description: 'Written by a new user' })
        const reply = await request.post('/rest/bug', { data, headers: { 'Sec-Fetch-Site': 'same-origin' } })
        return (await reply.json()).id as number
      }

      it('goes from joining over a new address, factors and a forgotten password to leaving', async () => {
        const { page } = await at.visit('/join')
        await page.getByLabel('Address').fill('jo@lacewing.test')
        await page.keyboard.press('Enter')
        await page.getByRole('status').filter({ hasText: 'jo@lacewing.test' }).waitFor()
        const joining = await linkFor('jo@lacewing.test')
        await page.goto(joining)
        await page.getByLabel('Your name').fill('Jo Joiner')
        await choosePassword(page, FIRST)
        await page.getByRole('button', { name: /Jo Joiner/ }).waitFor()

        await page.goto('/settings')
        const address = page.getByRole('form', { name: 'Address' })
        await address.getByLabel('New address').fill('jo.new@lacewing.test')
        await address.getByLabel('Password').fill(FIRST)
        await address.getByRole('button', { name: 'Change the address' }).click()
        await address.getByRole('status').filter({ hasText: 'jo.new@lacewing.test' }).waitFor()
        await page.goto(await linkFor('jo.new@lacewing.test'))
        await page.getByRole('button', { name: 'Use the new address' }).click()
        await page.getByText('Your login name is now jo.new@lacewing.test').waitFor()

        await page.goto('/settings/factors')
        await page.getByRole('button', { name: 'Add an authenticator app' }).click()
        const secret = (await page.locator('.totp-key').textContent()) ?? ''
        const step = Math.floor(Date.now() / 30_000)
        await page.getByLabel('Code of the app').fill(codeOf(secret, step))
        await page.keyboard.press('Enter')
        const codes = page.getByRole('group', { name: 'Recovery codes' }).getByRole('listitem')
        const recovery = (await codes.first().textContent()) ?? ''
        const own = await withAuthenticator(page)
        await page.getByRole('button', { name: 'Add a passkey' }).click()
        await page.getByRole('button', { name: 'Go on' }).click()
        await page.getByText('Passkey on one device').waitFor()
        const { page: withPasskey } = await at.visit('/help')
        await (await takePasskeys(own)).giveTo(await withAuthenticator(withPasskey))

        const { page: forgetful } = await at.visit(joining)
        await forgetful.getByRole('alert').filter({ hasText: 'was used already' }).waitFor()
        await forgetful.goto('/forgot')
        await forgetful.getByLabel('Login name').fill('jo.new@lacewing.test')
        await forgetful.keyboard.press('Enter')
        await forgetful.getByRole('status').filter({ hasText: 'If there is such an account' }).waitFor()
        await forgetful.goto(await linkFor('jo.new@lacewing.test'))
        await choosePassword(forgetful, SECOND)
        await forgetful.getByText('The password is saved. Log in with it.').waitFor()
        await page.reload()
        await page.getByText('Log in to change your account').waitFor()
        await forgetful.getByLabel('Login name').fill('jo.new@lacewing.test')
        await forgetful.getByLabel('Password').fill(SECOND)
        await forgetful.keyboard.press('Enter')
        await forgetful.getByLabel('Code').fill(recovery)
        await forgetful.keyboard.press('Enter')
        await forgetful.getByRole('button', { name: /Jo Joiner/ }).waitFor()

        // Chromium takes the passkey that it offers with the login name at once, as if its user had chosen it.
        await withPasskey.goto('/login?to=/requests')
        await withPasskey.waitForURL(`${at.world.url}/requests`)
        await withPasskey.getByRole('button', { name: /Jo Joiner/ }).waitFor()

        await forgetful.goto('/settings')
        const sessions = forgetful.getByRole('region', { name: 'Sessions' })
        await sessions.getByRole('button', { name: 'End it' }).click()
        await forgetful.getByText('The session has ended.').waitFor()
        await page.goto('/login')
        await page.getByLabel('Login name').fill('jo.new@lacewing.test')
        await page.getByLabel('Password').fill(SECOND)
        await page.keyboard.press('Enter')
        await page.getByLabel('Code').fill(codeOf(secret, Math.max(step + 1, Math.floor(Date.now() / 30_000))))
        await page.keyboard.press('Enter')
        await page.getByRole('button', { name: /Jo Joiner/ }).waitFor()
        await forgetful.reload()
        await sessions.getByRole('button', { name: 'End all other sessions' }).click()
        await forgetful.getByText('All other sessions have ended.').waitFor()

        const bug = await filedBy(forgetful.request)
        await forgetful.getByRole('button', { name: 'Close your account' }).click()
        const dialog = forgetful.getByRole('dialog', { name: 'Close your account' })
        await dialog.getByLabel('Your password').fill(SECOND)
        await dialog.getByRole('button', { name: 'Close the account for ever' }).click()
        await forgetful.getByRole('link', { name: 'Log in' }).first().waitFor()
        const { creator_detail } = (await at.world.ada.get(`/rest/bug/${bug}`)).body.bugs[0]
        assert.equal(creator_detail.real_name, 'Former user')
      })

      it('begins at a provider, or with an invitation, and what it wrote can be hidden and shown again', async () => {
        provider.user = { sub: 'pia', email: 'pia@lacewing.test', email_verified: true, name: 'Pia Provided' }
        const { page: provided } = await at.visit('/login?to=/requests')
        await provided.getByRole('button', { name: 'Log in through Example Corp' }).click()
        await provided.waitForURL(`${at.world.url}/requests`)
        await provided.getByRole('button', { name: /Pia Provided/ }).waitFor()

        const { page: administration } = await at.visit('/admin/people', { as: 'ada' })
        await administration.getByLabel('Mail address').fill('ina@lacewing.test')
        await administration.getByLabel('Password').fill('')
        await administration.getByRole('button', { name: 'Create the account' }).click()
        await administration.getByRole('status').filter({ hasText: 'gets an invitation by mail' }).waitFor()
        const { page: invited } = await at.visit(await linkFor('ina@lacewing.test'))
        await invited.getByLabel('Your name').fill('Ina Invited')
        await choosePassword(invited, THIRD)
        await invited.getByRole('button', { name: /Ina Invited/ }).waitFor()

        const bug = await filedBy(invited.request)
        await administration.goto('/user/ina@lacewing.test')
        const activity = administration.getByRole('region', { name: 'Activity' })
        await activity.getByRole('button', { name: 'Hide it all' }).click()
        await administration.getByRole('dialog').getByRole('button', { name: 'Hide it all' }).click()
        const tags = async () => (await readComments(at.world.ada, bug))[0].tags
        await activity.getByRole('button', { name: 'Undo' }).waitFor()
        assert.deepEqual(await tags(), ['spam'])
        await activity.getByRole('button', { name: 'Undo' }).click()
        await activity.getByText('restored').waitFor()
        assert.deepEqual(await tags(), [])
      })
    },
    pagesWorld('postgres', environment),
  )
