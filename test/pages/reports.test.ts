import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, it } from 'node:test'
import type { Page } from 'playwright-core'
import { SYSTEM_GROUP_NAMES } from '../../shared/system-group-names.ts'
import { filtersIn, narrowed } from '../../web/views/dashboard/narrowed.ts'
import { axisDays } from '../../web/views/reports/axis-days.ts'
import { apart } from '../../web/views/reports/label-places.ts'
import { expectAccessibleInBothThemes, expectAccessibleInSoak } from '../support/accessibility.ts'
import { describeInBrowser, follow, moveOn } from '../support/browser.ts'
import { cast } from '../support/cast.ts'
import { newHiddenProduct } from '../support/new-product.ts'
import { itInSoak } from '../support/sample.ts'
import { until } from '../support/until.ts'

it('writes the last numbers of a chart above each other where they would overlap', () => {
  assert.deepEqual(apart([100, 100, 60, 90]), [100, 86, 60, 46])
})

it('writes days along an axis in words, with the year where it changes', () => {
  const days = ['2025-11-30', '2025-12-31', '2026-01-31', '2026-02-28', '2026-03-31']
  const words = (most: number) => axisDays(days, most).map(({ text }) => text)
  assert.deepEqual(words(5), ['30 Nov 2025', '31 Dec', '31 Jan 2026', '28 Feb', '31 Mar'])
  assert.deepEqual(words(2), ['30 Nov 2025', '31 Mar 2026'])
  assert.deepEqual(axisDays(['2026-03-31'], 6), [{ at: 0, text: '31 Mar 2026' }])
  assert.deepEqual(axisDays([], 6), [{ at: 0, text: '' }])
})

it('narrows what a tile searches for by the filters of its dashboard, and never widens it', () => {
  const with_ = (search: string, filters: string) =>
    decodeURIComponent(String(narrowed(new URLSearchParams(search), filtersIn(new URLSearchParams(filters)))))
  assert.equal(with_('quicksearch=ALL', 'product=A&product=B&as_of=2026-01-01'), 'quicksearch=ALL&product=A&product=B')
  assert.equal(with_('product=A', 'product=B'), 'product=A&f1=product&o1=equals&v1=B')
  assert.equal(with_('product=A&product=B&severity=low', 'product=B&product=C'), 'severity=low&product=B')
  assert.equal(with_('product=a&product=B', 'product=A&product=b'), 'product=A&product=b')
  const notA = 'product=A&product_type=notequals'
  assert.equal(with_(notA, 'product=A'), `${notA}&f1=product&o1=equals&v1=A`)
  assert.equal(with_('f3=id&o3=equals&v3=1', 'assigned_to=me'), 'f1=id&o1=equals&v1=1&f2=assigned_to&o2=equals&v2=me')
  const either = 'j_top=OR&f1=id&o1=equals&v1=1&f2=id&o2=equals&v2=2'
  assert.equal(
    with_(either, 'assigned_to=me'),
    'f1=OP&j1=OR&f2=id&o2=equals&v2=1&f3=id&o3=equals&v3=2&f4=CP&f5=assigned_to&o5=equals&v5=me',
  )
  assert.equal(with_('product=A', 'target_milestone='), 'product=A')
})

