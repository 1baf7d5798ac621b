import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, it } from 'node:test'
import type { Locator, Page, Request } from 'playwright-core'
import { ROWS_AT_ONCE } from '../../shared/first-calls.ts'
import { expectAccessible, expectAccessibleInBothThemes } from '../support/accessibility.ts'
import type { BodyAt } from '../support/body-types.ts'
import { describeInBrowser, follow, followsEvents, logIn } from '../support/browser.ts'
import { copyBug } from '../support/bug-rows.ts'
import { cast } from '../support/cast.ts'
import { fileBug, readBug } from '../support/file-bug.ts'
import { typeText } from '../support/keyboard.ts'
import { newHiddenProduct } from '../support/new-product.ts'
import { isEveryCombination, itInSoak, sampled } from '../support/sample.ts'
import { until } from '../support/until.ts'

const HOSTILE = '<img src=x onerror="document.title=\'owned\'">"\'</script><script>document.title="owned"</script>'

describeInBrowser('the list of bugs', (at) => {
  let [lamp, hinge, hostile, hidden, gate] = [0, 0, 0, 0, 0]
  /** One page for all tests: first nobody is logged in, then edna. */
  let page: Page

  before(async () => {
    const { edna, sven } = at.world
    lamp = await fileBug(edna, { summary: 'The lamp stays dark', priority: 'High' })
    hinge = await fileBug(edna, { summary: 'The hinge squeaks', priority: 'Low', assigned_to: cast.edna.login })
    hostile = await fileBug(edna, { summary: HOSTILE })
    const { name } = await newHiddenProduct(at.world)
    hidden = await fileBug(sven, { product: name, component: 'Core', version: '1.0', summary: 'The vault is open' })
    gate = await fileBug(edna, { summary: 'The gate is open' })
  })

  const row = (page: Page, text: string | number) => page.getByRole('row').filter({ hasText: String(text) })
  const summaries = (page: Page) => page.locator('.bug-table-row .cell-summary a').allTextContents()

  it('shows a reader without rights nothing hidden, and nothing to edit', async () => {
    const visitor = await at.visit('/bugs?quicksearch=ALL')
    page = visitor.page
    await row(page, 'The hinge squeaks').waitFor()
    assert.ok(!(await page.content()).includes('The vault is open'))
    assert.equal(await row(page, hidden).count(), 0)
    assert.equal(await page.getByRole('checkbox').count(), 0)
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    assert.equal(await page.getByRole('toolbar').count(), 0)
    assert.equal(await page.getByPlaceholder('Write a comment').count(), 0)
    await logIn(visitor.context, 'edna')
  })

  it('sorts by columns, groups, folds, and shows the query in words that can be changed and removed', async () => {
    await page.goto('/bugs?product=TestProduct')
    await page.getByRole('columnheader', { name: 'Summary' }).getByRole('button').click()
    await page.waitForURL(/order=short_desc/)
    await row(page, 'The hinge squeaks').waitFor()
    assert.deepEqual((await summaries(page)).slice(-2), ['The hinge squeaks', 'The lamp stays dark'])
    await page
      .getByRole('columnheader', { name: 'Priority' })
      .getByRole('button')
      .click({ modifiers: ['Shift'] })
    await page.waitForURL(/order=short_desc%2Cpriority/)
    await page.goBack()
    await page.waitForURL(/order=short_desc$/)
    await follow(page, '/bugs?product=TestProduct&priority=High&priority=Low&group=priority')
    await page.getByRole('button', { name: 'Fold Low' }).waitFor()
    await row(page, 'The hinge squeaks').waitFor()
    await page.getByRole('button', { name: 'Fold Low' }).click()
    await row(page, 'The hinge squeaks').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Priority High, Low', exact: true }).click()
    await page.getByRole('checkbox', { name: 'Low', exact: true }).click()
    await page.waitForURL((url) => url.searchParams.getAll('priority').join() === 'High')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Remove Priority High' }).click()
    await page.waitForURL((url) => !url.searchParams.has('priority'))
  })

  it('selects with keys, previews a change of several bugs, shows refusals, and changes the rest', async () => {
    await follow(page, '/bugs?product=TestProduct&order=bug_id')
    await row(page, lamp).waitFor()
    for (const key of ['j', 'x', 'j', 'X']) await page.keyboard.press(key)
    const bar = page.getByRole('toolbar', { name: 'Change the selected bugs' })
    await bar.getByText('2 selected').waitFor()
    await bar.getByRole('button', { name: 'Priority' }).click()
    await typeText(page, 'highest')
    await page.keyboard.press('Enter')
    await bar.getByRole('button', { name: 'Preview 2 changes' }).click()
    await page
      .getByText('High → Highest')
      .or(page.getByText(/→ Highest/))
      .first()
      .waitFor()
    assert.equal((await readBug(at.world.edna, lamp)).priority, 'High')
    await page.getByRole('button', { name: 'Change 2 bugs' }).click()
    await page.getByText('2 bugs are changed.').waitFor()
    assert.equal((await readBug(at.world.edna, hinge)).priority, 'Highest')
    await bar.waitFor({ state: 'detached' })

    for (const key of ['k', 'x']) await page.keyboard.press(key)
    await bar.getByRole('button', { name: 'Status' }).click()
    await typeText(page, 'verif')
    await page.keyboard.press('Enter')
    await typeText(page, 'fixed')
    await page.keyboard.press('Enter')
    await bar.getByRole('button', { name: 'Preview 1 change' }).click()
    await page.getByText('1 of 1 will be refused and stay as they are.').waitFor()
    await page.getByRole('button', { name: 'Change nothing' }).click()
  })

  it('says in its title what is not set, and begins with open bugs', async () => {
    const title = (words: RegExp) => until(async () => words.test(await page.title()))
    await follow(page, '/bugs?resolution=---')
    await title(/^Resolution not set/)
    await follow(page, '/bugs?target_milestone=---&priority=---')
    await title(/^Milestone not set, Priority not set/)
    assert.doesNotMatch((await page.locator('main').textContent()) ?? '', /\bNone\b/)
    await page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: 'Bugs' }).click()
    await title(/^Open bugs/)
    assert.equal(await page.locator('.bug-table-row.is-closed').count(), 0)
  })

  itInSoak('follows j with the preview, and opens the bug with Enter', async () => {
    await follow(page, `/bugs?id=${lamp},${hinge}&order=bug_id`)
    await row(page, lamp).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    const preview = page.getByRole('complementary', { name: `Preview of bug ${hinge}` })
    await preview.waitFor()
    const comment = (word: string) => at.world.edna.post(`/rest/bug/${hinge}/comment`, { comment: `Hinge ${word}` })
    // As if all were written in one second, which is the precision of a bug's last change.
    await page.route('**/rest/bug?*', async (route) => {
      const response = await route.fetch()
      const body = (await response.text()).replaceAll(/(?<="last_change_time":)"[^"]+"/g, '"2026-01-01T00:00:00Z"')
      await route.fulfill({ response, body })
    })
    await comment('one')
    await preview.getByText('Hinge one').waitFor()
    for (const word of ['two', 'three', 'four']) await comment(word)
    await preview.getByText('Hinge four').waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await preview.getByText('Hinge one').waitFor({ state: 'detached' })
    await preview.getByRole('button', { name: 'Earlier comments' }).click()
    await preview.getByText('Hinge one').waitFor()
    await preview.getByRole('button', { name: 'Earlier comments' }).waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/bug/${hinge}`)
    await page.getByText('2 of', { exact: false }).first().waitFor()
    await page.getByRole('button', { name: 'Previous bug' }).click()
    await page.waitForURL(`**/bug/${lamp}`)
    await page.getByText('1 of', { exact: false }).first().waitFor()
    await page.keyboard.press('k')
    await page.keyboard.press('j')
    await page.waitForURL(`**/bug/${hinge}`)
    await page.goBack()
    await page.goBack()
    await page.goBack()
    await page.getByRole('complementary', { name: `Preview of bug ${hinge}` }).waitFor()
  })

  it('shows what others change as unread, and keeps what is new behind a count', async () => {
    // No page has shown this bug: one that was left may still say that it was seen.
    await at.world.edna.post(`/rest/bug_user_last_visit/${gate}`, {})
    const visited = Date.now()
    await follow(page, '/bugs?product=TestProduct&order=bug_id')
    await row(page, gate).waitFor()
    await followsEvents(page)
    // Visits and changes have whole seconds.
    await until(() => Math.floor(Date.now() / 1000) > Math.floor(visited / 1000))
    await at.world.sven.put(`/rest/bug/${gate}`, { summary: 'The gate is shut' })
    await row(page, 'The gate is shut').getByText('New since you looked').waitFor({ state: 'attached' })
    await fileBug(at.world.sven, { summary: 'The bell rings twice' })
    await page.getByRole('button', { name: '1 new' }).click()
    await row(page, 'The bell rings twice').waitFor()
  })

  it('builds a search with brackets and history, and reads it back from the address', async () => {
    await follow(page, '/bugs?view=search&product=TestProduct')
    await page.getByRole('combobox', { name: 'Field' }).selectOption('short_desc')
    await page.getByRole('textbox', { name: 'Value' }).fill('hinge')
    await page.getByRole('button', { name: 'Bracket', exact: true }).click()
    const bracket = page.getByRole('group', { name: 'Bracket' })
    await bracket.getByRole('combobox', { name: 'Field' }).first().selectOption('priority')
    await bracket.getByRole('combobox', { name: 'Operator' }).first().selectOption('everchanged')
    await bracket.getByRole('combobox', { name: 'Field' }).nth(1).selectOption('assigned_to')
    await bracket.getByRole('combobox', { name: 'Value' }).fill(cast.edna.login)
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await row(page, 'The hinge squeaks').waitFor()
    const search = new URL(page.url()).searchParams
    assert.deepEqual(
      ['f1', 'o1', 'v1', 'f2', 'j2', 'f3', 'o3', 'f4', 'o4', 'v4', 'f5'].map((name) => search.get(name)),
      [
        'short_desc',
        'substring',
        'hinge',
        'OP',
        'OR',
        'priority',
        'everchanged',
        'assigned_to',
        'equals',
        cast.edna.login,
        'CP',
      ],
    )
    await page.getByRole('link', { name: 'Advanced' }).click()
    await page.getByText(/Summary contains hinge and \(Priority was ever changed or Assignee is edna/).waitFor()
  })

  it('moves cards of a board with keys and with the mouse, as the workflow allows, and draws many in portions', async () => {
    const id = await fileBug(at.world.edna, { summary: 'The door sticks', keywords: [] })
    await follow(page, `/bugs?id=${id}&view=board`)
    const column = (name: string) => page.getByRole('region', { name, exact: true })
    await column('Confirmed').getByText('The door sticks').waitFor()
    await column('Confirmed')
      .getByRole('button', { name: `Move ${id}` })
      .focus()
    for (const key of ['Space', 'ArrowRight', 'Space']) await page.keyboard.press(key)
    await column('In progress').getByText('The door sticks').waitFor()
    assert.equal((await readBug(at.world.edna, id)).status, 'IN_PROGRESS')
    await column('In progress')
      .getByRole('button', { name: `Move ${id}` })
      .click()
    await column('Verified').getByText('A bug cannot go from In progress to Verified.').waitFor()
    await page.keyboard.press('Escape')
    await column('In progress').getByText('The door sticks').dragTo(column('Resolved'))
    await page.getByLabel('Resolution').selectOption('FIXED')
    await page.getByRole('button', { name: 'Set Resolved' }).click()
    await column('Resolved').getByText('The door sticks').waitFor()
    assert.equal((await readBug(at.world.edna, id)).resolution, 'FIXED')
    await follow(page, `/bugs?id=${id}&view=board&by=type`)
    await column('defect').getByText('The door sticks').dragTo(column('task'))
    await column('task').getByText('The door sticks').waitFor()
    assert.equal((await readBug(at.world.edna, id)).type, 'task')
    await column('not set').waitFor()

    // A full column is drawn in portions.
    await page.route('**/rest/bug?*limit=50', async (route) => {
      // The whole list, also if the page has it already.
      const { 'if-none-match': _, ...headers } = route.request().headers()
      const { bugs } = (await (await route.fetch({ headers })).json()) as BodyAt<'GET', '/rest/bug'>
      const many = Array.from({ length: 50 }, (_, place) => ({ ...bugs[0], id: place + 1 }))
      await route.fulfill({ json: { bugs: many, faults: [] } })
    })
    const portions = await drawnAtOnce(page, '.board-card')
    await follow(page, `/bugs?id=${lamp}&view=board`)
    await page.locator('.board-card').nth(49).waitFor({ state: 'attached' })
    assert.ok((await portions()) <= 10)
    await page.unrouteAll({ behavior: 'wait' })
  })

  it('saves a search with its order, columns and groups, offers it in the title, and saves another one based on it', async () => {
    const look = 'order=short_desc&group=priority&columns=priority,version'
    await follow(page, `/bugs?summary=hinge&${look}`)
    const startSaving = async (name: string) => {
      await page.getByRole('button', { name: /^Save, share/ }).click()
      await page.getByRole('menuitem', { name: /Save, share or mail/ }).click()
      await page.getByLabel('Name').fill(name)
    }
    await startSaving('Hinges')
    await page.getByLabel('Mail it to me').selectOption('Mon')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('“Hinges” is saved, and will be mailed to you.').waitFor()
    await follow(page, '/bugs?quicksearch=ALL')
    await page.getByRole('button', { name: /saved searches/ }).click()
    await page.getByRole('menuitem', { name: 'Hinges' }).click()
    await page.getByRole('heading', { name: /^Hinges/ }).waitFor()
    await row(page, 'The hinge squeaks').waitFor()
    const search = new URL(page.url()).searchParams
    assert.deepEqual([search.get('order'), search.get('group')], ['short_desc', 'priority'])
    const table = async () => {
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: /^Save, share/ }).click()
      await page.getByRole('menuitem', { name: 'Table (CSV)' }).click()
      return readFileSync(await (await download).path(), 'utf8').split('\r\n')
    }
    const [titles = '', bug = ''] = await table()
    assert.equal(titles, '"id","summary","priority","version"')
    assert.match(bug, /^\d+,"The hinge squeaks","\w+","unspecified"$/)
    if (isEveryCombination) {
      // An address with the name alone, such as an old link. Below, one is followed inside of the pages.
      await page.goto('/bugs?savedsearch=Hinges')
      await page.waitForURL((url) => url.searchParams.get('columns') === 'priority,version')
      await page.getByRole('columnheader', { name: 'Version' }).waitFor()
      assert.equal((await table())[0], titles)
    }
    await follow(page, '/bugs?savedsearch=Hinges&summary=squeaks&f1=short_desc&o1=substring&v1=The&order=bug_id')
    await startSaving('Squeaks')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('“Squeaks” is saved').waitFor()
    await follow(page, '/bugs?savedsearch=Squeaks')
    await row(page, 'The hinge squeaks').waitFor()
    const { saved_searches: saved } = (await at.world.edna.get('/rest/saved_search')).body
    const query = new URLSearchParams(saved.find(({ name }: { name: string }) => name === 'Squeaks').query)
    assert.deepEqual(
      ['summary', 'order', 'f2', 'v2', 'f4', 'v4'].map((name) => query.get(name)),
      ['hinge', 'bug_id', 'short_desc', 'The', 'summary', 'squeaks'],
    )
  })

  it('names the part of a query that is wrong, and offers the closest one when nothing is found', async () => {
    await follow(page, '/bugs?creation_time=someday&product=TestProduct')
    await page.getByRole('alert').filter({ hasText: 'someday' }).waitFor()
    assert.match((await page.locator('.chip.is-wrong').textContent()) ?? '', /someday/)
    await follow(page, '/bugs?summary=lamp&component=Nothing')
    await page.getByRole('link', { name: /Without Component Nothing/ }).click()
    await row(page, 'lamp').waitFor()
  })

  it('shows hostile text as text, in rows, preview, search and bulk change', async () => {
    await follow(page, `/bugs?id=${hostile}&summary=${encodeURIComponent(HOSTILE)}`)
    await page.getByRole('heading', { name: HOSTILE, exact: true }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.getByRole('toolbar').getByRole('button', { name: 'Priority' }).click()
    await typeText(page, 'low')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'More fields' }).click()
    await page.getByRole('menuitem', { name: 'Comment' }).click()
    await page.getByRole('textbox', { name: 'Comment on all selected bugs' }).fill(`Seen by all. ${HOSTILE}`)
    await page.keyboard.press('Control+Enter')
    await page.getByRole('button', { name: 'Preview 1 change' }).click()
    await page.getByRole('figure').filter({ hasText: 'Each bug gets the comment' }).getByText(HOSTILE).waitFor()
    await page.getByRole('cell', { name: HOSTILE }).waitFor()
    await page.getByRole('button', { name: 'Change nothing' }).click()
    await page.keyboard.press('/')
    await typeText(page, 'img')
    await page.getByRole('option', { name: HOSTILE }).waitFor()
    assert.equal(await page.locator('img').count(), 0)
    assert.doesNotMatch(await page.title(), /^owned/)
    // Keys are shortcuts again.
    await page.evaluate('document.activeElement.blur()')
  })

  it('has no barrier that axe finds, light and dark', async () => {
    await follow(page, '/bugs?product=TestProduct&group=priority')
    await row(page, 'The hinge squeaks').waitFor()
    for (const key of ['j', 'x']) await page.keyboard.press(key)
    await page.getByRole('toolbar').waitFor()
    // The help shows every part of the pages in both themes.
    const expectLook = isEveryCombination ? expectAccessibleInBothThemes : expectAccessible
    await expectLook(page)
    if (isEveryCombination) {
      await page.keyboard.press('/')
      await typeText(page, 'hinge')
      await page.getByRole('option').first().waitFor()
      await expectLook(page, 'header')
    }
    for (const view of sampled(['board', 'search'], 2)) {
      await follow(page, `/bugs?product=TestProduct&view=${view}`)
      await page.getByText(view === 'board' ? 'The hinge squeaks' : 'No condition yet').waitFor()
      await expectLook(page, 'main')
    }
  })

  it('selects every bug of a search, also those that are not loaded, and previews a change of them', async () => {
    const nails = Array.from({ length: 104 }, (_, number) => `Nail ${number}`)
    const first = await fileBug(at.world.edna, { summary: 'Nail', whiteboard: '[nails]' })
    if (isEveryCombination)
      await Promise.all(nails.map((summary) => fileBug(at.world.edna, { summary, whiteboard: '[nails]' })))
    else await copyBug(at.world, first, nails)
    await follow(page, '/bugs?whiteboard=nails')
    const tried: number[] = []
    const note = (request: Request) => {
      if (request.method() === 'PUT') tried.push(...request.postDataJSON().ids)
    }
    page.on('request', note)
    await page.getByRole('checkbox', { name: 'Select all 105 bugs' }).check()
    const bar = page.getByRole('toolbar', { name: 'Change the selected bugs' })
    await bar.getByText('105 selected').waitFor()
    await bar.getByRole('button', { name: 'Priority' }).click()
    await typeText(page, 'low')
    await page.getByRole('option', { name: 'Low', exact: true }).click()
    await bar.getByRole('button', { name: 'Preview 105 changes' }).click()
    await page.getByRole('button', { name: 'Change 105 bugs' }).waitFor()
    assert.equal(new Set(tried).size, 105)
    page.off('request', note)
    // One after the other, which other tests show with fewer bugs.
    if (!isEveryCombination) return
    await page.getByRole('button', { name: 'Change 105 bugs' }).click()
    await page.getByText('105 bugs are changed.').waitFor()
    const { body } = await at.world.edna.get('/rest/bug?whiteboard=nails&priority=Low&count_only=1')
    assert.equal(body.bug_count, 105)
  })

  it('scrolls through a long list with few rows in the page', async () => {
    await follow(page, '/bugs?product=TestProduct&order=bug_id')
    await row(page, lamp).waitFor()
    const answer = await page.evaluate<{ bugs: object[] }>(
      "fetch('/rest/bug?product=TestProduct&order=bug_id').then((it) => it.json())",
    )
    await page.route('**/rest/bug?*', (route) => {
      const search = new URL(route.request().url()).searchParams
      if (search.has('count_only')) return route.fulfill({ json: { bug_count: 1_000_000 } })
      const offset = Number(search.get('offset') ?? 0)
      const length = Math.min(ROWS_AT_ONCE, 1_000_000 - offset)
      const bugs = Array.from({ length }, (_, place) => ({ ...answer.bugs[0], id: offset + place + 1 }))
      return route.fulfill({ json: { bugs, faults: [] } })
    })
    await page.getByRole('columnheader', { name: 'Summary' }).getByRole('button').click()
    await page.getByText('1,000,000').first().waitFor()
    const portions = await drawnAtOnce(page, '.bug-table-row:not(.is-to-come)')
    await page.locator('.bug-table').evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await page.locator('.bug-table-row').filter({ hasText: '1000000' }).waitFor()
    assert.ok((await page.locator('.bug-table-row').count()) < 120)
    // More at once would keep the page from reacting.
    assert.ok((await portions()) <= 8)
    await page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert.equal(await page.locator('.bug-table-row').count(), 1_000_000 % ROWS_AT_ONCE)
    await page.evaluate("dispatchEvent(new Event('afterprint'))")
    await page.unrouteAll({ behavior: 'wait' })
  })

  itInSoak('finds a bug by typing, with the mouse, and by its number', async () => {
    await page.goto('/')
    await page.getByRole('combobox', { name: 'Search bugs' }).click()
    await typeText(page, 'hinge')
    await page.getByRole('option', { name: /The hinge squeaks/ }).click()
    await page.waitForURL(`**/bug/${hinge}`)
    await page.keyboard.press('/')
    await typeText(page, String(lamp))
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/bug/${lamp}`)
  })

  itInSoak('fits a phone, in two lines a row, and changes several bugs there, after a preview', async () => {
    const { page } = await at.visit(`/bugs?id=${lamp},${hinge}`, { as: 'edna', isPhone: true })
    await row(page, 'The hinge squeaks').waitFor()
    assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= 360)
    assert.equal((await row(page, 'The hinge squeaks').boundingBox())?.height, 56)
    const ids = await Promise.all(
      ['left', 'right'].map((side) => fileBug(at.world.edna, { summary: `The ${side} sail is torn` })),
    )
    await follow(page, '/bugs?summary=sail')
    const fits = async () =>
      assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= 360, 'it fits')
    await row(page, 'sail').first().waitFor()
    for (const id of ids) await swipe(page, row(page, id))
    const bar = page.getByRole('toolbar', { name: 'Change the selected bugs' })
    await bar.getByText('2 selected').waitFor()
    await fits()
    if (!isEveryCombination) {
      await follow(page, '/bugs?summary=sail&view=board')
      await page.getByRole('region', { name: 'Confirmed', exact: true }).getByText('sail').first().waitFor()
      return fits()
    }
    await bar.getByRole('button', { name: 'More fields' }).tap()
    await fits()
    await page.getByRole('menuitem', { name: 'Priority' }).tap()
    await page.getByRole('option', { name: 'Highest' }).tap()
    await fits()
    await bar.getByRole('button', { name: 'Preview' }).tap()
    const dialog = page.getByRole('dialog', { name: 'Preview of 2 changes' })
    await dialog.getByText('→ Highest').first().waitFor()
    await fits()
    await expectAccessible(page, 'dialog')
    const width = await dialog.locator('.bulk-table').evaluate<number, { scrollWidth: number }>((it) => it.scrollWidth)
    assert.ok(width <= 360, `the preview is ${width} pixels wide`)
    await dialog.getByRole('button', { name: 'Change 2 bugs' }).tap()
    await page.getByText('2 bugs are changed.').waitFor()
    for (const id of ids) assert.equal((await readBug(at.world.edna, id)).priority, 'Highest')
    await row(page, ids[0] ?? 0)
      .getByRole('link')
      .tap()
    await page.waitForURL(`**/bug/${ids[0]}`)
  })

  itInSoak('moves a card of a board on a phone, and says where it cannot go', async () => {
    const id = await fileBug(at.world.edna, { summary: 'The anchor drags' })
    const { page } = await at.visit(`/bugs?id=${id}&view=board`, { as: 'edna', isPhone: true })
    const column = (name: string) => page.getByRole('region', { name, exact: true })
    await column('Confirmed').getByText('The anchor drags').waitFor()
    assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= 360)
    await column('Confirmed')
      .getByRole('button', { name: `Move ${id}` })
      .tap()
    await column('Verified').getByText('A bug cannot go from Confirmed to Verified.').waitFor()
    await column('In progress').tap()
    await column('In progress').getByText('The anchor drags').waitFor()
    assert.equal((await readBug(at.world.edna, id)).status, 'IN_PROGRESS')
    await column('In progress')
      .getByRole('button', { name: `Move ${id}` })
      .tap()
    await column('Resolved').tap()
    await page.getByLabel('Resolution').selectOption('FIXED')
    await page.getByRole('button', { name: 'Set Resolved' }).tap()
    await column('Resolved').getByText('The anchor drags').waitFor()
    assert.equal((await readBug(at.world.edna, id)).resolution, 'FIXED')
  })
})

