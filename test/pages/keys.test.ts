import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { Locator, Page, Request } from 'playwright-core'
import { attach } from '../support/attach.ts'
import { describeInBrowser, follow, followsEvents, pagesWorld } from '../support/browser.ts'
import { copyBug } from '../support/bug-rows.ts'
import { cast, PASSWORD } from '../support/cast.ts'
import { fileBug, readBug } from '../support/file-bug.ts'
import { Keyboard, typeText } from '../support/keyboard.ts'
import { isEveryCombination, itInSoak, sampled } from '../support/sample.ts'
import { until } from '../support/until.ts'

interface Keys {
  querySelectorAll(selector: string): Iterable<{ textContent: string }>
}

/** More than one page of a list. */
const NAILS = 105

/** Each frame comes 300 ms late, as on a machine with other work. The order of what waits for one stays the same. */
const SLOW_FRAMES = `
  window.usualFrames = [requestAnimationFrame, cancelAnimationFrame]
  window.requestAnimationFrame = (run) => setTimeout(run, 300)
  window.cancelAnimationFrame = (frame) => clearTimeout(frame)`
const USUAL_FRAMES = '[window.requestAnimationFrame, window.cancelAnimationFrame] = window.usualFrames'

/**
 * Every story without a mouse. They run on PostgreSQL, because the same stories with a mouse run on SQLite.
 * Those in the soak use the widgets of the others, and `list` and `bug` show what they do.
 */
