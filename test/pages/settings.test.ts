import assert from 'node:assert/strict'
import { after, afterEach, before, it } from 'node:test'
import { expectAccessibleInBothThemes, expectAccessibleInSoak } from '../support/accessibility.ts'
import { describeInBrowser, follow } from '../support/browser.ts'
import { cast } from '../support/cast.ts'
import { fileBug } from '../support/file-bug.ts'
import { HttpReceiver } from '../support/http-receiver.ts'
import { itInSoak } from '../support/sample.ts'
import { until } from '../support/until.ts'

const HOSTILE = '<img src=x onerror=alert(1)> “nightly” \u202Ereport'

describeInBrowser('settings', (at) => {
  const receiver = new HttpReceiver()
  before(() => receiver.open())
  after(() => receiver.close())
  afterEach(() => at.leave())

  it('list everything that acts for one, with rights and last use, and end it one by one', async () => {
    const { edna, ada } = at.world
    await ada.put('/rest/parameters', { incoming_address: 'bugs@lacewing.test' })
    const key = { description: HOSTILE, scopes: ['read', 'write'] }
    const { body: made } = await edna.post(`/rest/user/${cast.edna.login}/api_key`, key)
    const hook = { url: 'http://127.0.0.1:9/hook', events: ['bug.create'], is_active: false }
    await at.world.as({ 'X-TRACKER-API-KEY': made.api_key }).post('/rest/webhook', hook)
    const { page } = await at.visit('/settings/mail', { as: 'edna' })
    await page.getByRole('button', { name: 'Get an address' }).click()
    const address = page.getByRole('group', { name: 'The address for filing by mail' }).locator('code')
    const first = await address.textContent()
    assert.match(first ?? '', /^bugs\+\d+-\w+@lacewing\.test$/)
    await page.getByRole('button', { name: 'Get another address' }).click()
    await page.getByRole('dialog').getByText('This cannot be undone.').waitFor()
    await page.getByRole('button', { name: 'Replace it' }).click()
    await until(async () => (await address.textContent()) !== first)
    await expectAccessibleInBothThemes(page)
    await follow(page, '/settings/access')
    const list = page.getByRole('region', { name: 'What acts for you' })
    const row = (text: string) => list.getByRole('listitem').filter({ hasText: text })
    await row('http://127.0.0.1:9/hook').getByText('may send what you may see: bug.create').waitFor()
    await row('http://127.0.0.1:9/hook').getByText('made with the API key').waitFor()
    await row('API key <img').getByText('may read what you may see, file and change bugs').first().waitFor()
    assert.match((await list.getByRole('listitem').first().textContent()) ?? '', /^This browser.*in use now/)
    assert.equal(await row('This browser').getByRole('button').count(), 0)
    await expectAccessibleInSoak(page)

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
    await until(() => page.evaluate<boolean>('document.activeElement.tagName !== "BODY"'))
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
  })

  itInSoak('keep the colours, density, time zone and first page that one chooses in this browser', async () => {
    await at.world.edna.post('/rest/saved_search', { name: 'Lamps', query: 'summary=lamp' })
    const { page } = await at.visit('/settings', { as: 'edna' })
    const groups = page.getByRole('region', { name: 'Groups', exact: true }).getByRole('listitem')
    await groups.getByText('May change every field of a bug').waitFor()
    const away = page.getByRole('region', { name: 'Away' })
    const today = new Date().toISOString().slice(0, 10)
    await away.getByLabel('First day').fill(today)
    await away.getByLabel('Last day').fill(today)
    await away.getByLabel('Note').fill(HOSTILE)
    await page.keyboard.press('Enter')
    await away.getByText(/You are away until \d+ \w+: <img/).waitFor()
    assert.match((await groups.allTextContents()).join(), /editbugs.*canconfirm/)
    for (const [zone, words] of [
      ['Pacific/Kiritimati', '+14'],
      ['America/Caracas', '-4'],
    ] as const) {
      await page.getByLabel('Time zone').selectOption(zone)
      await page.getByText(new RegExp(`^Now it is .*\\${words}`)).waitFor()
    }
    await page.getByLabel('Colours').selectOption('Dark')
    await page.getByLabel('Rows of lists').selectOption('Roomy')
    await page.getByLabel('First page').selectOption('Search: Lamps')
    await page.goto(at.world.url)
    await page.getByRole('heading', { level: 1, name: 'Lamps' }).waitFor()
    await page.getByRole('link', { name: 'Home', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    await page.goto(`${at.world.url}/settings`)
    await page.getByText(/^Now it is .*-4/).waitFor()
    const look = 'Object.values({ theme: "", density: "", ...document.documentElement.dataset }).slice(0, 2)'
    assert.deepEqual(await page.evaluate(look), ['dark', 'roomy'])
    for (const [label, usual] of [
      ['Colours', 'Same as the system'],
      ['Rows of lists', 'Normal'],
    ] as const)
      await page.getByLabel(label).selectOption(usual)
    assert.deepEqual(await page.evaluate(look), ['', ''])
    await page.getByLabel('First page').selectOption('Home')
    await page.getByLabel('Time zone').selectOption('That of this device')
  })

  itInSoak('make, try, change, switch off and delete a webhook, and send again what its receiver refused', async () => {
    await at.world.ada.put('/rest/parameters', { webhook_networks: '127.0.0.1/32' })
    receiver.manners.set('/hook', 500)
    const { page } = await at.visit('/settings/webhooks', { as: 'edna' })
    const button = (name: string | RegExp) => page.getByRole('button', { name })
    await button('Create a webhook').click()
    await page.getByLabel('URL').fill('ftp://example.com/')
    await button('Create the webhook').click()
    await page.getByRole('alert').getByText('it must begin with http:// or https://').waitFor()
    await page.getByLabel('URL').fill(`${receiver.url}/hook`)
    await page.getByLabel('A comment is written').uncheck()
    await button('Create the webhook').click()
    await page.getByText(/^whsec_/).waitFor()
    await expectAccessibleInBothThemes(page)
    await button('I have kept it').click()

    await button(/^Send a test/).click()
    const log = page.getByRole('region', { name: /^Deliveries to/ })
    await log.getByText('the receiver answered 500').waitFor()
    await expectAccessibleInSoak(page)
    receiver.manners.set('/hook', 204)
    await button(/^Send again webhook\.test/).click()
    await log.getByText('Delivered').nth(1).waitFor()
    assert.equal(receiver.received.length, 2)

    // The rest with keys only, at the width of a phone.
    await page.setViewportSize({ width: 390, height: 844 })
    await button(/^Change/).press('Enter')
    await page.getByLabel('Only bugs in the product').fill('TestProduct')
    await page.keyboard.press('Enter')
    await page.getByText('in TestProduct').waitFor()
    await button(/^Switch off/).press('Enter')
    await button(/^Switch on/).waitFor()
    const { webhooks } = (await at.world.edna.get('/rest/webhook')).body
    const [hook] = webhooks
    assert.deepEqual(
      [hook.events.includes('comment.create'), hook.product, hook.is_active],
      [false, 'TestProduct', false],
    )
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
    await button(/^Delete/).press('Enter')
    await page.getByRole('dialog').getByText('This cannot be undone.').waitFor()
    await button('Delete the webhook').press('Enter')
    await page.getByText('You have no webhook.').waitFor()
    await until(() => page.evaluate<boolean>('document.activeElement.tagName !== "BODY"'))
  })

  itInSoak('schedule mail with a preview, change it and delete it; without the right there is no link', async () => {
    const bug = await fileBug(at.world.edna, { summary: HOSTILE, whiteboard: '[weekly]' })
    await at.world.edna.post('/rest/saved_search', { name: 'Weekly bugs', query: 'whiteboard=[weekly]' })
    const { page } = await at.visit('/settings/scheduled-mail', { as: 'edna' })
    const button = (name: string | RegExp) => page.getByRole('button', { name })
    await button('Schedule a mail').click()
    await page.getByLabel('Subject').fill('What is left')
    await page.getByLabel('Weekly bugs', { exact: true }).check()
    await page.getByLabel('Day').selectOption('Saturdays')
    await button('Schedule it').click()
    await page.getByText('Saturdays, 8:00 UTC').waitFor()
    await button(/^Preview/).click()
    await page.getByRole('link', { name: `${bug} <img` }).waitFor()
    await page.getByText('If no bug is found, it is not sent.').waitFor()
    await expectAccessibleInBothThemes(page)

    await page.setViewportSize({ width: 390, height: 844 })
    await button(/^Change/).press('Enter')
    await page.getByLabel('Time').selectOption('Every hour')
    await button('Save').press('Enter')
    await page.getByText('Saturdays, Every hour').waitFor()
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
    await button(/^Delete/).press('Enter')
    await button('Delete the mail').press('Enter')
    await page.getByText('No mail is scheduled.').waitFor()
    await until(() => page.evaluate<boolean>('document.activeElement.tagName !== "BODY"'))
    await at.leave()

    const { page: other } = await at.visit('/settings/scheduled-mail', { as: 'uma' })
    await other.getByText('Only members of bz_canusewhines can schedule mail').waitFor()
    assert.equal(await other.getByRole('button', { name: 'Schedule a mail' }).count(), 0)
    const rail = other.getByRole('navigation', { name: 'Settings' })
    assert.equal(await rail.getByRole('link', { name: 'Webhooks' }).count(), 1)
    assert.equal(await rail.getByRole('link', { name: 'Scheduled mail' }).count(), 0)
  })
})
