import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { endSetup, insertSetupCode } from '../../../src/admin/setup/setup-store.ts'
import { expectAccessibleInBothThemes, expectAccessibleInSoak } from '../../support/accessibility.ts'
import type { BrowserWorld } from '../../support/browser.ts'
import { cast, PASSWORD } from '../../support/cast.ts'
import { TestMailServer } from '../../support/mail-server.ts'

export function setupStories(at: BrowserWorld) {
  const server = new TestMailServer()
  before(() => server.open())
  after(() => server.close())

  it('sets up step by step, at the width of a phone with keys, and is gone afterwards', async () => {
    const { ada, db } = at.world
    const { page: stranger } = await at.visit('/setup')
    await stranger.getByLabel('Code').fill('a guess')
    await stranger.keyboard.press('Enter')
    await stranger
      .getByRole('alert')
      .filter({ hasText: 'This is not the code: it must be the code that the first start has shown' })
      .waitFor()
    await expectAccessibleInSoak(stranger)
    await insertSetupCode(db, 'not used here')
    const { id: adaId, nick: nickBefore } = (await ada.get('/rest/whoami')).body
    await ada.put(`/rest/user/${adaId}`, { nick: `administrator-${adaId}` })
    const { parameters: saved } = (await ada.get('/rest/parameters')).body
    const name = at.world.unique('Lamp')
    const invited = `${at.world.unique('invited')}@lacewing.test`

    const { page } = await at.visit('/setup', { as: 'ada' })
    const go = (next: string) => page.getByRole('button', { name: next })
    await page.getByRole('heading', { name: 'Who looks after the tracker?' }).waitFor()
    await expectAccessibleInSoak(page)
    assert.equal(await page.getByRole('button', { name: 'Skip' }).count(), 0)
    // Nobody has chosen the nick that the first start has made: the one from the name is offered until another is typed.
    const nick = page.getByLabel('Nick')
    await page.getByLabel('Your name').fill('Ærin Admin')
    assert.equal(await nick.inputValue(), 'aerin')
    await page.getByText('Comments mention you as @aerin.', { exact: true }).waitFor()
    await page.getByLabel('Your name').fill('Ada <b>Admin</b>')
    await nick.fill(`${at.world.unique('Ada')}`)
    // The rules of people's own passwords, before anything is sent; the call would take these.
    const { parameters } = (await ada.get('/rest/parameters')).body
    for (const [refused, why] of [
      ['sevench', 'The password is too short: it must have at least 8 characters.'],
      ['Passw0rd', 'it must not be one of the most common passwords.'],
    ] as const) {
      await page.getByLabel('New password').fill(refused)
      await go('Continue: name and address').click()
      await page.getByText(why).waitFor()
      await page.getByLabel('New password').and(page.locator(':invalid:focus')).waitFor()
    }
    assert.deepEqual((await ada.get('/rest/parameters')).body.parameters, parameters)
    // It ends the session, and the page logs in again.
    await page.getByLabel('New password').fill(PASSWORD)
    await go('Continue: name and address').click()
    await page.getByRole('heading', { name: 'What is the tracker called' }).waitFor()
    assert.match((await ada.get('/rest/whoami')).body.nick, /^ada/)
    await page.getByRole('button', { name: 'Administrator (done) Ada <b>Admin</b>' }).waitFor()
    await page.getByLabel('Address', { exact: true }).fill('nowhere')
    await page.getByLabel('Name', { exact: true }).fill('Skylark')
    await page.getByLabel('Address', { exact: true }).fill('http://nowhere.test/ x')
    await go('Continue: mail').click()
    await page.getByRole('alert').filter({ hasText: 'it must begin with http' }).waitFor()
    await page.getByLabel('Address', { exact: true }).fill(`${at.world.url}/`)
    await go('Continue: mail').click()
    await page.getByText(`Links in mail lead to ${at.world.url}/.`).waitFor()
    assert.equal(await page.getByRole('button', { name: /^(Save|Send)/ }).count(), 0)
    await expectAccessibleInSoak(page)

    // The rest with keys only, at the width of a phone.
    await page.setViewportSize({ width: 390, height: 844 })
    const sender = page.getByLabel('Mail comes from')
    await page.getByLabel('Host').fill('127.0.0.1')
    await page.getByLabel('Port').fill(String(server.port))
    await page.getByLabel('Encryption').selectOption('STARTTLS if the server offers it')
    await sender.fill('nobody')
    await go('Continue: who may see and join').press('Enter')
    await sender.and(page.locator(':invalid:focus')).waitFor()
    await sender.fill('setup@lacewing.test')
    // What was typed is saved and tried on the way on. While the server refuses, the step stays.
    server.onMessage = async () => {
      throw Object.assign(new Error('Not from this sender'), { responseCode: 550 })
    }
    assert.equal(await go('Continue without a test').count(), 0)
    await go('Continue: who may see and join').press('Enter')
    await page.getByRole('alert').filter({ hasText: 'Not from this sender' }).waitFor()
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
    assert.deepEqual((await ada.get('/rest/admin/setup')).body.done, ['administrator', 'name'])
    const { mailfrom: from, smtp_url } = (await ada.get('/rest/parameters')).body.parameters
    assert.deepEqual([from, smtp_url], ['setup@lacewing.test', `smtp://127.0.0.1:${server.port}`])
    await go('Continue without a test').press('Enter')
    await page.getByRole('heading', { name: 'Who may see bugs' }).waitFor()
    await go('Back').press('Enter')
    server.onMessage = async () => {}
    const messages = server.messages.length + server.notices.length
    await go('Continue: who may see and join').press('Enter')
    await page.getByText('has accepted a message from').waitFor()
    assert.equal(server.messages.length + server.notices.length, messages + 1)
    await page.getByLabel('People must log in to see anything').press('Space')
    await page.getByText('Everybody sees bugs, but no whole mail addresses.').waitFor()
    await page.getByLabel('Who may create an account').selectOption('domain')
    await page.getByLabel('Domain').fill('lacewing.test')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'What are bugs filed for?' }).waitFor()
    assert.equal((await ada.get('/rest/parameters')).body.parameters.createemailregexp, '^[^@]+@lacewing\\.test$')
    // Opened again it begins at the first step that is not done, and shows what was saved.
    await page.reload()
    await page.locator('.setup-part:focus').getByRole('heading', { name: 'What are bugs filed for?' }).waitFor()
    assert.equal(await page.getByRole('button', { name: '(done)' }).count(), 4)
    const steps = page.getByRole('listitem')
    await steps.filter({ hasText: `Skylark, ${new URL(at.world.url).host}` }).waitFor()
    await steps.filter({ hasText: 'from setup@lacewing.test' }).waitFor()
    await steps.filter({ hasText: 'everybody sees bugs, people of a domain join' }).waitFor()
    await page.getByRole('button', { name: 'Who may see and join (done)' }).press('Enter')
    await page.locator('.setup-part:focus').waitFor()
    assert.equal(await page.getByLabel('Domain').inputValue(), 'lacewing.test')
    assert.equal(await page.getByLabel('People must log in to see anything').isChecked(), false)
    await page.getByRole('button', { name: 'Skip' }).press('Enter')
    const remove = page.getByLabel('Remove TestProduct')
    if ((await remove.count()) > 0) await remove.uncheck()
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByLabel('What it is').fill('It shines')
    await page.keyboard.press('Enter')
    await page.getByLabel('Addresses of people to invite').fill(`${invited}, nobody`)
    await go('Finish').press('Enter')
    await page.getByText('Correct or remove the addresses that cannot be invited.').waitFor()
    await page.getByLabel('Entry 2, not an address').and(page.locator(':focus')).waitFor()
    assert.equal((await ada.get(`/rest/user/${invited}`)).status, 404)
    await page.getByLabel('Addresses of people to invite').fill(invited)
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
    await expectAccessibleInBothThemes(page)
    await go('Finish').press('Enter')
    await page.getByText('The tracker is set up.').first().waitFor()
    assert.deepEqual((await ada.get('/rest/admin/setup')).body, { is_open: false, done: [] })
    assert.equal((await ada.get(`/rest/product/${name}`)).body.products[0]?.components[0]?.name, 'General')
    assert.equal((await ada.get(`/rest/user/${invited}`)).status, 200)
    const { page: again } = await at.visit('/setup', { as: 'ada' })
    await again.getByText('The tracker is set up.').waitFor()
    await endSetup(db)
    await ada.delete(`/rest/product/${name}`)
    await ada.put(`/rest/user/${cast.ada.login}`, { full_name: cast.ada.realName, nick: nickBefore })
    const { createemailregexp, webservice_email_filter, urlbase, maintainer, mailfrom } = saved
    await ada.put('/rest/parameters', {
      createemailregexp,
      webservice_email_filter,
      urlbase,
      maintainer,
      mailfrom,
      smtp_url: '',
      site_name: '',
    })
  })
}
