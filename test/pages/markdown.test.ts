import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { expectAccessibleInBothThemes } from '../support/accessibility.ts'
import { describeInBrowser, follow } from '../support/browser.ts'
import { isEveryCombination } from '../support/sample.ts'

const HOSTILE = `<img src=x onerror="window.isOwned=1"> <script>window.isOwned=1</script>

[click](javascript:window.isOwned=1) ![picture](https://elsewhere.example/a.png) <b id="main" style="color:red">b</b>

[quote](https://elsewhere.example/"onclick="window.isOwned=1) <https://elsewhere.example/'onmouseover='window.isOwned=1>

\`\`\`js"><script>window.isOwned=1</script>
const a = '</code><script>window.isOwned=1</script>'
\`\`\``

describeInBrowser('Markdown on a page', (at) => {
  /** One page for all tests. */
  let page: Page

  const section = () => page.getByRole('region', { name: 'Markdown' })
  const write = (text: string) => page.getByLabel('A comment in Markdown').fill(text)

  it('loads the parser where Markdown is shown, and shows headings, lists, tables, tasks, code with colours and references', async () => {
    let requested = 0
    const count = async (route: Route) => {
      requested++
      await route.continue()
    }
    // A page with routes takes nothing from the cache.
    page = (await at.visit('/help', { prepare: (it) => it.route(/markdown-tree/, count) })).page
    assert.equal(requested, 0)
    await follow(page, '/help/design')
    const shown = section()
    await shown.getByRole('heading', { name: 'A heading' }).waitFor()
    assert.equal(requested, 1)
    assert.equal(await shown.locator('strong').textContent(), 'strong')
    assert.equal(await shown.locator('s').textContent(), 'gone')
    assert.equal(await shown.getByRole('cell', { name: '12' }).getAttribute('class'), 'markdown-right')
    assert.ok(await shown.getByRole('checkbox', { name: 'done' }).isChecked())
    assert.ok(await shown.getByRole('checkbox', { name: 'to do' }).isDisabled())
    await shown.locator('.highlight-keyword', { hasText: 'const' }).waitFor()
    const reference = shown.getByRole('link', { name: 'bug 1 comment 2' })
    assert.equal(await reference.getAttribute('href'), '/bug/1#c2')
    const link = shown.getByRole('link', { name: 'link', exact: true })
    assert.equal(await link.getAttribute('rel'), 'noreferrer nofollow')
  })

  it('is accessible in both themes, and fits a phone', async () => {
    await expectAccessibleInBothThemes(page)
    // The width is what matters. In the soak the phone has touch, too.
    if (isEveryCombination) page = (await at.visit('/help/design', { isPhone: true })).page
    await page.setViewportSize({ width: 360, height: 760 })
    await write(`|${' a column |'.repeat(30)}\n|${'-|'.repeat(30)}\n\n\`\`\`\n${'long '.repeat(100)}\n\`\`\``)
    await section().getByRole('table').waitFor()
    const box = await section().locator('.prose').boundingBox()
    assert.ok((box?.width ?? 0) <= 360, `${box?.width} wide`)
  })

  it('does nothing that a hostile author wants, and shows what is nested too deeply as it was typed', async () => {
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await write(HOSTILE)
    await section().getByRole('link', { name: 'picture' }).waitFor()
    const prose = section().locator('.prose')
    assert.equal(await prose.locator('img, script, iframe, [style], [id], [onclick], [onmouseover]').count(), 0)
    const addresses = await prose
      .locator('a')
      .evaluateAll((links) => links.map((link) => (link as { href: string }).href))
    for (const address of addresses) assert.match(address, /^https:\/\/elsewhere\.example\//)
    await prose.getByText('click').first().click()
    assert.equal(await page.evaluate('window.isOwned'), undefined)
    assert.deepEqual(
      requests.filter((url) => url.includes('elsewhere')),
      [],
    )

    await write(`${'>'.repeat(10_000)} the end`)
    await section().locator('.typed-text').getByText('the end').waitFor()
    assert.equal(await section().locator('blockquote').count(), 0)
  })
})
