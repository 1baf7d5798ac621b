import assert from 'node:assert/strict'
import { afterEach, before, it } from 'node:test'
import type { Page } from 'playwright-core'
import { expectAccessibleInBothThemes } from '../support/accessibility.ts'
import { describeInBrowser, follow, followsEvents } from '../support/browser.ts'
import { cast } from '../support/cast.ts'
import { readComments } from '../support/discussion.ts'
import { fileBug, readBug } from '../support/file-bug.ts'
import { hostileEffects, widerThanWindow } from '../support/page-looks.ts'
import { newKey, newProposer, proposeChange, proposeNew } from '../support/proposals.ts'
import { itInSoak } from '../support/sample.ts'
import { until } from '../support/until.ts'

const HOSTILE = '<b onclick="window.isOwned=1">\u202egate'
const LONG_COMMENT = `First line\n${'\n'.repeat(30)}Last line ${HOSTILE}`
const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 860 }

describeInBrowser('What agents propose', (at) => {
  let robot: Awaited<ReturnType<typeof newProposer>>
  before(async () => {
    robot = await newProposer(at.world, 'editbugs')
    await at.world.ada.post('/rest/triage', {
      name: 'Fresh',
      query: 'status=UNCONFIRMED&status=CONFIRMED',
      group: 'editbugs',
    })
  })
  afterEach(() => at.leave())

  const newBug = (more: object = {}) => fileBug(at.world.rhea, { summary: 'The lamp is dark', ...more })

  it('is accepted row by row on the page of the bug, with keys only, in the name of who accepts', async () => {
    const { edna, sven } = at.world
    const bug = await newBug()
    await proposeChange(robot.robot, bug, {
      priority: 'High',
      severity: 'major',
      whiteboard: `[lamp]  ${HOSTILE}`,
      comment: { body: LONG_COMMENT },
      proposal_reason: 'Seen in all traces of this week, see comment 0.',
      proposal_reasons: { priority: 'Three customers have reported it.' },
    })
    const { page } = await at.visit(`/bug/${bug}`, { as: 'edna' })
    const card = cardIn(page, /agent proposes 4 changes/)
    await card.waitFor()
    assert.ok(await card.getByText('[U+202E]').first().isVisible())
    await expectAccessibleInBothThemes(page)
    assert.deepEqual(await hostileEffects(page), [])
    assert.ok(await card.getByText('[30 empty lines]').isVisible())
    await card.getByRole('checkbox', { name: 'Severity' }).press('Space')
    await card.getByRole('button', { name: 'Accept 3 of 4' }).press('Enter')
    await card.getByText(`accepted by ${cast.edna.login}`).first().waitFor()
    await until(async () => (await focusIn(page)) !== 'BODY')
    const { priority, severity, whiteboard } = await readBug(edna, bug)
    assert.deepEqual([priority, severity, whiteboard], ['High', 'normal', `[lamp]  ${HOSTILE}`])
    assert.equal((await readComments(edna, bug)).at(-1)?.creator, cast.edna.login)
    await followsEvents(page)
    await sven.put(`/rest/bug/${bug}`, { severity: 'critical' })
    await card.getByText('Changed since: it is critical now.').waitFor()
    await card.getByRole('button', { name: 'Decline…' }).press('Enter')
    await page.keyboard.type('No longer needed')
    await page.keyboard.press('Enter')
    await card.waitFor({ state: 'detached' })
    assert.notEqual(await focusIn(page), 'BODY')
    await follow(page, `/bug/${bug}?view=history`)
    await page
      .getByText(/proposed with an API key of person/)
      .first()
      .waitFor()
  })

  itInSoak(
    'waits in triage and in a list, where new bugs are filed and all that is shown is decided with a preview',
    async () => {
      const { edna, sven } = at.world
      const [one, two, stale] = [await newBug(), await newBug(), await newBug()] as const
      const { robot: agent } = robot
      for (const bug of [one, two, stale]) await proposeChange(agent, bug, { priority: 'Low' })
      await edna.put(`/rest/bug/${stale}`, { priority: 'High' })
      const attached = await proposeNew(agent, `/rest/bug/${one}/attachment`, {
        data: Buffer.from('a trace').toString('base64'),
        file_name: 'trace.txt',
        summary: 'The trace',
        content_type: 'text/plain',
      })
      await proposeNew(agent, '/rest/bug', { product: 'TestProduct', component: 'TestComponent', summary: HOSTILE })
      const { page } = await at.visit('/triage/Fresh', { as: 'edna' })
      await follow(page, '/proposals')
      const filed = cardIn(page, /agent proposes a new bug/)
      await filed.waitFor()
      await expectAccessibleInBothThemes(page)
      assert.deepEqual(await hostileEffects(page), [])
      await cardIn(page, /agent proposes to attach a file/)
        .getByRole('button', { name: 'Look at the file' })
        .press('Enter')
      await page.getByText('a trace', { exact: true }).waitFor()
      const file = cardIn(page, /agent proposes to attach a file/)
      await sven.post(`/rest/proposal/${attached.id}/decline`)
      await file.getByRole('button', { name: 'Attach this file' }).press('Enter')
      await page
        .locator('.toast')
        .filter({ hasText: `Proposal ${attached.id} is not open any more: it is declined.` })
        .waitFor()
      await file.waitFor({ state: 'detached' })
      await filed.getByRole('button', { name: 'File this bug' }).press('Enter')
      const done = page.locator('.toast').filter({ hasText: /Bug \d+ is filed in your name/ })
      await done.waitFor()
      await filed.waitFor({ state: 'detached' })
      const id = Number((await done.textContent())?.match(/\d+/)?.[0])
      assert.equal((await readBug(edna, id)).creator, cast.edna.login)
      await page.getByRole('link', { name: 'Changes', exact: true }).press('Enter')
      await page.getByRole('button', { name: 'Decide all 3 shown…' }).press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Decide 3 proposals' })
      await dialog.getByText(/The proposal is out of date: priority has changed since/).waitFor()
      await expectAccessibleInBothThemes(page)
      await dialog.getByRole('button', { name: 'Accept 2' }).press('Enter')
      await dialog.waitFor({ state: 'detached' })
      assert.deepEqual(await Promise.all([one, two, stale].map(async (bug) => (await readBug(edna, bug)).priority)), [
        'Low',
        'Low',
        'High',
      ])
      await page.setViewportSize(PHONE)
      await follow(page, '/proposals?status=all')
      await page.getByText('It was declined.').first().waitFor()
      assert.deepEqual(await widerThanWindow(page), [])
      await page.setViewportSize(DESKTOP)
    },
  )

  it('counts at the key what was accepted', async () => {
    const { edna, sven } = at.world
    const { id } = (await edna.get('/rest/whoami')).body
    const key = await newKey(at.world, { id, client: edna }, ['read', 'propose'], HOSTILE)
    const proposed = await proposeChange(key.client, await newBug(), { priority: 'Low' })
    await sven.post(`/rest/proposal/${proposed.id}/accept`, { digest: proposed.digest })
    const { page } = await at.visit('/settings/keys', { as: 'edna' })
    await page.getByRole('link', { name: '1 proposal, 100 % of what was decided was accepted' }).press('Enter')
    await page.getByText('It was accepted, at least in part.').waitFor()
  })
})

function cardIn(page: Page, name: RegExp) {
  return page.getByRole('region', { name })
}

function focusIn(page: Page) {
  return page.evaluate<string>('document.activeElement.tagName')
}
