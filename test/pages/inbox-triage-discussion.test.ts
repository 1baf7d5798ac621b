import assert from 'node:assert/strict'
import { afterEach, before } from 'node:test'
import type { Page } from 'playwright-core'
import { expectAccessibleInBothThemes } from '../support/accessibility.ts'
import { describeInBrowser, follow } from '../support/browser.ts'
import { cast } from '../support/cast.ts'
import { readComments, say } from '../support/discussion.ts'
import { fileBug, readBug } from '../support/file-bug.ts'
import { settled, walkWithTab } from '../support/key-walk.ts'
import { hostileEffects, widerThanWindow } from '../support/page-looks.ts'
import { describeInSoak, itInSoak } from '../support/sample.ts'
import { until } from '../support/until.ts'

const HOSTILE = '<b onclick="window.isOwned=1">\u202egate'
const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 860 }
const TRIAGED = 10

/** What other files show in parts is done here from begin to end: with keys only, on a phone, in both themes, with hostile texts. */
describeInSoak('inbox, triage and discussion', () =>
  describeInBrowser('as a whole', (at) => {
    let talk: number
    before(async () => {
      const { ada, edna, rhea, sven } = at.world
      await ada.put('/rest/product/TestProduct', { votesperuser: 3 })
      await ada.post('/rest/canned_reply', { product: 'TestProduct', name: '<b onclick=1>odd</b>', text: HOSTILE })
      await ada.post('/rest/canned_reply', {
        product: 'TestProduct',
        name: 'Needs a log',
        text: 'Please attach the log.',
      })
      await ada.post('/rest/flag_type', {
        name: 'needinfo',
        description: 'Waits for an answer',
        inclusions: ['TestProduct'],
        is_question: true,
      })
      talk = await fileBug(rhea, { summary: HOSTILE, assigned_to: cast.edna.login })
      for (let count = 1; count < 7; count++) await say(count % 2 ? edna : rhea, talk, `${count} ${HOSTILE}`)
      await sven.put(`/rest/bug/${talk}`, {
        flags: [{ name: 'needinfo', status: '?', requestee: cast.edna.login, new: true }],
      })
      for (let count = 0; count < 3; count++)
        await fileBug(rhea, { summary: `${count} ${HOSTILE}`, assigned_to: cast.edna.login, cc: [cast.edna.login] })
      const queue = { name: 'Hostile', query: `creator=${cast.rhea.login}&resolution=---`, group: 'editbugs' }
      const people = [cast.edna.login, cast.sven.login]
      await ada.post('/rest/rotation', { name: 'Weeks', users: people, period: 'week', time_zone: 'UTC' })
      await ada.post('/rest/triage', { ...queue, rotation: 'Weeks' })
    })
    afterEach(() => at.leave())

    const places = () => ['/inbox', '/triage', '/triage/Hostile', `/bug/${talk}`, '/requests', '/product/TestProduct']

    itInSoak('fits a phone, has no violation of axe in both themes, and hostile texts do nothing', async () => {
      const { page } = await at.visit('/help', { as: 'edna' })
      const found: string[] = []
      for (const address of places()) {
        for (const size of [DESKTOP, PHONE]) {
          await page.setViewportSize(size)
          await follow(page, address)
          await settled(page)
          for (const fault of [...(await widerThanWindow(page)), ...(await hostileEffects(page))])
            found.push(`${address}, ${size.width} pixels: ${fault}`)
          await expectAccessibleInBothThemes(page).catch((fault) => found.push(`${address}: ${fault.message}`))
        }
      }
      assert.deepEqual(found, [])
    })

    itInSoak('shows the focus at each stop, and has nothing that only a mouse reaches', async () => {
      const { page } = await at.visit('/help', { as: 'edna' })
      const found: string[] = []
      for (const address of places()) {
        for (const size of [DESKTOP, PHONE]) {
          await page.setViewportSize(size)
          await follow(page, address)
          await settled(page)
          for (const fault of await walkWithTab(page)) found.push(`${address}, ${size.width} pixels: ${fault}`)
        }
      }
      assert.deepEqual(found, [])
    })

    itInSoak('makes a rotation and a queue with completion, and triages ten bugs with keys only', async () => {
      const { ada, edna } = at.world
      const file = (summary: string, more: object = {}) =>
        fileBug(edna, { summary, whiteboard: '[harbour]', status: 'CONFIRMED', ...more })
      for (const count of ['first', 'second']) {
        const known = await fileBug(edna, { summary: `Lighthouse blinks wrongly, ${count} report`, priority: 'High' })
        assert.ok(known > 0)
      }
      const bugs: number[] = []
      for (let count = 0; count < TRIAGED - 1; count++)
        bugs.push(await file(`Crane ${'abcdefghi'[count]}${count} squeaks`))
      bugs.push(await file('Lighthouse blinks wrongly at night'))
      await ada.post('/rest/saved_search', { name: 'Harbour', query: 'whiteboard=[harbour]&resolution=---' })
      const { page } = await at.visit('/triage', { as: 'ada' })
      const keys = keysOf(page)
      await page.getByRole('button', { name: 'New rotation…' }).press('Enter')
      await keys.type('Harbour turns')
      await page.keyboard.press('Tab')
      for (const login of [cast.edna.login, cast.sven.login]) {
        await keys.type(login)
        await page.getByRole('option', { name: new RegExp(login) }).waitFor()
        await page.keyboard.press('Enter')
        await page.getByRole('button', { name: `Remove ${login}` }).waitFor()
      }
      await page.getByRole('button', { name: 'Save the rotation' }).press('Enter')
      await page.getByText('The rotation “Harbour turns” is saved.').waitFor()
      const turns = (await ada.get('/rest/rotation/Harbour turns')).body.rotations[0]
      assert.deepEqual(
        turns?.users.map(({ name }) => name),
        [cast.edna.login, cast.sven.login],
      )

      await page.getByRole('button', { name: 'New queue…' }).press('Enter')
      await keys.type('Harbour')
      await page.keyboard.press('Tab')
      await keys.type('Harb')
      await page.getByRole('option', { name: /^Harbour/ }).waitFor()
      await page.keyboard.press('Enter')
      await keys.until('Group whose members work in it')
      await keys.type('editb')
      await page.getByRole('option', { name: /^editbugs/ }).waitFor()
      await page.keyboard.press('Enter')
      await keys.until('Rotation')
      await keys.type('Harb')
      await page.getByRole('option', { name: /^Harbour turns/ }).waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Save the queue' }).press('Enter')
      await page.getByText('The queue “Harbour” is saved.').waitFor()
      const [queue] = (await ada.get('/rest/triage/Harbour')).body.queues
      assert.deepEqual(
        [queue?.query, queue?.group, queue?.rotation?.name],
        ['whiteboard=[harbour]&resolution=---', 'editbugs', 'Harbour turns'],
      )

      const worker = (await at.visit('/triage/Harbour', { as: 'edna' })).page
      const began = performance.now()
      for (const id of bugs) {
        const { summary } = await readBug(edna, id)
        await worker.getByRole('heading', { level: 2, name: summary, exact: true }).waitFor()
        await until(async () => (await worker.evaluate('document.activeElement.textContent')) === 'Accept A')
        if (id === bugs.at(-1)) {
          // A proposal is only sent when it is taken.
          await worker.getByRole('button', { name: 'Priority: High' }).waitFor()
          await worker.keyboard.press('p')
          await until(async () => (await worker.getByLabel('Priority').inputValue()) === 'High')
        }
        await worker.keyboard.press('a')
        await worker
          .locator('.toast')
          .filter({ hasText: `Bug ${id} is accepted.` })
          .waitFor()
      }
      console.log(`${TRIAGED} bugs were triaged in ${((performance.now() - began) / 1000).toFixed(1)} s`)
      await worker.getByText('Nothing to triage').waitFor()
      const priorities = await Promise.all(bugs.map(async (id) => (await readBug(edna, id)).priority))
      assert.deepEqual(
        priorities.map((it) => it === 'High'),
        bugs.map((id) => id === bugs.at(-1)),
      )
      await worker.getByText('The last 30 days').press('Enter')
      await worker.getByText('10 came in, 10 decisions, 0 wait.').waitFor()
      await worker.getByRole('row', { name: /^Edna Editor 10/ }).waitFor()
      await worker.getByRole('row', { name: /^accepted 10/ }).waitFor()
    })

    itInSoak('empties the inbox on a phone with keys only, and in the dark', async () => {
      const { edna } = at.world
      const { page } = await at.visit('/inbox', { as: 'edna', isPhone: true, isDark: true })
      await settled(page)
      const waiting = async () => (await edna.get('/rest/inbox')).body.entries.length
      const before = await waiting()
      assert.ok(before >= 3)
      await page.keyboard.press('j')
      await page.keyboard.press('e')
      await page.locator('.toast').filter({ hasText: 'is done' }).waitFor()
      await until(async () => (await waiting()) === before - 1)
      await page.keyboard.press('z')
      await until(async () => (await waiting()) === before)
      await page.keyboard.press('j')
      await page.keyboard.press('s')
      await page.getByRole('dialog').getByRole('button', { name: 'When it changes' }).press('Enter')
      await until(async () => (await waiting()) === before - 1)
      await expectAccessibleInBothThemes(page)
      assert.deepEqual(await widerThanWindow(page), [])
    })

    itInSoak(
      'edits, reacts, answers, inserts a canned reply, votes and watches with keys only on a phone',
      async () => {
        const { edna } = at.world
        const { page } = await at.visit(`/bug/${talk}`, { as: 'edna', isPhone: true, isDark: true })
        await settled(page)
        await page.getByRole('button', { name: /^All \d+ fields/ }).press('Enter')
        const sheet = page.getByRole('dialog', { name: 'All fields' })
        await sheet.getByRole('button', { name: 'Vote', exact: true }).press('Enter')
        await sheet.getByRole('button', { name: 'Take my vote back' }).waitFor()
        assert.deepEqual(await widerThanWindow(page), [])
        await sheet.getByRole('button', { name: 'Close' }).press('Enter')
        assert.equal((await edna.get(`/rest/bug/${talk}/votes`)).body.votes, 1)
        const comment = page.locator('#c1')
        await comment.waitFor()
        await comment.focus()
        await page.keyboard.press('e')
        await page.keyboard.press('x')
        const area = page.getByRole('textbox', { name: 'Text of comment 1' })
        await area.waitFor()
        await page.keyboard.press('Control+a')
        await page.keyboard.type('Now it is said well')
        await page.keyboard.press('Control+Enter')
        await comment.getByText('Now it is said well').waitFor()
        await until(() => page.evaluate<boolean>("document.activeElement.id === 'c1'"))
        await comment.getByRole('button', { name: 'Edited: see the versions of comment 1' }).press('Enter')
        const versions = page.getByRole('dialog', { name: 'Versions of comment 1' })
        await versions.waitFor()
        assert.deepEqual(await widerThanWindow(page), [])
        await page.keyboard.press('Escape')
        await versions.waitFor({ state: 'detached' })
        await comment.focus()
        await page.keyboard.press('h')
        await comment.getByRole('button', { name: /I see it too 1/, pressed: true }).waitFor()
        await comment.getByRole('button', { name: 'More for comment 1' }).press('Enter')
        await page.getByRole('menuitem', { name: 'Mark as an answer' }).press('Enter')
        await page
          .getByRole('navigation', { name: 'Answers in this discussion' })
          .getByText('Now it is said well')
          .waitFor()
        await page.getByRole('button', { name: 'Write a comment' }).press('Enter')
        await page.getByRole('textbox', { name: 'Comment' }).waitFor()
        await page.getByRole('button', { name: 'Insert a canned reply' }).press('Enter')
        await page.getByRole('combobox', { name: 'Canned reply' }).waitFor()
        await page.keyboard.type('log')
        await page.getByRole('option', { name: /Needs a log/ }).waitFor()
        await page.keyboard.press('Enter')
        await until(async () =>
          (await page.getByRole('textbox', { name: 'Comment' }).inputValue()).includes('attach the log'),
        )
        await expectAccessibleInBothThemes(page)
        assert.deepEqual(await widerThanWindow(page), [])
        await page.getByRole('textbox', { name: 'Comment' }).press('Control+Enter')
        await page.locator('.comment').getByText('Please attach the log.').waitFor()
        assert.equal((await readComments(edna, talk)).at(-1)?.text, 'Please attach the log.')
        await follow(page, '/product/TestProduct')
        const watch = page.getByRole('button', { name: 'Watch TestComponent' })
        await watch.press('Enter')
        await page.getByText('You watch TestComponent.').waitFor()
        assert.equal(await page.locator(':focus').getAttribute('aria-label'), 'Watch TestComponent')
        await page.getByRole('button', { name: 'Watch TestComponent', pressed: true }).press('Enter')
        await page.getByText('You no longer watch TestComponent.').waitFor()
      },
    )
  }),
)

/** Only keys: what is typed goes where the focus is. */
function keysOf(page: Page) {
  return {
    async type(text: string) {
      await until(() => page.evaluate<boolean>("document.activeElement.matches('input, textarea')"))
      await page.keyboard.type(text)
    },
    /** Presses Tab until the field with this label has the focus. */
    async until(label: string) {
      for (let step = 0; step < 10; step++) {
        if ((await page.locator(':focus').getAttribute('aria-label')) === label) return
        await page.keyboard.press('Tab')
      }
      throw new Error(`Tab does not lead to ${label}`)
    },
  }
}
