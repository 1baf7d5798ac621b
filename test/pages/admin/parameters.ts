import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectAccessibleInBothThemes, expectAccessibleInSoak } from '../../support/accessibility.ts'
import { type BrowserWorld, follow } from '../../support/browser.ts'
import { fileBug } from '../../support/file-bug.ts'
import { itInSoak } from '../../support/sample.ts'

export function parametersStories(at: BrowserWorld) {
  it('finds, changes and takes back parameters, with errors at the field', async () => {
    const { ada } = at.world
    const { page } = await at.visit('/admin/parameters', { as: 'ada' })
    const search = page.getByRole('searchbox', { name: 'Search parameters' })
    await search.waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('whined')
    const row = page.locator('[data-name=whinedays]')
    await row.locator('mark', { hasText: 'whined' }).waitFor()
    assert.equal(await page.locator('.parameter').count(), 1)
    const days = row.getByRole('textbox')
    await days.fill('<b>3')
    await days.press('Enter')
    await row.getByRole('alert').filter({ hasText: 'it must be a whole number' }).waitFor()
    const stored = async () => (await ada.get('/rest/parameters')).body.parameters.whinedays
    assert.equal(await stored(), '7', 'the old value holds')
    await expectAccessibleInBothThemes(page)
    await days.fill('3')
    await days.press('Tab')
    await row.getByText('changed', { exact: true }).waitFor()
    assert.equal(await stored(), '3')
    await row.getByText('Administrator just now').waitFor()
    // Another administrator changes it between reading and saving.
    await days.fill('4')
    await ada.put('/rest/parameters', { whinedays: 9 })
    await days.press('Enter')
    await row.getByRole('alert').filter({ hasText: 'It is now “9”' }).waitFor()
    await search.focus()
    assert.equal(await stored(), '9', 'leaving the field does not overwrite it')
    await days.press('Escape')
    await row.getByRole('button', { name: 'Reminders of unchanged bugs: back to the default, 7' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('is as before').waitFor()
    assert.equal(await stored(), '9')
    await search.fill('')
    await page.getByRole('link', { name: /^Attachments/ }).click()
    const secret = page.locator('[data-name=s3_secret_key]')
    await secret.getByRole('button', { name: 'Set…' }).press('Enter')
    await secret.locator('input:focus').waitFor()
    await page.keyboard.type('open sesame')
    await page.keyboard.press('Enter')
    await secret.getByRole('button', { name: 'Replace…' }).waitFor()
    assert.ok(!(await page.content()).includes('open sesame'))
    await page.setViewportSize({ width: 360, height: 760 })
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
  })

  itInSoak('gives the installation a name, a colour, a notice and links, and shows what they look like', async () => {
    const { page } = await at.visit('/admin/parameters?search=look', { as: 'ada' })
    const set = async (name: string, value: string) => {
      const input = page.locator(`[data-name=${name}]`).getByRole('textbox')
      await input.fill(value)
      await input.press(name === 'footer_links' ? 'Tab' : 'Enter')
      await page.locator(`[data-name=${name}].is-changed`).waitFor()
    }
    await page.getByRole('searchbox', { name: 'Search parameters' }).fill('')
    await page
      .locator('#look')
      .getByRole('button', { name: /at their default/ })
      .click()
    await set('site_name', 'Acme <b>bugs</b>')
    await page.getByRole('link', { name: 'Acme <b>bugs</b>, home' }).waitFor()
    await set('accent_color', '#ffee00')
    await set('footer_links', 'Imprint https://a.test/imprint')
    await page.getByRole('contentinfo').getByRole('link', { name: 'Imprint' }).waitFor()
    await at.world.ada.put('/rest/parameters', { announcehtml: 'Closed on <i>Monday</i>', login_text: 'Ask Ada.' })
    await expectAccessibleInSoak(page)
    const { page: other } = await at.visit('/login')
    await other.getByRole('complementary', { name: 'Notice' }).getByText('Closed on <i>Monday</i>').waitFor()
    await other.getByText('Ask Ada.').waitFor()
    assert.equal(await other.title(), 'Log in · Acme <b>bugs</b>')
    const accent = await other.evaluate("getComputedStyle(document.querySelector('.button-primary')).backgroundColor")
    assert.notEqual(accent, 'rgb(11, 106, 125)')
    await expectAccessibleInSoak(other)
    const names = ['site_name', 'accent_color', 'footer_links', 'announcehtml', 'login_text']
    await at.world.ada.put('/rest/parameters', Object.fromEntries(names.map((name) => [name, ''])))
  })

  itInSoak('makes words of comments links, and shows which before it is saved', async () => {
    const { ada } = at.world
    const bug = await fileBug(ada, { description: 'See LAMP-7.' })
    const { page } = await at.visit('/admin/parameters?search=link_templates', { as: 'ada' })
    const row = page.locator('[data-name=link_templates]')
    const lines = row.getByRole('textbox', { name: 'Words that become links' })
    await lines.fill('LAMP-{number}')
    await row.getByText('Not whole yet: line 1: it must be a pattern, a space and an address.').waitFor()
    await lines.fill('LAMP-{number} https://lamps.test/{1}')
    await row.getByRole('textbox', { name: 'Text to try' }).fill('As LAMP-12 says')
    assert.equal(await row.getByRole('link', { name: 'LAMP-12' }).getAttribute('href'), 'https://lamps.test/12')
    await row.getByText('changed', { exact: true }).waitFor()
    await expectAccessibleInSoak(page)
    await follow(page, `/bug/${bug}`)
    assert.equal(
      await page.locator('#c0').getByRole('link', { name: 'LAMP-7' }).getAttribute('href'),
      'https://lamps.test/7',
    )
    await ada.put('/rest/parameters', { link_templates: '' })
  })

  itInSoak('shows members of tweakparams what they may change, and other readers nothing', async () => {
    const { page } = await at.visit('/admin', { as: 'pam' })
    await page.getByRole('heading', { level: 1, name: 'Parameters' }).waitFor()
    await page.getByRole('searchbox', { name: 'Search parameters' }).fill('urlbase')
    const row = page.locator('[data-name=urlbase]')
    await row.getByText('only members of admin change it').waitFor()
    assert.equal(await row.getByRole('textbox').count(), 0)
    const { page: other } = await at.visit('/admin/parameters', { as: 'edna' })
    await other.getByText('This is for administrators').waitFor()
    assert.equal(await other.locator('.rail').count(), 0)
  })
}
