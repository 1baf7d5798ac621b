import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'
import { expectAccessibleInBothThemes } from '../support/accessibility.ts'
import { describeInBrowser } from '../support/browser.ts'
import { cast } from '../support/cast.ts'
import { fileBug } from '../support/file-bug.ts'
import { itInSoak } from '../support/sample.ts'

describeInBrowser('settings for mail', (at) => {
  afterEach(() => at.leave())

  it('chooses what to get by presets, boxes, people and bugs, each saved at once, with mouse and keys', async () => {
    const bug = await fileBug(at.world.edna, { cc: [cast.uma.login], summary: 'Too much mail about this' })
    const mailOf = async () => (await at.world.uma.get(`/rest/user/${cast.uma.login}/mail`)).body
    const saved = (text: string) => page.locator('.toast', { hasText: text }).waitFor()
    const { page } = await at.visit('/settings/mail', { as: 'uma' })
    const sentence = page.locator('.mail-sentence')
    await sentence.getByText('Last week this would have sent 1 mail.').waitFor()
    await page.getByText('12 differences from “Everything”, as in every new account').waitFor()

    await page.getByRole('radio', { name: /^Only requests/ }).click()
    await saved('You get: Only requests.')
    assert.match((await sentence.textContent()) ?? '', /asks you for something or answers a request of yours\.Last/)
    assert.equal((await mailOf()).preferences.cc.comment, false)
    await page.getByRole('button', { name: 'Undo' }).click()
    await saved('Undone.')
    await page.getByText('12 differences from “Everything”').waitFor()
    assert.equal((await mailOf()).preferences.cc.comment, true)

    await page.getByRole('radio', { name: /^What concerns me/ }).press('Space')
    await saved('You get: What concerns me.')
    await page.locator('summary', { hasText: 'Fine tuning' }).press('Enter')
    await page.getByRole('checkbox', { name: 'Somebody asks me' }).focus()
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight', 'Space'])
      await page.keyboard.press(key)
    await page.getByText('1 difference from “What concerns me”').waitFor()
    assert.equal(await page.evaluate('document.activeElement.ariaLabel'), 'Reporter: I gain or lose the role')
    assert.equal(await page.locator('.mail-box.is-different').count(), 1)
    await expectAccessibleInBothThemes(page)
    await page.getByRole('button', { name: 'Back to the preset' }).press('Enter')
    await saved('Back to “What concerns me”.')
    assert.equal((await mailOf()).preferences.reporter.role, false)

    const person = page.getByRole('combobox', { name: 'Watch a user' })
    await person.fill('edna')
    await page.getByRole('option').first().waitFor()
    await person.press('Enter')
    await page.getByRole('button', { name: /^Stop watching/ }).waitFor()
    await page.getByRole('combobox', { name: 'Ignore a bug' }).fill('999999')
    await page.getByRole('combobox', { name: 'Ignore a bug' }).press('Enter')
    await page.locator('.toast', { hasText: '999999' }).waitFor()
    await page.getByRole('combobox', { name: 'Ignore a bug' }).fill(String(bug))
    await page.getByRole('combobox', { name: 'Ignore a bug' }).press('Enter')
    await page.getByRole('link', { name: 'Too much mail about this' }).waitFor()
    await page.getByRole('combobox', { name: 'Messages are' }).selectOption('Plain text only')
    await saved('Saved.')
    const { watched_users, ignored_bugs, email_format } = await mailOf()
    assert.deepEqual([watched_users, ignored_bugs, email_format], [[cast.edna.login], [bug], 'text_only'])
    await page.getByRole('button', { name: `Stop ignoring bug ${bug}` }).click()
    await page.getByText('You ignore no bug.').waitFor()
  })

  itInSoak('chooses a digest, watches from both sides, and takes back what the server did not save', async () => {
    const mailOf = async () => (await at.world.uma.get(`/rest/user/${cast.uma.login}/mail`)).body
    const saved = (text: string) => page.locator('.toast', { hasText: text }).waitFor()
    const { page } = await at.visit('/settings/mail', { as: 'uma' })
    await page.getByRole('checkbox', { name: /^Daily digest/ }).click()
    await page.getByText(/^Mail comes in one mail a day at 08:30, requests at once/).waitFor()
    await page.getByRole('combobox', { name: 'The digest comes at' }).selectOption('07:00')
    await page.getByText(/one mail a day at 07:00/).waitFor()
    await page.getByRole('combobox', { name: 'Watch a product' }).fill('testp')
    await page.getByRole('option', { name: 'TestProduct' }).click()
    await page.getByRole('combobox', { name: 'Component of TestProduct' }).fill('testc')
    await page.getByRole('option', { name: 'TestComponent' }).click()
    await saved('You watch TestComponent.')
    await page.getByRole('link', { name: 'TestProduct: TestComponent' }).click()
    await page.getByRole('button', { name: 'Watch TestComponent', pressed: true }).waitFor()
    await page.getByRole('button', { name: 'Watch TestProduct', pressed: false }).click()
    await saved('You watch TestProduct.')
    await page.getByText('Watched with the product').first().waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Watch TestProduct', pressed: false }).waitFor()
    assert.equal((await mailOf()).times.digest_at, '07:00')
    await page.goBack()
    await page.locator('summary', { hasText: 'Fine tuning' }).click()

    await page.setViewportSize({ width: 360, height: 760 })
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
    await page.context().setOffline(true)
    const box = page.getByRole('checkbox', { name: 'On CC: Keywords' })
    await box.click()
    await page.locator('.toast', { hasText: 'The server does not answer.' }).waitFor()
    assert.equal(await box.isChecked(), false, 'what was not saved goes back')
    await page.context().setOffline(false)
  })

  it('asks an anonymous reader to log in', async () => {
    const { page } = await at.visit('/settings/mail')
    await page.getByRole('main').getByRole('link', { name: 'Log in' }).waitFor()
    assert.equal(await page.locator('.mail-presets').count(), 0)
  })
})
