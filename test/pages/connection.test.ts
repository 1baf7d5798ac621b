import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'
import type { Page } from 'playwright-core'
import { describeInBrowser } from '../support/browser.ts'
import { cast, PASSWORD } from '../support/cast.ts'
import { fileBug } from '../support/file-bug.ts'
import { itInSoak } from '../support/sample.ts'

const SILENT = 'The server does not answer.'

describeInBrowser('pages that stay open while the server or the session ends', (at) => {
  const row = (page: Page, text: string) => page.locator('.lr').filter({ hasText: text })
  const heading = (page: Page, text: string) => page.getByRole('heading', { level: 1, name: new RegExp(text) })
  /** The stream of events is open. */
  const isListening = (page: Page) =>
    page.waitForFunction("performance.getEntriesByType('resource').some((it) => it.name.endsWith('/rest/event'))")
  const bothAs = async (id: number) => {
    const list = await at.visit('/bugs?product=TestProduct&order=bug_id', { as: 'edna' })
    const bug = await at.visit(`/bug/${id}`, { as: 'edna' })
    await row(list.page, String(id)).waitFor()
    await Promise.all([list, bug].map(({ page }) => isListening(page)))
    return [list, bug] as const
  }

  afterEach(() => at.leave())

  it('say so, keep what is there, and catch up when the server answers again', async () => {
    const { world } = at
    const id = await fileBug(world.edna, { summary: 'The clock is slow' })
    const [{ page: list }, { page: bug }] = await bothAs(id)
    const area = bug.getByRole('textbox', { name: 'Comment' })
    await area.fill('Half of a thought')
    await world.stopServer()
    for (const page of [list, bug]) await page.getByText(SILENT).first().waitFor()
    await row(list, 'The clock is slow').getByRole('link').click()
    await list.waitForURL(`**/bug/${id}`)
    await list.goBack()
    await row(list, 'The clock is slow').waitFor()
    await world.startServer()
    await world.sven.put(`/rest/bug/${id}`, { summary: 'The clock stands still' })
    await row(list, 'The clock stands still').waitFor()
    await heading(bug, 'The clock stands still').waitFor()
    for (const page of [list, bug]) await page.getByText(SILENT).waitFor({ state: 'detached' })
    assert.equal(await area.inputValue(), 'Half of a thought')
    await row(list, 'The clock stands still').getByRole('link').click()
    await heading(list, 'The clock stands still').waitFor()
  })

  itInSoak('ask to log in again when the session has ended, and go on with the rights of the reader', async () => {
    const { world } = at
    const id = await fileBug(world.edna, { summary: 'The bell is hoarse' })
    const both = await bothAs(id)
    for (const { context } of both) await context.clearCookies()
    // A stream that ends is opened again, as after an hour behind a proxy.
    await world.stopServer()
    await world.startServer()
    for (const { page } of both) {
      await page.getByRole('heading', { name: 'You were logged out' }).waitFor()
      await page.getByLabel('Login name').fill(cast.edna.login)
      await page.getByLabel('Password').fill(PASSWORD)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'You were logged out' }).waitFor({ state: 'detached' })
    }
    const [{ page: list }, { page: bug }] = both
    await world.sven.put(`/rest/bug/${id}`, { summary: 'The bell is silent' })
    await row(list, 'The bell is silent').waitFor()
    await heading(bug, 'The bell is silent').waitFor()
  })
})
