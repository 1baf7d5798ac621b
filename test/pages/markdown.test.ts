import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'
import type { Page } from 'playwright-core'
import { expectAccessibleInBothThemes } from '../support/accessibility.ts'
import { describeInBrowser, follow } from '../support/browser.ts'

const HOSTILE = `<img src=x onerror="window.isOwned=1"> <script>window.isOwned=1</script>

[click](javascript:window.isOwned=1) ![picture](https://elsewhere.example/a.png) <b id="main" style="color:red">b</b>

[quote](https://elsewhere.example/"onclick="window.isOwned=1) <https://elsewhere.example/'onmouseover='window.isOwned=1>

\`\`\`js"><script>window.isOwned=1</script>
const a = '</code><script>window.isOwned=1</script>'
\`\`\``

describeInBrowser('Markdown on a page', (at) => {
  afterEach(() => at.leave())

  const section = (page: Page) => page.getByRole('region', { name: 'Markdown' })
  const write = async (page: Page, text: string) => page.getByLabel('A comment in Markdown').fill(text)

  it('loads the parser where Markdown is shown, and shows headings, lists, tables, tasks, code with colours and references', async () => {
    const { page } = await at.visit('/help')
    const loaded = () =>
      page.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .map(({ name }) => name)
          .join('\n'),
      )
    assert.doesNotMatch(await loaded(), /markdown-tree/)
    await follow(page, '/help/design')
    const shown = section(page)
    await shown.getByRole('heading', { name: 'A heading' }).waitFor()
    assert.match(await loaded(), /markdown-tree/)
    assert.equal(await shown.locator('strong').textContent(), 'strong')
    assert.equal(await shown.locator('s').textContent(), 'gone')
    assert.equal(await shown.getByRole('cell', { name: '12' }).getAttribute('class'), 'md-right')
    assert.ok(await shown.getByRole('checkbox', { name: 'Done' }).isChecked())
    assert.ok(await shown.getByRole('checkbox', { name: 'To do' }).isDisabled())
    await shown.locator('.hl-keyword', { hasText: 'const' }).waitFor()
    const reference = shown.getByRole('link', { name: 'bug 1 comment 2' })
    assert.equal(await reference.getAttribute('href'), '/bug/1#c2')
    const link = shown.getByRole('link', { name: 'link', exact: true })
    assert.equal(await link.getAttribute('rel'), 'noreferrer nofollow')
  })

  it('does nothing that a hostile author wants, and shows what is nested too deeply as it was typed', async () => {
    const { page } = await at.visit('/help/design')
    await section(page).getByRole('heading', { name: 'A heading' }).waitFor()
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await write(page, HOSTILE)
    await section(page).getByRole('link', { name: 'picture' }).waitFor()
    const prose = section(page).locator('.prose')
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

    await write(page, `${'>'.repeat(10_000)} the end`)
    await section(page).locator('.typed').getByText('the end').waitFor()
    assert.equal(await section(page).locator('blockquote').count(), 0)
  })

  it('is accessible in both themes, and fits a phone', async () => {
    const desktop = await at.visit('/help/design')
    await section(desktop.page).locator('.hl-keyword').first().waitFor()
    await expectAccessibleInBothThemes(desktop.page)
    const { page } = await at.visit('/help/design', { isPhone: true })
    await section(page).locator('.hl-keyword').first().waitFor()
    await write(page, `|${' a column |'.repeat(30)}\n|${'-|'.repeat(30)}\n\n\`\`\`\n${'long '.repeat(100)}\n\`\`\``)
    await section(page).getByRole('table').waitFor()
    const box = await section(page).locator('.prose').boundingBox()
    assert.ok((box?.width ?? 0) <= 360, `${box?.width} wide`)
  })
})
