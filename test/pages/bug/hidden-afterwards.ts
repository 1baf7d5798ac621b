import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Page } from 'playwright-core'
import { type BrowserWorld, follow } from '../../support/browser.ts'
import { changeBug } from '../../support/change-bug.ts'
import { say } from '../../support/discussion.ts'
import { fileBug } from '../../support/file-bug.ts'
import { setControl } from '../../support/new-member.ts'
import { itInSoak } from '../../support/sample.ts'
import { until } from '../../support/until.ts'

/** What the browser has of a text: in the page, and in what it keeps. */
const keepsText = (page: Page, word: string) =>
  page.evaluate<boolean>(
    `[document.body.innerText, ...Object.values(localStorage)].some((text) => text.includes('${word}'))`,
  )

export function hiddenAfterwardsStories(at: BrowserWorld) {
  it('leaves nothing of a bug that is hidden: not on its open page, in answers that were read before, nor in drafts', async () => {
    const { world } = at
    const group = await world.newGroup()
    await setControl(world, 'TestProduct', group.name, { membercontrol: 'Shown', othercontrol: 'Shown' })
    const [open, left] = [await fileBug(world.ada), await fileBug(world.ada)]
    for (const bug of [open, left]) await say(world.ada, bug, 'The zebra is ill.')
    const hide = (bug: number) => changeBug(world.ada, bug, { groups: { add: [group.name] } })
    const show = (bug: number) => changeBug(world.ada, bug, { groups: { remove: [group.name] } })
    const { page } = await at.visit(`/bug/${left}`, { as: 'edna' })
    const said = page.locator('#c1').getByText('The zebra is ill.')
    const refused = page.getByRole('heading', { name: 'You may not see this bug' })
    const area = page.getByRole('textbox', { name: 'Comment', exact: true })
    await said.waitFor()
    await page.locator('#c0').getByRole('button', { name: 'More for comment 0' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await page.getByRole('textbox', { name: 'Text of comment 0' }).fill('A zebra, edited')
    await follow(page, `/bug/${open}`)
    await said.waitFor()
    await hide(left)
    await follow(page, `/bug/${left}`)
    await refused.waitFor()
    assert.equal(await keepsText(page, 'zebra'), false)

    await follow(page, `/bug/${open}`)
    await said.waitFor()
    await area.fill('> The zebra is ill.\n\nWhat does it eat?')
    await page.locator('.presence-writers').waitFor({ state: 'attached' })
    await hide(open)
    await area.press('!')
    await refused.waitFor()
    assert.equal(await keepsText(page, 'zebra'), false)
    for (const bug of [open, left]) await show(bug)
    for (const bug of [left, open]) {
      await follow(page, `/bug/${bug}`)
      await page.getByRole('heading', { level: 1, name: 'Something is wrong' }).waitFor()
    }
    await said.waitFor()
    assert.equal((await area.inputValue()).trim(), 'What does it eat?!', 'own words stay')
    await area.fill('')
  })

  itInSoak(
    'leaves nothing of a comment that becomes private, and no text for an edit that a hidden version had',
    async () => {
      const { world } = at
      await world.withParameters({ insidergroup: 'security' }, async () => {
        const bug = await fileBug(world.ada)
        const [secret, edited] = [
          await say(world.edna, bug, 'The zebra is ill.'),
          await say(world.edna, bug, 'A zebra'),
        ]
        const { page } = await at.visit(`/bug/${bug}`, { as: 'edna' })
        const editorOf = (number: number) => page.getByRole('textbox', { name: `Text of comment ${number}` })
        for (const number of [1, 2]) {
          await page
            .locator(`#c${number}`)
            .getByRole('button', { name: `More for comment ${number}` })
            .click()
          await page.getByRole('menuitem', { name: 'Edit' }).click()
          await editorOf(number).fill(`The zebra, edited ${number}`)
        }
        await changeBug(world.ada, bug, { comment_is_private: { [String(secret)]: true } })
        const edit = { new_comment: 'Now it says less.', is_hidden: true }
        assert.equal((await world.ada.put(`/rest/editcomments/comment/${edited}`, edit)).status, 200)
        await page.reload()
        await page.locator('#c2').getByText('Now it says less.').waitFor()
        await until(async () => !(await keepsText(page, 'edited 1')))
        await page.locator('#c2').getByRole('button', { name: 'More for comment 2' }).click()
        await page.getByRole('menuitem', { name: 'Edit' }).click()
        await until(async () => (await editorOf(2).inputValue()) === 'Now it says less.')
        assert.equal(await keepsText(page, 'zebra'), false)
      })
    },
  )
}