/** A finger that moves to the side and rests before it leaves: a quick one makes Chromium ignore the next tap. The session stays: its end would cancel the touch. */
async function swipe(page: Page, target: Locator) {
  const box = await target.boundingBox()
  if (box === null) throw new Error('It is not drawn')
  const tools = await page.context().newCDPSession(page)
  const [x, y] = [box.x + 40, box.y + box.height / 2]
  const began = Date.now() / 1000 - 1
  const touch = (
    type: 'touchStart' | 'touchMove' | 'touchEnd',
    after: number,
    ...touchPoints: { x: number; y: number }[]
  ) => tools.send('Input.dispatchTouchEvent', { type, touchPoints, timestamp: began + after })
  await touch('touchStart', 0, { x, y })
  await touch('touchMove', 0.2, { x: x + 120, y })
  await touch('touchMove', 0.8, { x: x + 121, y })
  await touch('touchEnd', 1)
}

/** Returns how many elements of a kind have come at once at most since then. */
async function drawnAtOnce(page: Page, selector: string): Promise<() => Promise<number>> {
  await page.evaluate(`
    globalThis.portion = 0
    let known = new Set(document.querySelectorAll('${selector}'))
    new MutationObserver(() => {
      const now = document.querySelectorAll('${selector}')
      portion = Math.max(portion, [...now].filter((it) => !known.has(it)).length)
      known = new Set(now)
    }).observe(document.body, { subtree: true, childList: true, attributes: true })
  `)
  return () => page.evaluate<number>('portion')
}