describeInBrowser(
  'the pages with keys only',
  (at) => {
    let page: Page
    let keys: Keyboard
    let [lamp, hinge] = [0, 0]

    before(async () => {
      const { world } = at
      for (const summary of ['Screw 1', 'Screw 2', 'Screw 3', 'Screw 4'])
        await fileBug(world.edna, { summary, whiteboard: '[screws]' })
      const flag = { name: 'needinfo', description: 'Something must be known first.', sortkey: 2, is_question: true }
      await world.ada.post('/rest/flag_type', flag)
      await world.ada.post('/rest/flag_type', { name: 'needinfo-again', description: 'Once more.', sortkey: 1 })
      lamp = await fileBug(world.edna, { summary: 'The lamp stays dark', priority: 'High' })
      hinge = await fileBug(world.edna, { summary: 'The hinge squeaks', priority: 'Low', assigned_to: cast.edna.login })
      page = (await at.visit('/requests')).page
      keys = new Keyboard(page)
    })

    const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
    const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name })
    const row = (text: string | number) => page.getByRole('row').filter({ hasText: String(text) })
    const toast = (words: string | RegExp) => page.locator('.toast').filter({ hasText: words }).waitFor()
    const parameter = (name: string, value: string | null) =>
      page.waitForURL((url) => url.searchParams.get(name) === value)

    it('log in, and are back where they were', async () => {
      await keys.use(page.getByRole('banner').getByRole('link', { name: 'Log in' }))
      await keys.expectFocus(page.getByLabel('Login name'))
      await keys.type(cast.edna.login)
      await keys.tabTo(page.getByLabel('Password'))
      await keys.type(PASSWORD)
      await keys.press('Enter')
      await keys.expectFocus(heading('Requests'))
    })

    it('search with completion, open a bug from the list, and come back to its row', async () => {
      await keys.press('/')
      await keys.type('prio')
      await page.getByRole('option', { name: 'priority:' }).waitFor()
      await keys.press('Tab')
      await keys.type('high')
      await page.getByRole('option', { name: 'Highest', exact: true }).waitFor()
      await keys.press('Tab')
      await until(
        async () => (await page.getByRole('combobox', { name: 'Search bugs' }).inputValue()) === 'priority:High ',
      )
      for (let typed = 0; typed < 'High '.length; typed++) await keys.press('Backspace')
      await keys.type('lo')
      await page.getByRole('option', { name: 'Low', exact: true }).waitFor()
      await keys.press('Tab')
      await keys.type('assignee:edn')
      await page.getByRole('option', { name: /Edna Editor/ }).waitFor()
      await keys.press('Tab', 'Enter')
      await row('The hinge squeaks').waitFor()
      await parameter('quicksearch', `priority:Low assignee:${cast.edna.login}`)
      await keys.press('j')
      await keys.expectFocus(page.getByRole('grid', { name: 'Bugs' }))
      await page.getByRole('complementary', { name: `Preview of bug ${hinge}` }).waitFor()
      // The keys of the page of a bug change the values of the row.
      await keys.press('p')
      await keys.choose('high', 'High')
      await toast('Priority is now High.')
      await keys.expectFocus(page.getByRole('grid', { name: 'Bugs' }))
      if (isEveryCombination) {
        await keys.type('es')
        await keys.choose('minor', 'minor')
        await toast('Severity is now minor.')
        await page.getByRole('button', { name: 'Severity: minor' }).waitFor()
      }
      await keys.press('o')
      await keys.type('ee')
      await keys.choose('in pro', 'In progress')
      await toast('Status is now In progress.')
      await keys.press('z')
      await toast('Status is now Confirmed.')
      await keys.press('p', 'Escape')
      await keys.expectFocus(page.getByRole('grid', { name: 'Bugs' }))
      await keys.press('Control+k')
      const commands = ['Show as a board', 'Group by Severity', 'Sort by Assignee', 'Filter by Product', 'Columns']
      for (const command of sampled(commands, 2)) {
        await keys.type(command.toLowerCase())
        await page.getByRole('option', { name: new RegExp(`^${command}`) }).waitFor()
        await keys.press('Control+a')
      }
      await keys.press('Escape', 'o')
      await keys.tabTo(page.getByRole('textbox', { name: /^Write a comment on bug/ }))
      await keys.type('Oil helps.')
      await keys.press('Enter')
      await keys.type('For a week.')
      await keys.press('Control+Enter')
      await page
        .locator('.preview-comment')
        .filter({ hasText: 'Oil helps.' })
        .filter({ hasText: 'For a week.' })
        .waitFor()
      await keys.press('Escape')
      await keys.expectFocus(page.getByRole('grid', { name: 'Bugs' }))
      const { priority, severity, status } = await readBug(at.world.edna, hinge)
      assert.deepEqual([priority, status], ['High', 'CONFIRMED'])
      if (isEveryCombination) assert.equal(severity, 'minor')
      await keys.press('Enter')
      await keys.expectFocus(heading(/The hinge squeaks/))
      await page.goBack()
      await row('The hinge squeaks').and(page.locator('.is-current')).waitFor()
      await keys.press('/')
      await keys.type('dark')
      await page.getByRole('option', { name: /The lamp stays dark/ }).waitFor()
      await keys.press('ArrowDown', 'Enter')
      await keys.expectFocus(heading(/The lamp stays dark/))
      await keys.press('/')
      await keys.type(String(hinge))
      await keys.press('Enter')
      await keys.expectFocus(heading(/The hinge squeaks/))
    })

    itInSoak('scroll through a long list', async () => {
      const nail = await fileBug(at.world.edna, { summary: 'Nail', whiteboard: '[nails]' })
      const others = Array.from({ length: NAILS - 1 }, (_, number) => `Nail ${number + 2}`)
      await copyBug(at.world, nail, others)
      await page.goto('/bugs?whiteboard=nails&order=bug_id')
      const currentRow = (number: number) =>
        page.locator(`#row-${number}.is-current`).filter({ hasText: 'Nail' }).waitFor()
      await row('Nail').first().waitFor()
      await keys.press('j', 'End')
      await currentRow(NAILS - 1)
      await keys.press('k', 'Home', 'j')
      await currentRow(1)
      await keys.press('PageDown', 'PageUp')
      await currentRow(1)
    })

    itInSoak('sort, filter, choose columns and see what others change', async () => {
      await page.goto('/bugs?whiteboard=screws&order=bug_id')
      await row('Screw').first().waitFor()
      await keys.use(page.getByRole('columnheader', { name: 'Summary' }).getByRole('button'))
      await parameter('order', 'short_desc')
      await keys.tabTo(page.getByRole('columnheader', { name: 'Severity' }).getByRole('button'))
      await keys.press('Shift+Enter')
      await parameter('order', 'short_desc,bug_severity')

      await keys.tabTo(button('Add a filter'), 'Shift+Tab')
      await keys.press('Enter')
      await keys.expectFocus(page.getByRole('menuitem', { name: 'Product' }))
      // A letter leads to an item, and is not a shortcut of the page: `c` would open the form for a new bug.
      await keys.press('c')
      await keys.expectFocus(page.getByRole('menuitem', { name: 'Component' }))
      await keys.press('Home')
      await keys.expectFocus(page.getByRole('menuitem', { name: 'Product' }))
      for (const option of ['Priority', 'Product', 'Priority']) {
        await keys.press('p')
        await keys.expectFocus(page.getByRole('menuitem', { name: option }))
      }
      await keys.press('Enter')
      await keys.expectFocus(page.getByRole('textbox', { name: 'Find a value of Priority' }))
      await keys.type('high')
      await keys.press('Enter')
      await parameter('priority', 'High')
      await keys.press('Escape')
      await keys.expectFocus(button('Add a filter'))
      await keys.tabTo(button('Remove Priority High'), 'Shift+Tab')
      await keys.press('Enter')
      await parameter('priority', null)
      await keys.expectFocus(page.getByRole('group', { name: 'Filters' }).getByRole('button').first())

      await keys.use(button('Columns'))
      await keys.type('version')
      await keys.press('Enter')
      await page.getByRole('columnheader', { name: 'Version' }).waitFor()

      await followsEvents(page)
      const first = await page.locator('#row-0 .cell-id').textContent()
      await at.world.sven.put(`/rest/bug/${first}`, { summary: 'Screw 1 is bent' })
      await row('Screw 1 is bent').waitFor()
    })

    itInSoak('change many bugs, after a preview of what would change', async () => {
      await page.goto('/bugs?whiteboard=screws&order=bug_id')
      await row('Screw').first().waitFor()
      await keys.press('j', 'x', 'j', 'X', 'e')
      // The bar has the same words, and Escape there would clear the selection.
      const preview = page.getByRole('dialog')
      const bar = page.getByRole('toolbar', { name: 'Change the selected bugs' })
      await keys.use(bar.getByRole('button', { name: 'Priority' }))
      await keys.choose('lowe', 'Lowest')
      await keys.expectFocus(bar.getByRole('button', { name: 'Preview 2 changes' }))
      await keys.press('Enter')
      await preview.getByText('→ Lowest').first().waitFor()
      await keys.press('Escape')
      await keys.expectFocus(bar.getByRole('button', { name: 'Preview 2 changes' }))
      await keys.press('Enter')
      await preview.getByText('→ Lowest').first().waitFor()
      await keys.use(button('Change 2 bugs'))
      await toast('2 bugs are changed.')
      await keys.expectFocus(page.getByRole('grid', { name: 'Bugs' }))
      const { body } = await at.world.edna.get('/rest/bug?whiteboard=screws&priority=Lowest&count_only=1')
      assert.equal(body.bug_count, 2)
    })

    itInSoak('build a search with a bracket, run it, save it, and share it', async () => {
      await keys.use(page.getByRole('link', { name: 'Advanced' }))
      const builder = page.locator('.builder')
      const bracket = builder.getByRole('group', { name: 'Bracket' })
      const control = (role: 'combobox' | 'textbox', name: string, at = 0) => bracket.getByRole(role, { name }).nth(at)
      await keys.tabTo(builder.getByRole('combobox', { name: 'Field' }))
      await keys.type('Summary')
      await keys.tabTo(builder.getByRole('textbox', { name: 'Value' }))
      await keys.type('Screw')
      await keys.use(builder.getByRole('button', { name: 'Bracket', exact: true }))
      await keys.expectFocus(bracket.getByRole('combobox', { name: 'Bugs for which' }))
      await keys.tabTo(control('combobox', 'Field'))
      await keys.type('Priority')
      await keys.tabTo(control('combobox', 'Value'))
      await keys.choose('lowe', 'Lowest')
      await keys.tabTo(control('combobox', 'Field', 1))
      await keys.type('Summary')
      await keys.tabTo(control('textbox', 'Value'))
      await keys.type('Screw 4')
      await keys.use(bracket.getByRole('button', { name: 'Condition', exact: true }))
      await keys.expectFocus(control('combobox', 'Field', 2))
      // A part that is removed leaves the others as they are, and the focus beside them.
      await keys.tabTo(bracket.getByRole('button', { name: 'Remove the condition' }).last())
      await keys.press('Enter')
      await keys.expectFocus(bracket.getByRole('button', { name: 'Condition', exact: true }))
      await page
        .getByText('Bugs with: Summary contains Screw and (Priority is Lowest or Summary contains Screw 4)')
        .waitFor()
      await keys.use(button('Search'))
      await row('Screw 4').waitFor()
      assert.equal(await page.locator('.bug-table-row').count(), 3)
      await keys.tabTo(button('Save, share, CSV, Atom, calendar'))
      await keys.press('Enter', 'Enter')
      await keys.tabTo(page.getByLabel('Name'))
      await keys.press('Control+a')
      await keys.type('Low screws')
      await keys.tabTo(page.getByLabel('Share with'))
      await keys.type('editb')
      await keys.use(button('Save'))
      await toast('“Low screws” is saved.')
      await keys.expectFocus(button('Save, share, CSV, Atom, calendar'))
      const { saved_searches: saved } = (await at.world.sven.get('/rest/saved_search')).body
      assert.deepEqual([saved[0].name, saved[0].shared_with], ['Low screws', 'editbugs'])
      await page.goto('/bugs?savedsearch=Low+screws')
      // The list is drawn again when the order of the search is known.
      await parameter('order', 'bug_id')
      await row('Screw 4').waitFor()
      await until(async () => (await page.locator('.bug-table-row').count()) === 3)
    })

    itInSoak('move a card of a board, with what the workflow asks for', async () => {
      await page.goto(`/bugs?id=${hinge}&view=board`)
      const column = (name: string) => page.getByRole('region', { name, exact: true })
      const card = (name: string) => column(name).getByRole('button', { name: `Move ${hinge}` })
      await keys.tabTo(card('Confirmed'))
      await keys.press('Space', 'ArrowRight', 'Space')
      await keys.expectFocus(card('In progress'))
      await keys.press('Space', 'ArrowRight', 'Escape')
      await keys.expectFocus(card('In progress'))
      await keys.press('Space', 'ArrowRight', 'Enter')
      await keys.tabTo(page.getByLabel('Resolution'))
      await keys.type('wont')
      await keys.use(button('Set Resolved'))
      await keys.expectFocus(card('Resolved'))
      const { status, resolution } = await readBug(at.world.edna, hinge)
      assert.deepEqual([status, resolution], ['RESOLVED', 'WONTFIX'])
    })

    it('change the fields of a bug, undo, and reply with a status and a request', async () => {
      const id = await fileBug(at.world.edna, { summary: 'The bell is hoarse' })
      await attach(at.world.edna, id, { summary: 'The sound', file_name: 'bell.txt' })
      await follow(page, `/bug/${id}`)
      await heading(/The bell is hoarse/).waitFor()
      await button(/^Priority:/).waitFor()
      await keys.press('e', 'a')
      await keys.choose('sven', /Sven Security/)
      await toast('Assignee is now Sven Security.')
      await keys.expectFocus(button(/^Assignee:/))
      // “Highest” is before “High” in the list, and begins with the same letters.
      await keys.type('ep')
      await keys.choose('high', 'High')
      await toast('Priority is now High.')
      await keys.type('ew[bells]')
      await keys.press('Enter')
      await toast('Whiteboard is now [bells].')
      await keys.press('z')
      await toast('Whiteboard is now none.')

      await keys.use(page.getByRole('figure').getByRole('button', { name: 'Details' }))
      await keys.tabTo(page.getByRole('figure').getByLabel('Summary'))
      await keys.press('Control+a')
      await keys.type('The sound of the bell')
      await keys.press('Enter')
      await toast('The summary is changed.')

      const ask = page.getByRole('complementary', { name: 'Fields' }).getByRole('button', { name: 'Ask for something' })
      await keys.use(ask)
      await keys.expectFocus(page.getByRole('combobox', { name: 'What to ask for' }))
      await keys.press('Escape')
      await keys.expectFocus(ask)

      // Without a pause: what follows the key is not lost, and is no shortcut.
      await keys.type('rIt rings again.')
      await keys.expectFocus(page.getByRole('textbox', { name: 'Comment' }))
      await keys.use(button('Status to set'))
      await keys.type('in')
      await keys.press('Enter')
      await keys.expectFocus(page.getByRole('textbox', { name: 'Comment' }))
      await keys.use(button('Request'))
      await keys.choose('needinfo', /^needinfo S/)
      await keys.choose('sven', /Sven Security/)
      await keys.expectFocus(button('Request'))
      await keys.use(button('Hours'))
      await keys.expectFocus(page.getByRole('spinbutton', { name: 'Hours' }))
      await keys.press('Escape')
      await keys.expectFocus(button('Hours'))
      await button('Comment, set to in progress and ask').waitFor()
      // From anywhere in the composer.
      await keys.press('Control+Enter')
      await page.locator('.comment').filter({ hasText: 'It rings again.' }).waitFor()
      const bug = await readBug(at.world.edna, id)
      assert.deepEqual(
        [bug.assigned_to, bug.whiteboard, bug.status, bug.flags[0].requestee],
        [cast.sven.login, '', 'IN_PROGRESS', cast.sven.login],
      )

      if (!isEveryCombination) return
      // The bug as it was, by the menu of actions and the slider.
      await keys.press('.')
      await keys.type('as')
      await keys.press('Enter')
      await keys.tabTo(page.getByRole('slider', { name: 'Moment of its history' }))
      await keys.press('End')
      await button('Status: In progress').waitFor({ state: 'detached' })
      await page.getByText('Sven Security').first().waitFor()
      await keys.press('Home')
      await page.locator('.bug-facts').getByText('Sven Security').waitFor({ state: 'detached' })
      await keys.tabTo(button('Back to today'), 'Shift+Tab')
      await keys.press('Enter')
      await button('Status: In progress').waitFor()
    })

    itInSoak('leave every field as it was with Escape, and go on where they were', async () => {
      const [first, second] = ['The door is loose', 'The door is open']
      const id = await fileBug(at.world.edna, { summary: first, whiteboard: '' })
      await at.world.edna.post(`/rest/bug/${id}/comment`, { comment: second })
      const sent: string[] = []
      const note = (request: Request) => {
        const isReading = request.method() === 'GET' || /last_visit|presence/.test(request.url())
        if (!isReading) sent.push(`${request.method()} ${request.url()}`)
      }
      await follow(page, `/bug/${id}`)
      await heading(first).waitFor()
      await button(/^Priority:/).waitFor()
      page.on('request', note)
      // What a menu of a comment has is in the palette, for the comment that one is at.
      await page.locator('#c1').focus()
      await keys.press('Control+k')
      for (const command of sampled(['Reply', 'Copy link', 'Copy text', 'Fold', 'Tag'], 2)) {
        await keys.type(`${command}: `)
        await page.getByRole('option', { name: `${command}: comment 1`, exact: true }).waitFor()
        assert.equal(await page.getByRole('option', { name: 'comment 0' }).count(), 0)
        await keys.press('Control+a')
      }
      await keys.choose('tag: comment', /^Tag: comment 1/)
      await keys.expectFocus(page.getByRole('combobox', { name: 'Tag of comment 1' }))
      await keys.press('Escape')
      await page.locator('#c1').focus()

      const fields = ['p', 's', 'a', 'm', 'ec', 'ev', 'ek', 'ed', 'eb', 'el', 'eg', 'et', 'ew', 'eu', 'ee', '.']
      for (const keysOfField of sampled(fields, 4, 3)) {
        await page.locator('#c1').focus()
        for (const key of keysOfField) await page.keyboard.press(key)
        await page.locator('#c1:not(:focus)').waitFor()
        if (/^e[tuw]/.test(keysOfField)) await typeText(page, ' half a thought')
        await page.keyboard.press('Escape')
        await keys.expectFocus(page.locator('#c1'))
      }
      await keys.type('ew[half]')
      await keys.press('Escape')
      await toast('Whiteboard stays as it was.')
      await page.getByRole('button', { name: 'Edit again' }).click()
      await keys.expectFocus(page.getByRole('textbox', { name: 'Whiteboard' }))
      assert.equal(await page.getByRole('textbox', { name: 'Whiteboard' }).inputValue(), '[half]')
      await keys.press('Escape')
      // Without a place that it came from, the focus returns to the button.
      await button('Whiteboard').click()
      await keys.press('Escape')
      await keys.expectFocus(button('Whiteboard'))
      // Also where frames are slow, and an older loss of the focus is still to be looked at.
      await page.evaluate(SLOW_FRAMES)
      await button('Whiteboard').click()
      await new Promise((resolve) => setTimeout(resolve, 150))
      await keys.press('Escape')
      await keys.expectFocus(button('Whiteboard'))
      await page.evaluate(USUAL_FRAMES)

      await follow(page, `/bugs?id=${id}`)
      await row(first).waitFor()
      await keys.press('j')
      const preview = page.getByRole('complementary', { name: `Preview of bug ${id}` })
      await preview.waitFor()
      const [grid, link] = [page.getByRole('grid', { name: 'Bugs' }), preview.getByRole('link').first()]
      const fieldsOfRow = ['p', 's', 'a', 'm', 'ee', 'ec', 'ev', 'ek', 'et']
      for (const place of [grid, link]) {
        for (const keysOfField of sampled(fieldsOfRow, 4)) {
          await place.focus()
          for (const key of keysOfField) await page.keyboard.press(key)
          await keys.expectFocus(page.locator('.preview input, .row-popup input'))
          if (keysOfField === 'et') await typeText(page, ' half a thought')
          await page.keyboard.press('Escape')
          await keys.expectFocus(place)
        }
        await toast('Summary stays as it was.')
      }
      // Without a preview the field stands at the row.
      await grid.focus()
      await keys.press('o')
      await preview.waitFor({ state: 'detached' })
      for (const keysOfField of sampled(fieldsOfRow, 3)) {
        for (const key of keysOfField) await page.keyboard.press(key)
        await keys.expectFocus(page.locator('.row-popup input'))
        await page.keyboard.press('Escape')
        await keys.expectFocus(grid)
      }
      assert.deepEqual(sent, [])
      // Leaving the field saves, as on the page of the bug.
      await keys.type('et!')
      await page.locator('.row-popup input').blur()
      await toast(`Summary is now ${first}!`)
      await keys.press('o')
      page.off('request', note)
    })

    itInSoak('read the history, and follow dependencies in the tree and in the graph', async () => {
      const id = await fileBug(at.world.edna, { summary: 'The clock stops', depends_on: [lamp] })
      await at.world.edna.put(`/rest/bug/${id}`, { priority: 'Low' })
      const act = (...letters: string[]) => keys.press('.', ...letters, 'Enter')
      await page.goto(`/bug/${id}`)
      await button(/^Priority:/).waitFor()
      await act('h')
      await page.getByRole('row', { name: /Edna.*Priority.*Low/ }).waitFor()
      await keys.tabTo(page.getByRole('region', { name: 'History' }))
      await act('d')
      await keys.use(page.locator('.tree').getByRole('link', { name: String(lamp) }))
      await keys.expectFocus(heading(/The lamp stays dark/))
      await act('d', 'd')
      await keys.tabTo(page.getByRole('region', { name: 'Dependency graph' }))
      await keys.use(page.locator('.graph-bug').filter({ hasText: 'The clock stops' }))
      await keys.expectFocus(heading(/The clock stops/))
      await page.goBack()
      await keys.tabTo(page.getByRole('link', { name: 'Back to the bug' }))
      await keys.press('Enter')
      await button(/^Priority:/).waitFor()
    })

    it('file a bug, and find the one that is there already', async () => {
      await keys.press('c')
      const [product, component] = ['Product', 'Component'].map((name) => page.getByRole('combobox', { name }))
      await keys.expectFocus(product as Locator)
      await keys.choose('TestP', /TestProduct/)
      await keys.expectFocus(product as Locator)
      await keys.tabTo(component as Locator)
      await keys.choose('Test', /TestComponent/)
      await keys.expectFocus(component as Locator)
      await keys.tabTo(page.getByLabel(/^Summary/))
      await keys.type('The lamp stays dark at night')
      await keys.use(
        page
          .getByRole('listitem')
          .filter({ hasText: String(lamp) })
          .getByRole('button', { name: /^This one/ }),
      )
      await toast(`You follow bug ${lamp}.`)
      assert.deepEqual((await readBug(at.world.edna, lamp)).cc, [cast.edna.login])
      await keys.tabTo(page.getByLabel('Description', { exact: true }), 'Shift+Tab')
      await keys.type('Only at night.')
      await keys.press('Control+Enter')
      await keys.expectFocus(heading(/The lamp stays dark at night/))
    })

    itInSoak('go everywhere by name, and change settings', async () => {
      // The frequent fields have the same keys as in a list, and Escape leads out of what is written.
      await button(/^Priority:/).waitFor()
      await keys.press('p')
      await keys.expectFocus(page.getByRole('combobox', { name: 'Priority' }))
      await keys.press('Escape', 'r')
      await keys.expectFocus(page.getByRole('textbox', { name: 'Comment' }))
      await keys.press('Escape')
      await keys.expectFocus(page.locator('#c0'))
      await keys.press('Control+k')
      await page.getByRole('option').first().waitFor()
      // Enter must not do by surprise what cannot be undone.
      assert.notEqual(await page.getByRole('option', { selected: true }).textContent(), 'Log out')
      await keys.press('Tab', 'Shift+Tab')
      await keys.expectFocus(page.getByRole('combobox', { name: 'Go to, or do' }))
      // A modal one would have the style of all elements computed.
      assert.equal(await page.locator('dialog:modal').count(), 0)
      await keys.press('Escape')
      await keys.expectFocus(page.locator('#c0'))
      await keys.press('Control+k')
      await keys.choose('edit the wh', /^Edit the whiteboard/)
      await keys.expectFocus(page.getByRole('textbox', { name: 'Whiteboard' }))
      await keys.press('Escape', '?')
      const dialog = page.getByRole('dialog', { name: 'Keys' })
      await dialog.getByText('Go home').waitFor()
      const names = await dialog
        .locator('tr')
        .evaluateAll((rows) =>
          rows.map((row) =>
            [...(row as unknown as Keys).querySelectorAll('kbd')].map((it) => it.textContent).join(' '),
          ),
        )
      const letters = names.filter((name) => /^[A-Z]( |$)/.test(name))
      assert.deepEqual(letters, letters.toSorted())
      assert.ok(names.includes('Ctrl K') && names.includes('P E P'), names.join(', '))
      await keys.press('Escape', 'Control+k')
      const finds = async (text: string, option: RegExp) => {
        await keys.type(text)
        await page.getByRole('option', { name: option }).waitFor()
        await keys.press('Control+a')
      }
      await finds('testpro', /^TestProduct product/)
      await finds('testcomp', /^TestComponent component of TestProduct/)
      await finds('sven', /^Sven Security/)
      await finds('second fac', /^Second factors/)
      await finds('clo', /^Clone/)
      await finds('write a', /^Write a comment/)
      await finds('attach a', /^Attach a file/)
      await finds('follow', /^Follow/)
      await finds('ask for', /^Ask for something/)
      await finds('what acts', /^What acts for me/)
      await finds('coming', /^Coming from Bugzilla/)
      await finds('log o', /^Log out/)
      await keys.choose('settings', /^Settings/)
      await keys.expectFocus(heading('Account'))
      await keys.tabTo(page.getByLabel('Colours'))
      await keys.type('dark')
      await page.locator('html[data-theme=dark]').waitFor({ state: 'attached' })
      await keys.tabTo(page.getByLabel('Real name'))
      await keys.press('Control+a')
      await keys.type('Edna E. Editor')
      await keys.use(button('Save the name'))
      await toast('Your name is changed.')
    })

    it('go round every page with Tab, and always see where they are', async () => {
      const skip = page.getByRole('link', { name: 'Skip to the content' })
      const addresses = [
        '/',
        `/bug/${lamp}`,
        '/bugs?whiteboard=screws',
        `/bugs?id=${lamp}&view=board`,
        '/file',
        '/settings',
      ]
      for (const address of sampled(addresses, 6, 4)) {
        await page.goto(address)
        await page.locator('main h1').waitFor()
        await keys.press('Tab')
        await keys.expectFocus(skip)
        await keys.press('Enter', 'Tab')
        assert.ok(await page.evaluate("document.activeElement.closest('#main') !== null"), `${address}: past the bar`)
        const stops = await keys.tabToEnd()
        assert.ok(stops > 5, `${address}: ${stops} stops from the content to the end of the page`)
      }
    })
  },
  pagesWorld('postgres'),
)