describeInBrowser('reports', (at) => {
  let hidden: string

  before(async () => {
    const { ada } = at.world
    hidden = (await newHiddenProduct(at.world)).name
    for (let group = 0; group < 9; group++) await at.world.newGroup()
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
      // People read the values of a status as words.
      ['Priority', ...body.x_values.map((x) => `${x[0]}${x.slice(1).toLowerCase()}`), 'All'],
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
    // Links from Bugzilla have its names of fields, also of those that are not offered.
    await moveOn(page, '/report.cgi?y_axis_field=bug_status&x_axis_field=rep_platform&z_axis_field=votes&format=table')
    const chosen = (label: string) => page.getByLabel(label, { exact: true }).locator('option:checked').textContent()
    assert.deepEqual(await Promise.all(['Rows', 'Columns', 'Tables'].map(chosen)), ['Status', 'Platform', 'Votes'])
    await at.leave()
  })

  it('show how far a large installation is counted, and add up its parts', async () => {
    const { page } = await at.visit('/reports')
    const second = Promise.withResolvers<void>()
    // The parts are made here, both of them with all bugs: a part of its own has 250,000.
    await page.route(/\/rest\/report\/over_time\?/, async (route) => {
      const url = new URL(route.request().url())
      const isSecond = url.searchParams.get('cursor') === '1-300000'
      if (isSecond) await second.promise
      url.searchParams.delete('cursor')
      const response = await route.fetch({ url: url.href })
      const part: object = await response.json()
      const json = isSecond ? part : { ...part, progress: 0.5, next_cursor: '1-300000' }
      await route.fulfill({ response, json })
    })
    await follow(page, '/reports?kind=over_time&product=TestProduct')
    const counting = page.getByRole('progressbar', { name: 'Counting' })
    await page.getByRole('status').filter({ has: counting, hasText: '50 %' }).waitFor()
    assert.equal(await page.locator('svg.chart').count(), 0)
    second.resolve()
    await counting.waitFor({ state: 'detached' })
    const { body } = await at.world.nobody.get('/rest/report/over_time?product=TestProduct')
    const last = body.points.at(-1)
    assert.ok(last !== undefined && last.open > 0)
    assert.deepEqual((await tableOf(page)).at(-1), [last.date, String(2 * last.open), String(2 * last.closed)])
    await at.leave()
  })

  itInSoak('are made with keys only on a phone', async () => {
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

  /** The tile of this title, when its numbers are there. */
  const tileOf = async (page: Page, title: string) => {
    const tile = page.getByRole('region', { name: title, exact: true })
    await tile.locator('svg.chart, table, .tile-number').first().waitFor()
    return tile
  }

  /** The dashboard of the next test. */
  let id = 0
  const tilesOf = async () => (await at.world.ada.get(`/rest/dashboard/${id}`)).body.dashboards[0].tiles

  it('are on a dashboard that is made with the mouse, and shared with readers who count what they may see', async () => {
    const { ada, edna } = at.world
    const axes = 'y_axis_field=priority&product=TestProduct'
    await ada.post('/rest/saved_report', { name: 'Kept report', query: `${axes}&format=bar&action=wrap` })
    const { page } = await at.visit('/dashboards', { as: 'ada' })
    await page.getByRole('region', { name: 'Saved reports' }).getByRole('link', { name: 'Kept report' }).click()
    const kept = (await ada.get(`/rest/report?${axes}`)).body
    // The names of fields may come after the numbers.
    await page.getByRole('columnheader', { name: 'Priority', exact: true }).waitFor()
    assert.deepEqual(await tableOf(page), [
      ['Priority', 'Bugs'],
      ...kept.y_values.map((y) => [y, String(kept.counts.find((cell) => cell.y === y)?.bug_count)]),
      ['All', String(kept.bug_count)],
    ])
    await page.goBack()
    await page.getByRole('button', { name: 'New dashboard' }).click()
    await page.getByLabel('Name').fill('Team <b>lamp</b>')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'Team <b>lamp</b>', level: 1 }).waitFor()
    id = Number(page.url().match(/dashboard\/(\d+)/)?.[1])
    await (await tileOf(page, 'Open over time')).getByRole('button', { name: 'Open over time as a table' }).click()
    const { body } = await ada.get('/rest/report/over_time?quicksearch=ALL')
    const last = body.points.at(-1)
    assert.deepEqual((await tableOf(page)).at(-1), [last?.date, String(last?.open), String(last?.closed)])
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('button', { name: 'Add a tile' }).click()
    await page.getByLabel('Report', { exact: true }).selectOption({ label: 'Number of bugs' })
    // A wrong search is refused next to its field, and nothing is saved.
    const searched = page.getByLabel('Which bugs')
    await searched.fill('"lamp')
    await page.getByRole('button', { name: 'Add it' }).click()
    await page.locator('dialog .error').getByText('quicksearch').waitFor()
    await searched.and(page.locator('[aria-invalid=true]:focus')).waitFor()
    assert.equal((await tilesOf()).length, 6)
    await searched.fill('')
    await page.getByRole('button', { name: 'Add it' }).click()
    const number = await tileOf(page, 'Number of bugs')
    // Both tiles are in sight: a page that scrolls while the button is down would drag another one.
    await page.setViewportSize({ width: 1440, height: 1800 })
    await number.getByRole('heading').dragTo(page.getByRole('region', { name: 'Open over time', exact: true }))
    await until(async () => (await tilesOf())[0]?.kind === 'count')
    await expectAccessibleInSoak(page)
    await page.getByRole('button', { name: 'Wall, copy, share, delete' }).click()
    await page.getByRole('menuitem', { name: 'Name and sharing' }).click()
    const offered = await page.locator('.share-groups-list label').allTextContents()
    const isSystem = offered.map((name) => SYSTEM_GROUP_NAMES.some((system) => system === name))
    assert.deepEqual([isSystem[0], isSystem], [false, [...isSystem].sort()])
    await page.getByLabel('Find a group').fill('EDITB')
    assert.deepEqual(await page.locator('.share-groups-list label').allTextContents(), ['editbugs'])
    await page.getByLabel('editbugs', { exact: true }).check()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Shared with editbugs.').waitFor()
    const product = { title: 'By product', kind: 'table', query: 'quicksearch=ALL&y_axis_field=product' }
    const late = { title: 'Late', kind: 'count', query: 'f1=estimated_time&o1=greaterthan&v1=1' }
    const gone = { title: 'Gone', kind: 'over_time', query: 'product=Gone' }
    await ada.put(`/rest/dashboard/${id}`, { tiles: [...(await tilesOf()), product, late, gone] })
    await ada.put('/rest/parameters', { timetrackinggroup: 'admin' })

    const reader = (await at.visit(`/dashboard/${id}`, { as: 'edna' })).page
    const counted = await (await tileOf(reader, 'Number of bugs')).locator('.tile-number').textContent()
    const seen = (await edna.get('/rest/bug?quicksearch=ALL&count_only=1')).body.bug_count
    assert.deepEqual([counted, seen], [String(seen), (last?.open ?? 0) + (last?.closed ?? 0) - 1])
    // A right or a product that is lost is said in its tile, and the others go on.
    const sentence = (title: string, text: string) =>
      reader.getByRole('region', { name: title, exact: true }).getByText(text).waitFor()
    await sentence('Late', 'This tile can no longer be counted. There is no field “estimated_time” to search in.')
    await sentence('Gone', 'There is no product “Gone” that you can see')
    const byProduct = await tileOf(reader, 'By product')
    const saved = reader.waitForEvent('download')
    await byProduct.getByRole('button', { name: 'Save By product as a file' }).click()
    await reader.getByRole('menuitem', { name: 'CSV' }).click()
    assert.equal((await saved).suggestedFilename(), 'By-product.csv')
    // One filter narrows all tiles, their links and files. It is in the address.
    await reader.getByRole('button', { name: 'Filter all tiles' }).click()
    await reader.getByRole('menuitem', { name: 'Product' }).click()
    await reader.getByRole('checkbox', { name: 'TestProduct' }).check()
    assert.equal(await reader.getByRole('checkbox', { name: hidden }).count(), 0)
    await reader.keyboard.press('Escape')
    assert.match(reader.url(), /[?&]product=TestProduct/)
    await reader.getByRole('group', { name: 'Filters of all tiles' }).getByText('TestProduct').waitFor()
    const narrow = (await edna.get('/rest/bug?quicksearch=ALL&product=TestProduct&count_only=1')).body.bug_count
    const filtered = await tileOf(reader, 'Number of bugs')
    await filtered.locator('.tile-number').getByText(String(narrow), { exact: true }).waitFor()
    const link = await filtered.getByRole('link').getAttribute('href')
    assert.equal(new URLSearchParams(link?.split('?')[1]).get('product'), 'TestProduct')
    assert.equal(await reader.getByText(hidden).count(), 0)
    assert.equal(await reader.getByRole('button', { name: 'Edit', exact: true }).count(), 0)
    const stranger = (await at.visit(`/dashboard/${id}`, { as: 'stan' })).page
    await stranger.getByRole('heading', { name: 'This cannot be shown' }).waitFor()
    await moveOn(stranger, '/dashboards')
    await stranger.getByRole('heading', { name: 'No dashboards yet' }).waitFor()
    assert.equal(await stranger.getByText('Kept report').count(), 0)

    await at.leave()
  })

  itInSoak(
    'have tiles that are saved as pictures, filtered by a person, and copied if their reader can count them',
    async () => {
      const { edna } = at.world
      const reader = (await at.visit(`/dashboard/${id}`, { as: 'edna' })).page
      const overTime = await tileOf(reader, 'Open over time')
      for (const kind of ['SVG', 'PNG']) {
        const drawn = reader.waitForEvent('download')
        await overTime.getByRole('button', { name: 'Save Open over time as a file' }).click()
        await reader.getByRole('menuitem', { name: kind }).click()
        const file = await drawn
        assert.equal(file.suggestedFilename(), `Open-over-time.${kind.toLowerCase()}`)
        const begin = readFileSync(await file.path())
          .subarray(0, 8)
          .toString('latin1')
        assert.match(begin, kind === 'SVG' ? /^<(svg|\?xml)/ : /^\x89PNG/)
      }
      await reader.getByRole('button', { name: 'Filter all tiles' }).click()
      await reader.getByRole('menuitem', { name: 'Assignee' }).click()
      await reader.getByRole('combobox', { name: 'Add a person: Assignee' }).fill('edna')
      await reader.getByRole('option', { name: 'Edna' }).click()
      const none = await tileOf(reader, 'Number of bugs')
      await none.locator('.tile-number').getByText('0', { exact: true }).waitFor()
      assert.match(reader.url(), /[?&]assigned_to=edna%40lacewing.test/)
      await reader.getByRole('button', { name: /^Remove Assignee/ }).click()
      // A copy has all tiles but the one that its reader cannot count.
      await reader.getByRole('button', { name: 'Wall, copy, share, delete' }).click()
      await reader.getByRole('menuitem', { name: 'Make a copy of my own' }).click()
      await reader.getByText('This is a copy of your own, without what you cannot count: “Late”.').waitFor()
      const copy = reader.url().match(/dashboard\/(\d+)/)?.[1]
      const copied = (await edna.get(`/rest/dashboard/${copy}`)).body.dashboards[0].tiles
      assert.deepEqual(
        copied,
        (await tilesOf()).filter(({ title }) => title !== 'Late'),
      )
      await at.leave()
    },
  )

  itInSoak(
    'are shared with a group that is found by typing, and paused for one that their owner has left',
    async () => {
      const { ada } = at.world
      const { page } = await at.visit('/dashboards', { as: 'ada' })
      const reader = (await at.visit('/dashboards', { as: 'edna' })).page
      // Of many groups, the one to share a search with is found by typing.
      await moveOn(page, '/bugs?quicksearch=ALL')
      await page.getByRole('button', { name: 'Save, share, CSV' }).click()
      await page.getByRole('menuitem', { name: 'Save, share or mail' }).click()
      await page.getByRole('combobox', { name: 'Share with' }).fill('EDITB')
      await page.getByRole('option', { name: 'editbugs' }).click()
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText('“All bugs” is saved.').waitFor()
      const [shared] = (await ada.get('/rest/saved_search')).body.saved_searches
      assert.deepEqual([shared?.name, shared?.shared_with], ['All bugs', 'editbugs'])
      // The owner reads why a group no longer sees it, and that group sees nothing.
      const { name: teamName } = await at.world.newGroup()
      await ada.put(`/rest/user/${cast.sven.login}`, { groups: { add: [teamName] } })
      const { body: made } = await at.world.sven.post('/rest/dashboard', { name: 'Harbour', shared_with: [teamName] })
      await ada.put(`/rest/user/${cast.edna.login}`, { groups: { add: [teamName] } })
      await moveOn(reader, '/dashboards')
      await reader.getByRole('link', { name: 'Harbour' }).waitFor()
      await ada.put(`/rest/user/${cast.sven.login}`, { groups: { remove: [teamName] } })
      const owner = (await at.visit(`/dashboard/${made.id}`, { as: 'sven' })).page
      const reason = `Paused for ${teamName}: its members do not see this while you are not one of them.`
      await owner.getByText(reason).waitFor()
      await expectAccessibleInSoak(owner)
      await moveOn(owner, '/dashboards')
      await owner.getByText(reason).waitFor()
      await moveOn(reader, `/dashboard/${made.id}`)
      await reader.getByRole('heading', { name: 'This cannot be shown' }).waitFor()
      assert.equal(await reader.getByText('Harbour').count(), 0)
      // The stories that follow expect an account without dashboards.
      const removed = await at.world.sven.delete(`/rest/dashboard/${made.id}`)
      assert.equal(removed.status, 200)
      await at.leave()
    },
  )

  itInSoak('show old series, to which links of chart.cgi lead, to those who may see them', async () => {
    const { ada } = at.world
    const { page } = await at.visit('/dashboards', { as: 'ada' })
    const stranger = (await at.visit('/dashboards', { as: 'stan' })).page
    const series = { category: 'Lamps', subcategory: '<i>All</i>', name: 'Open', query: 'product=TestProduct' }
    const line = (await ada.post('/rest/series', { ...series, frequency: 1 })).body.id
    const counts = ['2026-01-31', '2026-02-07', '2026-02-14'].map((on_day, week) => ({
      series_id: line,
      on_day,
      bug_count: 1200 + week,
    }))
    await at.world.db.query((q) => q.insertInto('series_counts').values(counts))
    const old = `/chart.cgi?action=wrap&line0=${line}&datefrom=2026-02-01`
    await page.goto(`${at.world.url}${old}`)
    const { data } = (await ada.get(`/rest/series/${line}/data?from=2026-02-01`)).body
    assert.deepEqual(await tableOf(page), [
      ['Day', 'Lamps / <i>All</i> / Open'],
      ...data.map(({ date, bug_count }) => [date, bug_count.toLocaleString('en')]),
    ])
    assert.equal(data.length, 2)
    await stranger.goto(`${at.world.url}${old}`)
    await stranger.getByRole('heading', { name: 'This cannot be shown' }).waitFor()
    assert.equal(await stranger.getByText('Lamps').count(), 0)
    await at.leave()
  })

  itInSoak('are put on a dashboard and arranged with keys only on a phone', async () => {
    const { page } = await at.visit('/reports?kind=burn_up&product=TestProduct', { as: 'sven' })
    const press = async (name: string) => {
      await page.getByRole('button', { name, exact: true }).focus()
      await page.keyboard.press('Enter')
    }
    await page.setViewportSize({ width: 390, height: 844 })
    await press('Add to dashboard')
    await page.locator('dialog input:focus').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Pocket')
    await page.keyboard.press('Enter')
    await page.getByText('“Burn-up” is on the dashboard.').waitFor()
    const { body } = await at.world.sven.get('/rest/dashboard')
    const [board] = body.dashboards
    assert.equal(board.name, 'Pocket')
    const address = `/rest/dashboard/${board.id}` as const
    const read = async () => (await at.world.sven.get(address)).body.dashboards[0]
    const { tiles } = await read()
    assert.deepEqual(tiles, [
      { title: 'Burn-up', kind: 'burn_up', chart: 'area', width: 1, query: 'product=TestProduct' },
    ])
    const load = { title: 'Load', kind: 'load', query: 'product=TestProduct' }
    await at.world.sven.put(address, { tiles: [...tiles, load] })
    await moveOn(page, `/dashboard/${board.id}`)
    await tileOf(page, 'Load')
    await press('Edit')
    await press('Later Burn-up')
    await page.getByRole('button', { name: 'Later Burn-up' }).and(page.locator(':focus')).waitFor()
    await press('Wider Burn-up')
    await until(async () => (await read()).tiles[1]?.width === 2)
    assert.deepEqual(
      (await read()).tiles.map(({ title }) => title),
      ['Load', 'Burn-up'],
    )
    assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
    await expectAccessibleInSoak(page)
    // What another window has saved meanwhile is not overwritten.
    await at.world.sven.put(address, { name: 'Renamed' })
    await press('Narrower Burn-up')
    await page.getByText('The dashboard was changed elsewhere meanwhile.').waitFor()
    await page.getByRole('heading', { name: 'Renamed', level: 1 }).waitFor()
    assert.equal((await read()).tiles[1]?.width, 2)
    await press('More')
    await page.getByRole('menuitem', { name: 'Dashboards' }).press('Enter')
    await page.getByRole('link', { name: 'Renamed' }).press('Enter')
    await tileOf(page, 'Load')
    await page.clock.install()
    await page.getByRole('button', { name: 'Wall, copy, share, delete' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Show on a wall' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Leave the wall view' }).waitFor()
    assert.equal(await page.getByRole('banner').count(), 0)
    // Everything is read again each minute.
    await at.world.sven.put(address, { name: 'On the wall', tiles: [{ ...load, title: 'Who has what' }] })
    assert.equal(await page.getByText('On the wall').count(), 0)
    await page.clock.fastForward(61_000)
    await page.getByRole('heading', { name: 'On the wall', level: 1 }).waitFor()
    await tileOf(page, 'Who has what')
    await at.leave()
  })
})
