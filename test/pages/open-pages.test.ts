import assert from 'node:assert/strict'
import { afterEach, before, it } from 'node:test'
import type { Page } from 'playwright-core'
import { expectAccessible } from '../support/accessibility.ts'
import { describeInBrowser, follow, followsEvents, pagesWorld } from '../support/browser.ts'
import { cast, PASSWORD } from '../support/cast.ts'
import { readComments } from '../support/discussion.ts'
import { fileBug, readBug } from '../support/file-bug.ts'
import { keptFiles } from '../support/kept-files.ts'
import { itInSoak } from '../support/sample.ts'
import { until } from '../support/until.ts'

const SILENT = 'The server does not answer.'

/** What depends on the server: versions, idempotency and events. Other tests of pages run on SQLite, so these run on PostgreSQL. */
describeInBrowser(
  'pages that stay open while others change a bug, and while the server or the session ends',
  (at) => {
    before(async () => {
      const { ada } = at.world
      await ada.post('/rest/flag_type', {
        name: 'needinfo',
        description: 'Something must be known first.',
        is_question: true,
      })
      const colours = {
        name: 'colours',
        display_name: 'Colours',
        type: 'multi select',
        values: ['red', 'green', 'blue'],
      }
      await ada.post('/rest/field/bug', colours)
    })
    afterEach(() => at.leave())

    const toast = (page: Page, words: string | RegExp) => page.locator('.toast').filter({ hasText: words }).waitFor()
    const comment = (page: Page) => page.getByRole('textbox', { name: 'Comment' })
    /** The page of a bug that does not hear of what others do, as when the connection was away. */
    const deafPage = async (id: number) => {
      const { page } = await at.visit(`/bug/${id}`, {
        as: 'edna',
        prepare: (it) => it.route('**/rest/event*', (route) => route.abort()),
      })
      await page.getByRole('button', { name: /^Priority:/ }).waitFor()
      return page
    }

    const row = (page: Page, text: string) => page.locator('.bug-table-row').filter({ hasText: text })
    const heading = (page: Page, text: string) => page.getByRole('heading', { level: 1, name: new RegExp(text) })
    const bothAs = async (id: number) => {
      const list = await at.visit('/bugs?product=TestProduct&order=bug_id', { as: 'edna' })
      const bug = await at.visit(`/bug/${id}`, { as: 'edna' })
      await row(list.page, String(id)).waitFor()
      await Promise.all([list, bug].map(({ page }) => followsEvents(page)))
      return [list, bug] as const
    }

    it('shows both statuses when two users change it, in place and in the composer', async () => {
      const { edna, sven } = at.world
      const id = await fileBug(edna)
      const page = await deafPage(id)
      await sven.put(`/rest/bug/${id}`, { status: 'RESOLVED', resolution: 'WONTFIX', severity: 'minor' })
      await page.getByRole('button', { name: 'Status: Confirmed' }).click()
      await page.getByRole('menuitem', { name: 'In progress' }).click()
      await page.getByText('Sven Security set Resolved, wontfix, you chose In progress.').waitFor()
      assert.equal((await readBug(edna, id)).status, 'RESOLVED')
      await page.getByRole('button', { name: 'Keep Resolved, wontfix' }).click()
      await page.getByRole('button', { name: 'Status: Resolved, wontfix' }).waitFor()

      await comment(page).fill('It is back.')
      await page.getByRole('button', { name: 'Status to set' }).click()
      await page.getByRole('menuitem', { name: 'Unconfirmed' }).click()
      await sven.put(`/rest/bug/${id}`, { status: 'VERIFIED' })
      await comment(page).press('Control+Enter')
      await page.getByText('Sven Security set Verified, wontfix, you chose Unconfirmed.').waitFor()
      assert.equal(await comment(page).inputValue(), 'It is back.')
      await page.getByRole('button', { name: 'Set Unconfirmed' }).click()
      await comment(page).press('Control+Enter')
      await page.locator('#c1').getByText('It is back.').waitFor()
      const { status, severity } = await readBug(edna, id)
      assert.deepEqual([status, severity], ['UNCONFIRMED', 'minor'])
    })

    itInSoak('keeps what two users add to the same custom field', async () => {
      const { edna, sven } = at.world
      const id = await fileBug(edna, { cf_colours: ['red'] })
      const page = await deafPage(id)
      await page.getByRole('button', { name: 'Change Colours' }).click()
      await sven.put(`/rest/bug/${id}`, { cf_colours: ['red', 'green'] })
      await page.getByRole('combobox', { name: 'Add to Colours' }).fill('blue')
      await page.keyboard.press('Enter')
      await toast(page, 'Colours: + blue')
      assert.deepEqual([(await readBug(edna, id)).cf_colours].flat().toSorted(), ['blue', 'green', 'red'])
      await page.getByRole('button', { name: 'Remove red' }).click()
      await toast(page, 'Colours: − red')
      assert.deepEqual([(await readBug(edna, id)).cf_colours].flat().toSorted(), ['blue', 'green'])
    })

    itInSoak('attaches a file once when the answer is lost, and keeps all that goes with a comment', async () => {
      const { edna } = at.world
      const id = await fileBug(edna)
      const { page } = await at.visit(`/bug/${id}`, { as: 'edna' })
      await comment(page).fill('The log, please look')
      await page.getByRole('button', { name: 'Request', exact: true }).click()
      await page.getByRole('option', { name: /^needinfo/ }).click()
      await page.getByRole('combobox', { name: 'Of whom to ask needinfo' }).fill('sven')
      await page.getByRole('option', { name: /Sven Security/ }).click()
      await page.getByRole('button', { name: 'Status to set' }).click()
      await page.getByRole('menuitem', { name: 'In progress' }).click()
      const file = { name: 'lamp.log', mimeType: 'text/plain', buffer: Buffer.from('dark\n') }
      await page.getByLabel('Files to attach').setInputFiles(file)
      await page.getByRole('button', { name: 'Comment, attach, set to in progress and ask' }).waitFor()
      await until(async () => (await keptFiles(page)).includes('lamp.log'))
      await page.reload()
      await page.getByRole('button', { name: 'Do not attach lamp.log' }).waitFor()
      assert.equal(await comment(page).inputValue(), 'The log, please look')
      let isLost = true
      await page.route('**/attachment', async (route) => {
        if (!isLost) return route.continue()
        isLost = false
        await route.fetch()
        await route.abort()
      })
      await comment(page).press('Control+Enter')
      await toast(page, 'Not sent. The server does not answer. Your text is kept.')
      await page.getByRole('button', { name: 'Comment, attach, set to in progress and ask' }).click()
      await page.locator('.comment').getByText('The log, please look').waitFor()
      const { body } = await edna.get(`/rest/bug/${id}/attachment?include_fields=file_name`)
      assert.deepEqual(body.bugs[id], [{ file_name: 'lamp.log' }])
      const { status, flags } = await readBug(edna, id)
      assert.deepEqual([status, flags.map((flag) => flag.requestee)], ['IN_PROGRESS', [cast.sven.login]])
      await page.reload()
      await page.getByRole('button', { name: 'Status: In progress' }).waitFor()
      assert.equal(await comment(page).inputValue(), '')
    })

    itInSoak('counts what is asked of the reader in the bar at the top, as it happens', async () => {
      const { ada, edna } = at.world
      const id = await fileBug(edna, { summary: 'Whose lamp is it?' })
      const launch = { name: 'launch', description: 'It may be launched.', grant_group: 'security' }
      await ada.post('/rest/flag_type', launch)
      const other = await fileBug(edna, { summary: 'May the lamp go up?' })
      await edna.put(`/rest/bug/${other}`, { flags: [{ name: 'launch', status: '?', new: true }] })
      const { page } = await at.visit('/requests', { as: 'rhea' })
      await page.getByText('Nothing is asked of you.').waitFor()
      await followsEvents(page)
      const bar = page.getByRole('navigation', { name: 'Main', exact: true })
      assert.equal(await bar.getByText('unread').count(), 0)
      await edna.put(`/rest/bug/${id}`, {
        flags: [{ name: 'needinfo', status: '?', requestee: cast.rhea.login, new: true }],
        comment: { body: 'Rhea, is it yours?' },
      })
      await bar.getByText('1 unread').waitFor()
      const request = (flag: string) => page.getByRole('listitem').filter({ hasText: flag })
      await request('needinfo?').getByRole('button', { name: 'Answer' }).waitFor()
      await request('launch?').waitFor()
      assert.equal(await request('launch?').getByRole('button').count(), 0)
      await follow(page, '/')
      await page.getByText('“Rhea, is it yours?”').waitFor()
      await page.getByText('Edna Editor asks for').or(page.getByText('Edna Editor')).first().waitFor()
      await page.getByRole('button', { name: 'Pass on' }).waitFor()
      assert.equal(await page.getByRole('button', { name: 'Grant' }).count(), 0)
      await page.getByRole('button', { name: 'Answer' }).click()
      await page.getByRole('textbox', { name: `Answer to needinfo on bug ${id}` }).fill('It is mine.')
      await page.keyboard.press('Control+Enter')
      await page.getByText('When a user asks you for a review or an answer, it is listed here.').waitFor()
      assert.equal((await readComments(edna, id)).at(-1).text, 'It is mine.')
      assert.deepEqual((await readBug(edna, id)).flags, [])
    })

    itInSoak(
      'defers a request, answers another beside a list, and says who is away, also on a phone and in the dark',
      async () => {
        const { edna, rhea } = at.world
        const asks = (summary: string) => ({ summary, needinfo_from: cast.rhea.login })
        const [first, second] = [
          await fileBug(edna, asks('Where is the fuse?')),
          await fileBug(edna, asks('Which fuse?')),
        ]
        for (const look of [{}, { isPhone: true, isDark: true }]) {
          const { page } = await at.visit('/requests', { as: 'rhea', ...look })
          await page.getByRole('button', { name: `Defer needinfo on bug ${first}` }).focus()
          await page.keyboard.press('Enter')
          await page.keyboard.press('ArrowDown')
          await page.keyboard.press('Enter')
          await toast(page, /You are not reminded of needinfo before/)
          await expectAccessible(page)
        }
        const { requests } = (await rhea.get('/rest/request')).body
        assert.ok(requests.find(({ bug_id }) => bug_id === first)?.deferred_until)

        const { page: list } = await at.visit('/bugs?product=TestProduct&order=bug_id', { as: 'rhea' })
        await row(list, 'Which fuse?').click()
        await list.getByRole('textbox', { name: `Write a comment on bug ${second}` }).fill('The left one.')
        await list
          .getByRole('checkbox', { name: /^Answers needinfo\? of you/ })
          .and(list.locator(':checked'))
          .waitFor()
        await list.getByRole('button', { name: /^Answer/ }).click()
        await until(async () => (await readBug(edna, second)).flags.length === 0)

        const hour = 3_600_000
        const [from, back] = [Date.now() - hour, Date.now() + 72 * hour].map((time) => new Date(time).toISOString())
        await rhea.post('/rest/absence', { from, until: back })
        const { page } = await at.visit(`/bug/${first}`, { as: 'edna', isDark: true })
        await page.getByText(/^away until/).waitFor()
        await expectAccessible(page)
      },
    )

    it('says that the server does not answer, keeps what is there, and catches up when the server answers again', async () => {
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

    itInSoak('asks to log in again when the session has ended, and goes on with the rights of the reader', async () => {
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
  },
  pagesWorld('postgres'),
)
