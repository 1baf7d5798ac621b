import assert from 'node:assert/strict'
import { expectAccessibleInBothThemes } from '../../support/accessibility.ts'
import type { BrowserWorld } from '../../support/browser.ts'
import { deliver, pullRequest, push } from '../../support/code-deliveries.ts'
import { fileBug } from '../../support/file-bug.ts'
import { itInSoak } from '../../support/sample.ts'

export function codeStories(at: BrowserWorld) {
  itInSoak('sets up a source of code, shows its secret once, and its changes on the bug and in the list', async () => {
    const { world } = at
    const bug = await fileBug(world.edna, { summary: 'The kettle leaks' })
    const { page } = await at.visit('/admin/code', { as: 'ada' })
    const button = (name: string | RegExp) => page.getByRole('button', { name })
    await button('New source').click()
    const form = page.getByRole('form', { name: 'New source of code' })
    await form.getByLabel('Name').fill('hub')
    await form.getByLabel('Acts as').fill('edna@lacewing.test')
    await form.getByLabel('Words that resolve').fill('.*')
    await button('Save').click()
    await form.getByText('words of 1 to 32 letters').waitFor()
    await form.getByLabel('Words that resolve').fill('fixes, mends')
    await button('Save').click()
    const shown = page.getByRole('status', { name: 'To be entered at the source' })
    await shown.waitFor()
    const texts = await shown.locator('code').allTextContents()
    const secret = texts.at(-1) ?? ''
    assert.match(texts.join(' '), /\/rest\/code\/hub /)
    assert.match(secret, /^\w{40}$/)
    await expectAccessibleInBothThemes(page)
    await button('I have copied both').click()
    await shown.waitFor({ state: 'detached' })
    assert.ok(!(await page.content()).includes(secret))
    const source = { name: 'hub', kind: 'github', secret }
    const title = `Bug ${bug} - <b>tighten</b> the lid`
    await deliver(world, source, 'pull_request', pullRequest({ title }, { review: { state: 'approved' } }))
    await deliver(world, source, 'push', push(`Bug ${bug} - new lid`))
    await page.setViewportSize({ width: 390, height: 844 })
    await button(/^Deliveries/).press('Enter')
    await page.getByRole('list', { name: 'Deliveries of hub' }).getByText('pull_request').waitFor()
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
    await button(/^Test/).press('Enter')
    await page.getByText('The source is switched on.').waitFor()

    const { page: reader } = await at.visit(`/bug/${bug}`, { as: 'edna' })
    const code = reader.getByRole('list', { name: 'Changes and commits' })
    await code.getByText(title).waitFor()
    assert.equal(
      await code.getByRole('link', { name: 'acme/kettle#7' }).getAttribute('href'),
      'https://github.com/acme/kettle/pull/7',
    )
    await code.getByText('approved').waitFor()
    await code.getByText(`Bug ${bug} - new lid`).waitFor()
    await expectAccessibleInBothThemes(reader)
    const { page: list } = await at.visit('/bugs?code_state=approved&columns=id,summary,code_state', { as: 'edna' })
    await list.getByText('approved, merged').waitFor()

    await button(/^Delete hub|^Delete/)
      .last()
      .press('Enter')
    await button('Delete the source').press('Enter')
    await page.getByText('There are no sources of code').waitFor()
  })
}
