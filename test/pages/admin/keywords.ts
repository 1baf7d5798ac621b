import assert from 'node:assert/strict'
import { expectAccessibleInBothThemes, expectAccessibleInSoak } from '../../support/accessibility.ts'
import type { BrowserWorld } from '../../support/browser.ts'
import { fileBug } from '../../support/file-bug.ts'
import { itInSoak } from '../../support/sample.ts'

const HOSTILE = '<img src=x onerror=document.title=1>"&\u202e'

export function keywordsStories(at: BrowserWorld) {
  itInSoak('creates, finds, changes and deletes keywords, and says how many bugs lose one', async () => {
    const { ada } = at.world
    const { page } = await at.visit('/admin/keywords', { as: 'ada' })
    await page.getByRole('button', { name: 'New keyword' }).click()
    const dialog = page.getByRole('dialog', { name: 'New keyword' })
    await dialog.getByLabel('Name').fill('two words')
    await dialog.getByLabel('Meaning').fill(HOSTILE)
    await dialog.getByRole('button', { name: 'Create the keyword' }).click()
    await dialog.getByText('it must be one word').waitFor()
    await expectAccessibleInBothThemes(page)
    await dialog.getByLabel('Name').fill('regressed')
    await dialog.getByRole('button', { name: 'Create the keyword' }).click()
    const row = page.getByRole('listitem').filter({ hasText: HOSTILE })
    await row.getByText('regressed', { exact: true }).waitFor()
    const summary = at.world.unique('With a keyword')
    await fileBug(ada, { summary, keywords: ['regressed'] })
    await page.getByRole('searchbox', { name: 'Find a keyword' }).fill('nothing like it')
    await page.getByText('No keyword matches').waitFor()
    await page.getByRole('searchbox', { name: 'Find a keyword' }).fill('REGR')
    await page.getByRole('button', { name: 'Change regressed' }).click()
    const form = page.getByRole('form', { name: 'Change regressed' })
    // Another administrator is faster.
    await ada.put('/rest/keyword/regressed', { description: 'By another' })
    await form.getByLabel('Meaning').fill('It worked before')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('It is now regressed: By another').waitFor()
    const meaning = async () => (await ada.get('/rest/keyword/regressed')).body.keywords[0]?.description
    assert.equal(await meaning(), 'By another')
    await form.getByRole('button', { name: 'Overwrite it with mine' }).click()
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('“regressed” is as before.').waitFor()
    assert.equal(await meaning(), 'By another')
    await page.getByRole('complementary', { name: 'What changed here' }).getByText('It worked before').first().waitFor()
    await page.getByRole('link', { name: '1 bug' }).click()
    await page.getByText(summary).first().waitFor()
    await page.goBack()
    await ada.post('/rest/keyword', { name: 'merged', description: 'Into another' })
    const merged = await fileBug(ada, { keywords: ['merged'] })
    await page.reload()
    await page.getByRole('button', { name: 'Delete merged' }).click()
    await page.getByLabel('Its bugs get').selectOption('regressed')
    await page.getByText('1 bug gets regressed.').waitFor()
    await page.getByRole('button', { name: 'Merge and delete' }).click()
    await page.getByText('“merged” is merged into “regressed”.').waitFor()
    assert.deepEqual((await ada.get(`/rest/bug/${merged}`)).body.bugs[0].keywords, ['regressed'])
    await page.getByRole('button', { name: 'Delete regressed' }).click()
    await page.getByText('2 bugs lose it.').waitFor()
    await expectAccessibleInSoak(page)
    await page.getByRole('button', { name: 'Delete the keyword' }).click()
    await page.getByText('“regressed” is deleted.').waitFor()
    assert.deepEqual((await ada.get('/rest/keyword')).body.keywords, [])
  })

  itInSoak('creates and renames a keyword with keys only, at the width of a phone', async () => {
    const { page } = await at.visit('/admin/keywords', { as: 'ada', isPhone: true })
    const { keyboard } = page
    await page.getByRole('button', { name: 'New keyword' }).waitFor()
    await keyboard.press('n')
    await keyboard.type('crash')
    await keyboard.press('Tab')
    await keyboard.type('It ends')
    await keyboard.press('Enter')
    await page.getByText('It ends', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'Change crash' }).focus()
    await keyboard.press('Enter')
    await page.locator('input:focus').waitFor()
    await keyboard.type('ed')
    await keyboard.press('Enter')
    await page.locator('button[aria-label="Change crashed"]:focus').waitFor()
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
    await at.world.ada.delete('/rest/keyword/crashed')
  })
}
