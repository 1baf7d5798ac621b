import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { expectAccessibleInBothThemes } from '../../support/accessibility.ts'
import { type BrowserWorld, follow } from '../../support/browser.ts'
import { readComments } from '../../support/discussion.ts'
import { fileBug } from '../../support/file-bug.ts'
import { itInSoak } from '../../support/sample.ts'
import { until } from '../../support/until.ts'

const LIST = '- [ ] one\n- [x] two\n- [ ] three'

/** Selects the first item of the list of a comment, as a reader does with the pointer. */
function selectFirstItem(page: Page) {
  return page.evaluate(`(() => {
    const item = document.querySelector('#c1 .prose li')
    getSelection().selectAllChildren(item)
  })()`)
}

export function discussionStories(at: BrowserWorld) {
  const newList = async () => {
    const id = await fileBug(at.world.rhea)
    const comment = { comment: LIST, is_markdown: true }
    const { body } = await at.world.edna.post(`/rest/bug/${id}/comment`, comment)
    return { id, commentId: body.id }
  }
  const textOf = async (id: number) => (await readComments(at.world.edna, id))[1]?.text
  /** What rhea is told of edna. */
  const present = async (id: number) => {
    const { body } = await at.world.rhea.put(`/rest/bug/${id}/presence`, { writing: true })
    return body.users.map(({ is_writing }) => (is_writing ? 'writes' : 'reads')).join()
  }

  itInSoak(
    'shows who else is here and writes, ticks tasks beside others, quotes a selection, and keeps what is edited',
    async () => {
      const { world } = at
      await world.withParameters({ use_markdown: true }, async () => {
        const { id, commentId } = await newList()
        await present(id)
        const { page } = await at.visit(`/bug/${id}`, { as: 'edna' })
        await page.getByText('Rhea Reporter is writing a comment.').waitFor()
        await page.getByText('Also here: Rhea Reporter (writing)').waitFor()
        const box = (name: string) => page.locator('#c1').getByRole('checkbox', { name })
        // In another window: this page does not know it yet.
        const ticked = { new_comment: LIST.replace('[ ] three', '[x] three'), edit_count: 0 }
        assert.equal((await world.edna.put(`/rest/editcomments/comment/${commentId}`, ticked)).status, 200)
        await box('one').focus()
        await page.keyboard.press('Space')
        await until(async () => (await textOf(id)) === '- [x] one\n- [x] two\n- [x] three')
        await page.locator('#c1').getByRole('button', { name: 'Edited: see the versions of comment 1' }).waitFor()
        assert.ok(await box('three').isChecked())
        await selectFirstItem(page)
        await page.getByRole('button', { name: 'Quote this' }).click()
        const area = page.getByRole('textbox', { name: 'Comment', exact: true })
        await until(async () => (await area.inputValue()) !== '')
        assert.equal(await area.inputValue(), '(In reply to Edna Editor from comment 1)\n> one\n\n')
        await page.keyboard.type('Yes')
        await until(async () => (await present(id)) === 'writes')
        await page.locator('#c1').focus()
        await page.keyboard.press('e')
        await page.keyboard.press('x')
        const editor = page.getByRole('textbox', { name: 'Text of comment 1' })
        await editor.fill('Half an edit')
        await page.reload()
        await until(async () => (await editor.inputValue()) === 'Half an edit')
        await page.getByRole('button', { name: 'Cancel' }).click()
        await follow(page, '/products')
        await until(async () => (await present(id)) === '')
        await at.world.edna.put(`/rest/user/edna@lacewing.test/presence`, { is_hidden: false })
      })
    },
  )

  itInSoak('ticks and quotes with keys only and on a phone, for readers of both themes', async () => {
    const { world } = at
    await world.withParameters({ use_markdown: true }, async () => {
      const { id } = await newList()
      await present(id)
      const { page } = await at.visit(`/bug/${id}`, { as: 'edna', isPhone: true })
      await page.getByText('Also here: Rhea Reporter (writing)').waitFor({ state: 'attached' })
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
      await expectAccessibleInBothThemes(page)
      await page.locator('#c1').getByRole('checkbox', { name: 'one' }).tap()
      await until(async () => (await textOf(id))?.startsWith('- [x] one') === true)
      await selectFirstItem(page)
      await page.getByRole('button', { name: 'Quote this' }).tap()
      const area = page.getByRole('textbox', { name: 'Comment', exact: true })
      await until(async () => (await area.inputValue()).endsWith('> one\n\n'))
      await area.fill('')
      await page.getByRole('button', { name: 'Close' }).click()
      await page.getByRole('navigation', { name: 'Main, phone' }).getByRole('button', { name: 'More' }).tap()
      await page.getByRole('menuitem', { name: 'Dashboards' }).tap()
      await page.getByRole('heading', { level: 1, name: 'Dashboards' }).waitFor()
    })
  })
}
