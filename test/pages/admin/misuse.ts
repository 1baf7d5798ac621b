import assert from 'node:assert/strict'
import { expectAccessibleInBothThemes, expectAccessibleInSoak } from '../../support/accessibility.ts'
import type { BrowserWorld } from '../../support/browser.ts'
import { readComments } from '../../support/discussion.ts'
import { fileBug, readBug } from '../../support/file-bug.ts'
import { newProduct } from '../../support/new-product.ts'
import { itInSoak } from '../../support/sample.ts'
import { until } from '../../support/until.ts'

const HOSTILE = `<img src=x onerror=document.title=1>\u202e\u200b${'x'.repeat(400)}`
const FILE = { data: 'aGVsbG8=', file_name: 'a.txt', summary: HOSTILE.slice(0, 200), content_type: 'text/plain' }

/** A new account with a hostile name, a bug, and a comment and an attachment on the bug of another. */
async function spammer({ world }: BrowserWorld, name: string) {
  const user = await world.newUser({ email: `${name}@lacewing.test`, full_name: `${name} ${HOSTILE.slice(0, 200)}` })
  const other = await fileBug(world.ada, { summary: 'Of another' })
  const own = await fileBug(user.client, { summary: HOSTILE.slice(0, 255) })
  await user.client.post(`/rest/bug/${other}/comment`, { comment: HOSTILE })
  await user.client.post(`/rest/bug/${other}/attachment`, FILE)
  return { ...user, other, own }
}

export function misuseStories(at: BrowserWorld) {
  itInSoak('finds who sent spam, says what hiding does, hides it with the account, and undoes both', async () => {
    const { ada } = at.world
    const user = await spammer(at, 'cheap-pills')
    const bin = await newProduct(at.world)
    const { page } = await at.visit('/admin', { as: 'ada' })
    const button = (name: string | RegExp) => page.getByRole('button', { name })
    await page.getByRole('searchbox', { name: 'Find a setting' }).fill('spam')
    await page.keyboard.press('Enter')
    const row = page.getByRole('row', { name: /cheap-pills@lacewing\.test/ })
    await row.waitFor()
    assert.deepEqual((await row.getByRole('cell').allTextContents()).slice(1, 4), ['1', '3', '1'])
    await page.getByRole('region', { name: 'Limits' }).getByRole('link', { name: 'New accounts: bugs' }).waitFor()
    await expectAccessibleInBothThemes(page)
    await page.getByRole('combobox', { name: /^Find a person/ }).fill('cheap-pi')
    await page.getByRole('option', { name: /cheap-pills@/ }).click()
    await page.locator('h2:focus', { hasText: 'cheap-pills' }).waitFor()
    await page.getByText('In the last 7 days: 1 bug, 3 comments and 1 attachment').waitFor()
    await page.getByRole('link', { name: `bug ${user.own}` }).waitFor()
    await expectAccessibleInSoak(page)
    await button('Hide what they wrote…').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('3 comments: tagged spam and folded').waitFor()
    await dialog.getByText('1 attachment: obsolete').waitFor()
    await dialog.getByText('1 bug: not moved').waitFor()
    await dialog.getByLabel('The bugs').selectOption(bin.name)
    await dialog.getByText(`1 bug: moved to ${bin.name}`).waitFor()
    await until(async () => (await dialog.getByLabel('Component').inputValue()) === 'Core')
    await dialog.getByLabel('What they read at log-in').fill('You sent spam.')
    await expectAccessibleInBothThemes(page)
    await dialog.getByRole('button', { name: 'Hide it and disable the account' }).click()
    await page.getByText('Hidden: 1 bug, 3 comments and 1 attachment. The account is disabled.').waitFor()
    await page.getByText('At log-in they read: You sent spam.').waitFor()
    await page.getByRole('region', { name: 'Hidden before' }).getByText('by ada@lacewing.test').waitFor()
    await page
      .getByRole('complementary', { name: 'What changed here' })
      .getByText(/hid what cheap-pills/)
      .waitFor()
    assert.equal((await readBug(ada, user.own)).product, bin.name)
    const tags = async () => (await readComments(ada, user.other)).map((it) => it.tags)
    assert.deepEqual(await tags(), [[], ['spam'], ['spam']])
    await until(() => page.evaluate<boolean>('document.activeElement.tagName === "BUTTON"'))
    // One of the comments is no longer hidden: undoing leaves it alone and says so.
    const [, comment] = await readComments(ada, user.other)
    await ada.put(`/rest/bug/comment/${comment.id}/tags`, { remove: ['spam'] })
    await page.keyboard.press('z')
    const undone = 'Shown again: 1 bug, 2 comments and 1 attachment. Left alone, because of changes since: 1 comment.'
    await page.getByText(`${undone} They can log in again.`).waitFor()
    await page.getByText('At log-in they read').waitFor({ state: 'detached' })
    assert.deepEqual([await tags(), (await user.client.get('/rest/whoami')).status], [[[], [], []], 200])
    assert.notEqual(await page.title(), '1')
  })

  itInSoak(
    'leads from a comment to its author, hides without the account and shows it again, with keys on a phone',
    async () => {
      const user = await spammer(at, 'watches')
      const { page } = await at.visit(`/bug/${user.other}`, { as: 'ada' })
      await page.setViewportSize({ width: 390, height: 844 })
      const press = (name: string | RegExp) => page.getByRole('button', { name }).press('Enter')
      await press('More for comment 1')
      await page.getByRole('menuitem', { name: 'What they wrote' }).press('Enter')
      await page.locator('h2:focus', { hasText: 'watches' }).waitFor()
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
      await press('Hide what they wrote…')
      await page.getByRole('checkbox', { name: /^Disable the account too/ }).press('Space')
      await press('Hide it')
      await page.getByText('Hidden: 3 comments and 1 attachment.').waitFor()
      const before = page.getByRole('region', { name: 'Hidden before' })
      await before.getByRole('button', { name: 'Show it again' }).press('Enter')
      await page.getByText('Shown again: 3 comments and 1 attachment.').waitFor()
      await page.locator('h3:focus', { hasText: 'Hidden before' }).waitFor()
      await before.getByText(/shown again .* by ada@lacewing\.test/).waitFor()
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
      await press('Close')
      await until(() => page.evaluate<boolean>('document.activeElement.id === "find-person"'))
      await page
        .getByRole('region', { name: 'New accounts' })
        .getByRole('link', { name: /watches@/ })
        .waitFor()
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
      const { page: other } = await at.visit('/admin/misuse', { as: 'uma' })
      await other.getByText('This is for administrators').waitFor()
      assert.equal(await other.getByRole('link', { name: 'Spam and misuse' }).count(), 0)
    },
  )
}
