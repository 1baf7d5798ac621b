import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'
import { describeInBrowser } from '../support/browser.ts'
import { fileBug } from '../support/file-bug.ts'

describeInBrowser('the page of a bug', (at) => {
  afterEach(() => at.leave())

  it('shows the bug, its comments, changes and fields', async () => {
    const { world } = at
    const other = await fileBug(world.edna, { summary: 'The other lamp' })
    const id = await fileBug(world.edna, {
      summary: 'The lamp is dark',
      description: `Like bug ${other}, see https://lamps.example/1.\n> quoted words`,
      depends_on: [other],
    })
    await world.edna.put(`/rest/bug/${id}`, { priority: 'High', comment: { body: 'Since Monday.' } })
    const { page } = await at.visit(`/bug/${id}`)
    await page.getByRole('heading', { name: /The lamp is dark/ }).waitFor()
    await page.getByRole('article', { name: 'Comment 1 by Edna Editor' }).getByText('Since Monday.').waitFor()
    await page.getByText('Priority').first().waitFor()
    assert.match((await page.locator('.chs').textContent()) ?? '', /Edna Editor Priority none → High/)
    assert.equal(await page.locator('blockquote').textContent(), 'quoted words')
    assert.equal(
      await page
        .locator('#c0')
        .getByRole('link', { name: `bug ${other}` })
        .getAttribute('href'),
      `/bug/${other}`,
    )
    await page.locator('.side').getByText('The other lamp').waitFor()
    assert.equal(await page.title(), `${id} The lamp is dark · Lacewing`)
  })
})
