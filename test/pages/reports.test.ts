import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { Page } from 'playwright-core'
import { expectAccessibleInBothThemes } from '../support/accessibility.ts'
import { describeInBrowser, moveOn } from '../support/browser.ts'
import { newHiddenProduct } from '../support/new-product.ts'

describeInBrowser('reports', (at) => {
  let hidden: string

  before(async () => {
    const { ada } = at.world
    hidden = (await newHiddenProduct(at.world)).name
    const filed = {
      product: 'TestProduct',
      component: 'TestComponent',
      version: 'unspecified',
      summary: 'A <b>lamp</b>',
    }
    for (const priority of ['High', 'High', 'Low']) await ada.post('/rest/bug', { ...filed, priority })
    const { body } = await ada.post('/rest/bug', { ...filed, priority: 'Low' })
    await ada.put(`/rest/bug/${body.id}`, { status: 'RESOLVED', resolution: 'FIXED' })
    await ada.post('/rest/bug', { ...filed, product: hidden, component: 'Core', version: '1.0', priority: 'High' })
  })

  /** The rows of the table, each with the texts of its cells. */
  const tableOf = async (page: Page) => {
    await page.getByRole('table').first().waitFor()
    return page
      .getByRole('table')
      .first()
      .getByRole('row')
      .evaluateAll((rows) =>
        rows.map((row) => [...row.querySelectorAll('th, td')].map((cell) => cell.textContent ?? '')),
      )
  }

  it('have the numbers of the API, each with its bugs, and nothing that the reader may not see', async () => {
    const search = 'product=TestProduct&x_axis_field=status&y_axis_field=priority'
    const { page } = await at.visit(`/reports?${search}`)
    const { body } = await at.world.nobody.get(`/rest/report?${search}&with_totals=1`)
    const expected = [
      ['Priority', ...body.x_values, 'All'],
      ...body.y_values.map((y, row) => [
        y,
        ...body.x_values.map((x) => String(body.counts.find((cell) => cell.x === x && cell.y === y)?.bug_count ?? 0)),
        String(body.y_totals?.[row]),
      ]),
      ['All', ...(body.x_totals ?? []).map(String), String(body.bug_count)],
    ]
    assert.deepEqual(await tableOf(page), expected)
    await expectAccessibleInBothThemes(page)
    await page.getByRole('row', { name: 'High' }).getByRole('link').first().click()
    await page.getByText('2 bugs').first().waitFor()
    await moveOn(page, '/reports?y_axis_field=product')
    await page.getByRole('rowheader', { name: 'TestProduct' }).waitFor()
    assert.equal(await page.getByText(hidden).count(), 0)
    await at.leave()
  })

  it('are made with keys only on a phone', async () => {
    const { page } = await at.visit('/bugs?product=TestProduct', { as: 'sven' })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Save, share, CSV' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Reports and charts' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Reports' }).and(page.locator(':focus')).waitFor()
    await page.getByLabel('Report', { exact: true }).focus()
    await page.keyboard.type('Open over')
    await page.getByRole('heading', { name: 'Open over time' }).waitFor()
    const { body } = await at.world.sven.get('/rest/report/over_time?product=TestProduct')
    const last = body.points.at(-1)
    assert.deepEqual((await tableOf(page)).at(-1), [last?.date, String(last?.open), String(last?.closed)])
    assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
    await expectAccessibleInBothThemes(page)
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'PNG' }).focus()
    await page.keyboard.press('Enter')
    assert.equal((await saved).suggestedFilename(), 'report.png')
    await at.leave()
  })
})
