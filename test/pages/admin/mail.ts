import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { MAIL_QUEUE } from '../../../src/access/account-notice.ts'
import { expectAccessibleInBothThemes } from '../../support/accessibility.ts'
import type { BrowserWorld } from '../../support/browser.ts'
import { TestMailServer } from '../../support/mail-server.ts'
import { itInSoak } from '../../support/sample.ts'

const HOSTILE = '<img src=x onerror=document.title=1>"&\u202e'

export function mailStories(at: BrowserWorld) {
  const server = new TestMailServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: (_, __, done) => done(null, { user: 'bugs' }),
  })
  before(() => server.open())
  after(() => server.close())

  itInSoak('sets the mail server, tests it, and shows what was not delivered and what was refused', async () => {
    const { db, ada } = at.world
    const lost = `${at.world.unique('lost')}@lacewing.test`
    await addUndelivered(at, lost)
    await db.query((q) => q.insertInto('refused_messages').values({ user_id: null, reason: HOSTILE, at: NOW }))
    const { page } = await at.visit('/admin/mail', { as: 'ada' })
    const form = page.getByRole('form', { name: 'Mail server' })
    await form.getByText('No mail is sent').waitFor()
    await form.getByLabel('Host').fill('127.0.0.1')
    await form.getByLabel('Encryption').selectOption('STARTTLS if the server offers it')
    await form.getByLabel('Port').fill('70000')
    await form.getByLabel('User').fill('bugs-user')
    await form.getByLabel('Password').fill('geheim@42')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByRole('alert').filter({ hasText: 'it must be smtp://' }).waitFor()
    await form.getByLabel('Port').fill(String(server.port))
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('a user and a password, which are not shown').waitFor()
    assert.doesNotMatch(await page.content(), /geheim|bugs-user/)
    await page.getByRole('button', { name: 'Send a test message to me' }).click()
    await page.getByText('has accepted a message from').waitFor()
    const trail = page.getByRole('complementary', { name: 'What changed here' })
    await trail.getByText('sent a test message to').waitFor()
    await expectAccessibleInBothThemes(page)
    await form.getByLabel('Port').fill('2525')
    await form.getByText('Another server does not get the old login').waitFor()
    await form.getByLabel('Port').fill(String(server.port))
    await form.getByRole('button', { name: 'Send no mail' }).click()
    await form.getByText('No mail is sent').waitFor()
    await page.getByRole('list', { name: 'Refused messages' }).getByText(HOSTILE).waitFor()
    await page.getByText('550 No such mailbox').waitFor()
    await page.getByRole('button', { name: `Discard to ${lost}` }).click()
    await page.getByRole('button', { name: 'Discard the message' }).click()
    await page.getByText('No message was given up.').waitFor()
    assert.equal((await ada.get('/rest/mail/undelivered')).body.dead, 0)
    await trail.getByText('deleted undelivered messages').waitFor()
  })

  itInSoak(
    'sends undelivered mail and takes an address for filing with keys only, at the width of a phone',
    async () => {
      const lost = `${at.world.unique('late')}@lacewing.test`
      await addUndelivered(at, lost)
      const { page } = await at.visit('/admin/mail', { as: 'ada', isPhone: true })
      await page.getByRole('button', { name: `Send now to ${lost}` }).press('Enter')
      await page.getByText('No message was given up.').waitFor()
      await page.locator(':focus').waitFor()
      await page.getByLabel('Messages', { exact: true }).selectOption('waiting')
      await page.getByText('No mail waits.').waitFor()
      await page.getByLabel('Address for mail to the tracker').focus()
      await page.keyboard.type('bugs@lacewing.test')
      await page.keyboard.press('Enter')
      await page.getByText('The tracker accepts mail now.').waitFor()
      await page.getByText('LACEWING_MAILDIR is not set').waitFor()
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
      await at.world.ada.put('/rest/parameters', { incoming_address: '' })
      const { page: other } = await at.visit('/admin/mail', { as: 'pam' })
      await other.getByText('This is for administrators').waitFor()
    },
  )
}

const NOW = '2026-11-18T07:00:00Z'

/** About a bug that is gone: when it is tried again, there is nothing to send. */
function addUndelivered({ world }: BrowserWorld, address: string) {
  const topic = { type: 'change', reasons: [], history: [], commentId: null, attachmentId: null }
  const job = { position: 1, kind: 'bug.update', bugId: 999_999, who: 1, at: NOW, to: { address }, topic }
  return world.db.query((q) =>
    q.insertInto('jobs').values({
      queue: MAIL_QUEUE,
      lane: address,
      payload: JSON.stringify(job),
      created_at: NOW,
      attempts: 1,
      last_fault: '550 No such mailbox',
      died_at: NOW,
    }),
  )
}
