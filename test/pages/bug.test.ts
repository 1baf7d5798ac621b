import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { expectAccessible, expectAccessibleInBothThemes, expectAccessibleInSoak } from '../support/accessibility.ts'
import { attach, base64 } from '../support/attach.ts'
import { describeInBrowser, follow, followsEvents, logIn } from '../support/browser.ts'
import { cast, PASSWORD } from '../support/cast.ts'
import { readComments, say, tell } from '../support/discussion.ts'
import { fileBug, readBug } from '../support/file-bug.ts'
import { shiftsOf } from '../support/layout-shift.ts'
import { newHiddenProduct } from '../support/new-product.ts'
import { isEveryCombination, itInSoak } from '../support/sample.ts'
import { until } from '../support/until.ts'
import { discussionStories } from './bug/discussion.ts'
import { hiddenAfterwardsStories } from './bug/hidden-afterwards.ts'

const HOSTILE = '<img src=x onerror="window.isOwned=1"><script>window.isOwned=1</script>'
const PATCH = '--- a/lamp.c\n+++ b/lamp.c\n@@ -1,2 +1,2 @@\n int lamp;\n-int dark = 1;\n+int dark = 0;\n'

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** As the browser does when a file is pasted, or dropped from the desktop. */
async function giveFile(
  page: Page,
  target: string,
  kind: 'paste' | 'drop',
  file: { name: string; type: string; base64: string },
) {
  const { name, type, base64: text } = file
  await page.evaluate(`(() => {
    const data = new DataTransfer()
    const bytes = Uint8Array.from(atob('${text}'), (it) => it.charCodeAt(0))
    data.items.add(new File([bytes], '${name}', { type: '${type}' }))
    const init = { bubbles: true, cancelable: true, clipboardData: data, dataTransfer: data }
    const event = '${kind}' === 'paste' ? new ClipboardEvent('paste', init) : new DragEvent('drop', init)
    document.querySelector('${target}').dispatchEvent(event)
  })()`)
}

describeInBrowser('the page of a bug', (at) => {
  /** One page for all tests: first nobody is logged in, then a reader without rights, then edna. */
  let page: Page
  let context: BrowserContext
  let [plain, rich] = [0, 0]

  const toast = (page: Page, words: string | RegExp) => page.locator('.toast').filter({ hasText: words }).waitFor()
  const heading = (page: Page, name: RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()

  it('folds many comments and those with some tags, prints all of them, and opens the one that the address names', async () => {
    const { world } = at
    const id = await fileBug(world.edna)
    const other = await fileBug(world.edna, { summary: 'The other lamp' })
    for (let count = 1; count < 39; count++) await tell(world, { bugId: id, text: `Note ${count}` })
    await say(world.edna, id, 'Note 39', { comment_tags: ['rude'] })
    await world.ada.put('/rest/parameters', { collapsed_comment_tags: 'spam, Rude' })
    ;({ page, context } = await at.visit(`/bug/${id}#c10`))
    const named = page.getByRole('article', { name: 'Comment 10 by Edna Editor' })
    await named.and(page.locator('.is-target')).getByText('Note 10').waitFor()
    // The names of authors come with the page.
    const loaded = await page.evaluate<string>(
      "performance.getEntriesByType('resource').map((it) => it.name).join(' ')",
    )
    assert.doesNotMatch(loaded, /\/rest\/user\?/)
    await follow(page, `/bug/${other}`)
    await heading(page, /The other lamp/)
    await follow(page, `/bug/${id}`)
    await page.locator('.latest-comment').getByText('Note 38').waitFor()
    await page.locator('#c39').getByRole('button', { name: 'Show' }).click()
    await page.locator('#c39').getByText('Note 39').waitFor()
    await page.getByRole('button', { name: 'Show 25' }).waitFor()
    assert.equal(await page.locator('#c10').count(), 0)
    await page.emulateMedia({ media: 'print' })
    await page.evaluate("dispatchEvent(new Event('beforeprint'))")
    await page.locator('#c10').waitFor()
    assert.equal(await page.locator('.top-bar, .stream-head, .stream-folded').filter({ visible: true }).count(), 0)
    await page.emulateMedia({ media: null })
    await page.evaluate("dispatchEvent(new Event('afterprint'))")
    await page.locator('#c10').waitFor({ state: 'detached' })
  })

  it('hides from anonymous readers the fields that a parameter hides, also in the history', async () => {
    const { world } = at
    const id = await fileBug(world.edna, { summary: 'The lamp', whiteboard: 'first words' })
    await world.edna.put(`/rest/bug/${id}`, { whiteboard: 'second words', url: 'https://lamps.example/2' })
    await world.withParameters({ usestatuswhiteboard: false }, async () => {
      await page.goto(`/bug/${id}`)
      await page.getByText('https://lamps.example/2').first().waitFor()
      assert.equal(
        await page
          .getByText(/(first|second) words/)
          .filter({ visible: true })
          .count(),
        0,
      )
    })
  })

  it('shows anonymous readers the bug, its comments, changes and fields, and hides a hidden one', async () => {
    const { world } = at
    const other = await fileBug(world.edna, { summary: 'The other lamp' })
    const id = await fileBug(world.edna, {
      summary: 'The lamp is dark',
      description: `Like bug ${other}, see https://lamps.example/1.\n> quoted words`,
      depends_on: [other],
    })
    await world.edna.put(`/rest/bug/${id}`, { priority: 'High', comment: { body: 'Since Monday.' } })
    await follow(page, `/bug/${id}`)
    await heading(page, /The lamp is dark/)
    await page.getByRole('article', { name: 'Comment 1 by Edna Editor' }).getByText('Since Monday.').waitFor()
    assert.match((await page.locator('.changes').textContent()) ?? '', /Edna Editor Priority none → High/)
    assert.equal(await page.locator('blockquote').textContent(), 'quoted words')
    const link = page.locator('#c0').getByRole('link', { name: `bug ${other}` })
    assert.equal(await link.getAttribute('href'), `/bug/${other}`)
    await page.locator('.side-panel').getByText('The other lamp').waitFor()
    assert.equal(await page.title(), `${id} The lamp is dark · Lacewing`)
    await page.getByRole('link', { name: 'Log in' }).last().waitFor()
    assert.equal(await page.getByRole('button', { name: /Change/ }).count(), 0)
    assert.equal(await page.getByRole('textbox', { name: 'Comment' }).count(), 0)

    const { name: product } = await newHiddenProduct(world)
    const hidden = await fileBug(world.sven, { product, component: 'Core', summary: 'Secret lamp' })
    const documentOf = async (bug: number) => (await fetch(`${world.url}/bug/${bug}`)).text()
    assert.match(await documentOf(id), /The lamp is dark/)
    assert.doesNotMatch(await documentOf(hidden), /Secret lamp/)
    await follow(page, `/bug/${hidden}`)
    await page.getByRole('heading', { name: 'You may not see this bug' }).waitFor()
    assert.equal((await page.content()).includes('Secret lamp'), false)
    const logInLink = page.getByRole('link', { name: 'Log in' }).last()
    assert.equal(await logInLink.getAttribute('href'), `/login?to=%2Fbug%2F${hidden}`)
  })

  it('has no editors for a reader without rights, says why, stays where it is, and names a bug that does not exist', async () => {
    const { world } = at
    const id = await fileBug(world.edna, { whiteboard: '[lamps]', deadline: '2026-12-01' })
    await logIn(context, 'stan')
    await page.goto(`/bug/${id}`)
    await page.locator('.side-panel-foot').waitFor({ state: 'attached' })
    assert.deepEqual(await shiftsOf(page), [])
    await page.getByRole('button', { name: 'Follow' }).waitFor()
    await page
      .getByRole('button', { name: 'Change CC' })
      .or(page.getByRole('button', { name: 'CC' }))
      .first()
      .waitFor()
    assert.equal(await page.getByRole('button', { name: /Change (Whiteboard|Summary|Assignee|Component)/ }).count(), 0)
    assert.equal(await page.getByRole('button', { name: /^(Status|Priority|Severity):/ }).count(), 0)
    await page.locator('.side-panel').getByText('[lamps]').click()
    await page.getByText(/You may not change this: it needs editbugs/).waitFor()
    await follow(page, '/bug/999999')
    await page.getByText('There is no bug 999999.').waitFor()
  })

  it('has no faults of accessibility, and stays where it is when the rights arrive', async () => {
    const { world } = at
    const summary = 'The lamp is dark and this summary is rather long for a phone'
    plain = await fileBug(world.edna, { summary, deadline: '2026-12-01' })
    rich = await fileBug(world.edna, {
      summary,
      description: `    ${'code '.repeat(40)}\n> quoted\n${'word'.repeat(60)}`,
      depends_on: [plain],
      keywords: [],
      deadline: '2026-12-01',
    })
    await world.edna.put(`/rest/bug/${rich}`, { priority: 'High', comment: { body: 'Since Monday.' } })
    await attach(world.edna, rich, { is_patch: true, data: base64(PATCH), summary: 'A patch' })
    await logIn(context, 'edna')
    await page.goto(`/bug/${plain}`)
    await page.locator('.side-panel-foot').waitFor({ state: 'attached' })
    assert.deepEqual(await shiftsOf(page), [])
    await follow(page, `/bug/${rich}`)
    await page.getByRole('button', { name: /^Priority:/ }).waitFor()
    await page.locator('.diff').waitFor()
    // The help shows every part of the pages in both themes.
    await (isEveryCombination ? expectAccessibleInBothThemes : expectAccessible)(page)
  })

  it('changes values, lists, requests and the status of a bug with the mouse, and goes back with Undo', async () => {
    const { world } = at
    await world.ada.post('/rest/flag_type', {
      name: 'needinfo',
      description: 'Something must be known first.',
      is_question: true,
    })
    const other = await fileBug(world.edna)
    const id = await fileBug(world.edna)
    await follow(page, `/bug/${id}`)
    await page.getByRole('button', { name: /^Priority:/ }).click()
    await page.getByRole('option', { name: 'High', exact: true }).click()
    await toast(page, 'Priority is now High.')
    assert.equal((await readBug(world.edna, id)).priority, 'High')
    await page.getByRole('button', { name: 'Undo' }).click()
    await toast(page, 'Priority is now none.')
    assert.equal((await readBug(world.edna, id)).priority, '---')

    await page.getByRole('button', { name: 'Depends on' }).click()
    await page.getByRole('combobox', { name: 'Add to Depends on' }).fill(String(other))
    await page.keyboard.press('Enter')
    await toast(page, `Depends on: + ${other}`)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Change Depends on' }).and(page.locator(':focus')).waitFor()
    await page.getByRole('button', { name: 'Follow' }).click()
    await toast(page, 'CC: + Edna Editor')
    const { depends_on: dependsOn, cc } = await readBug(world.edna, id)
    assert.deepEqual([dependsOn, cc], [[other], [cast.edna.login]])

    await page.getByRole('button', { name: 'Ask for something' }).click()
    await page.getByRole('option', { name: /^needinfo/ }).click()
    // The list still shows the options for no text when Enter is pressed.
    await page.getByRole('option', { name: /^Edna Editor/ }).waitFor()
    const found = Promise.withResolvers<void>()
    await page.route('**/rest/user*', async (route) => {
      await found.promise
      await route.continue()
    })
    await page.getByRole('combobox', { name: 'Of whom to ask needinfo' }).fill('sven')
    await page.keyboard.press('Enter')
    found.resolve()
    await toast(page, 'needinfo is asked for.')
    await page.unrouteAll({ behavior: 'wait' })
    const [flag] = (await readBug(world.edna, id)).flags
    assert.deepEqual([flag.status, flag.requestee], ['?', cast.sven.login])
    // The values follow what others do, and a conflict names who did it.
    await page.getByRole('button', { name: /^Priority:/ }).click()
    await world.sven.put(`/rest/bug/${id}`, { priority: 'Low' })
    await page.getByRole('combobox', { name: 'Priority' }).fill('high')
    await page.keyboard.press('Enter')
    await page.getByText('Sven Security set Low, you chose High.').waitFor()
    await page.getByRole('button', { name: 'Keep Low' }).click()

    // Hours alone are a line, no empty comment, and an overrun says by how much.
    await world.edna.put(`/rest/bug/${id}`, { estimated_time: 2, remaining_time: 0, work_time: 3 })
    await page.reload()
    await page.getByText('1 h over the estimate of 2 h').waitFor()
    await page.locator('.change').getByText('worked 3 h').waitFor()
    assert.equal(await page.getByRole('article', { name: /^Comment [1-9]/ }).count(), 0)
    await page.getByRole('link', { name: 'Comments 1' }).waitFor()
    assert.equal(await page.locator('.latest-comment').count(), 0)

    // A question is passed on or answered, and neither granted nor denied.
    assert.equal(await page.getByRole('button', { name: 'Grant' }).count(), 0)
    await page.getByRole('button', { name: 'Pass on' }).click()
    await page.getByRole('combobox', { name: 'Of whom to ask needinfo instead' }).fill('edna')
    await page.getByRole('option', { name: /Edna Editor/ }).click()
    await toast(page, 'needinfo is asked of Edna Editor.')
    assert.equal((await readBug(world.edna, id)).flags[0].requestee, cast.edna.login)
    const box = page.getByRole('checkbox', { name: /^Answers needinfo\? of you asked by/ })
    await box.and(page.locator(':checked')).uncheck()
    await page.getByRole('button', { name: 'Answer', exact: true }).click()
    await box.and(page.locator(':checked')).waitFor()
    await page.getByRole('textbox', { name: 'Comment' }).and(page.locator(':focus')).fill('It is known.')
    await page.locator('.composer').getByRole('button', { name: 'Answer', exact: true }).click()
    await page.getByRole('article', { name: 'Comment 2 by Edna Editor' }).getByText('It is known.').waitFor()
    assert.deepEqual((await readBug(world.edna, id)).flags, [])
    await page.getByRole('button', { name: 'Actions', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Remind me…' }).click()
    await page.getByRole('textbox', { name: 'Note' }).fill('Does it shine?')
    await page.getByRole('button', { name: 'Remind me', exact: true }).click()
    await toast(page, new RegExp(`You are reminded of bug ${id} on`))
    const { reminders } = (await world.edna.get('/rest/reminder')).body
    assert.deepEqual(
      reminders.map(({ bug_id, note }) => [bug_id, note]),
      [[id, 'Does it shine?']],
    )
    await world.edna.put(`/rest/bug/${id}`, { depends_on: { remove: [other] } })

    // A comment and the end of the bug in one change. Its preview moves nothing.
    await page.getByRole('textbox', { name: 'Comment' }).fill('It shines.')
    const bottom = () =>
      page.locator('.composer .composer-foot').evaluate<number, { offsetTop: number }>((it) => it.offsetTop)
    const before = await bottom()
    await page.getByRole('button', { name: 'Preview', exact: true }).click()
    await page.getByRole('region', { name: 'Preview of the text' }).getByText('It shines.').waitFor()
    assert.equal(await bottom(), before)
    await page.getByRole('button', { name: 'Write', exact: true }).click()
    await page.keyboard.press('.')
    await page.getByRole('menuitem', { name: 'Copy the link' }).click()
    await toast(page, /The link is copied|does not allow copying/)
    await page.getByRole('button', { name: 'Status to set' }).click()
    await page.getByRole('menuitem', { name: 'Resolved, fixed' }).click()
    await page.getByRole('button', { name: 'Comment and resolve' }).waitFor()
    await page.route('**/rest/bug/*', (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.continue(),
    )
    await page.getByRole('textbox', { name: 'Comment' }).press('Control+Enter')
    await toast(page, 'Not sent. The server does not answer. Your text is kept.')
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('article', { name: 'Comment 3 by Edna Editor' }).getByText('It shines.').waitFor()
    await page.getByRole('button', { name: 'Status: Resolved, fixed' }).waitFor()
    assert.equal(await page.getByRole('textbox', { name: 'Comment' }).inputValue(), '')
    const { body: history } = await world.edna.get(`/rest/bug/${id}/history`)
    const comments = await readComments(world.edna, id)
    assert.equal(history.bugs[0].history.at(-1).when, comments[3].time)
  })

  itInSoak('completes whom a comment mentions, and says who will not be notified', async () => {
    const { world } = at
    const { name: product } = await newHiddenProduct(world)
    const id = await fileBug(world.ada, { product, component: 'Core', cc: [cast.edna.login] })
    await follow(page, `/bug/${id}`)
    const text = page.getByRole('textbox', { name: 'Comment' })
    await text.pressSequentially('Hi @ad')
    await page.getByRole('option', { name: /Administrator @administrator-1/ }).waitFor()
    // On a busy machine a frame is late, and what is typed meanwhile must not land before the nick.
    await page.evaluate('window.frames0 = requestAnimationFrame; requestAnimationFrame = (run) => setTimeout(run, 100)')
    await text.press('Enter')
    await text.pressSequentially('and @stan', { delay: 20 })
    assert.equal(await text.inputValue(), 'Hi @administrator-1 and @stan')
    await page.evaluate('requestAnimationFrame = window.frames0')
    await page.getByRole('option', { name: /Stan Stranger @stan ?cannot see this bug/ }).click()
    await page.getByText('Stan Stranger cannot see this bug and will not be notified.').waitFor()
    await expectAccessibleInSoak(page)
    await page.locator('.composer').getByRole('button', { name: 'Comment', exact: true }).click()
    await page.locator('#c1').getByRole('link', { name: '@Administrator' }).waitFor()
    await page.locator('#c1').getByText('and @stan').waitFor()
    assert.equal(await page.locator('#c1').getByRole('link', { name: /stan/i }).count(), 0)
  })

  it('keeps the comment that was just sent when an older answer arrives after it', async () => {
    const id = await fileBug(at.world.edna)
    await follow(page, `/bug/${id}`)
    await heading(page, /Something is wrong/)
    await follow(page, '/help')
    const held = Promise.withResolvers<void>()
    const passed = Promise.withResolvers<void>()
    await page.route(`**/rest/bug/${id}/history*`, async (route) => {
      const response = await route.fetch()
      await held.promise
      await route.fulfill({ response })
      passed.resolve()
    })
    await follow(page, `/bug/${id}`)
    await page.getByRole('textbox', { name: 'Comment' }).fill('It flickers')
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    await page.locator('#c1').getByText('It flickers').waitFor()
    held.resolve()
    await passed.promise
    // The reading of the bug ends with noting the visit.
    await until(() =>
      page.evaluate<boolean>(
        `performance.getEntriesByType('resource').some((it) => it.name.endsWith('/bug_user_last_visit/${id}') && it.initiatorType === 'fetch')`,
      ),
    )
    assert.equal(await page.locator('#c1').count(), 1)
    await page.unrouteAll({ behavior: 'wait' })
  })

  it('attaches files with a comment', async () => {
    const { world } = at
    const id = await fileBug(world.edna)
    await follow(page, `/bug/${id}`)
    await page.getByRole('textbox', { name: 'Comment' }).fill('The log of the lamp')
    await page
      .getByLabel('Files to attach')
      .setInputFiles({ name: 'lamp.log', mimeType: 'text/plain', buffer: Buffer.from('dark\nbright\n') })
    await page.getByRole('button', { name: 'Comment and attach' }).click()
    await page.locator('#c1').getByText('The log of the lamp').waitFor()
    await page.getByRole('region', { name: 'lamp.log' }).getByText('bright').waitFor()
    const box = page.getByRole('region', { name: 'Write a comment' })
    await giveFile(page, 'textarea.composer-text', 'paste', { name: 'pasted.png', type: 'image/png', base64: PIXEL })
    await giveFile(page, '.composer', 'drop', { name: 'dropped.txt', type: 'text/plain', base64: base64('dim\n') })
    await box.getByText('pasted.png').waitFor()
    await box.getByText('dropped.txt').waitFor()
    await page.getByRole('button', { name: 'Attach', exact: true }).click()
    const picture = page.locator('img[alt="pasted.png"]')
    await picture.waitFor()
    await page.getByRole('region', { name: 'dropped.txt' }).getByText('dim').waitFor()
    await picture.scrollIntoViewIfNeeded()
    await until(() => page.evaluate<boolean>('document.querySelector(\'img[alt="pasted.png"]\').naturalWidth === 1'))
    await follow(page, `/bug/${id}#attach`)
    await page.getByRole('heading', { name: 'Attach a file' }).waitFor()
  })

  it('shows both values when two users change the same field, keeps both changes otherwise, and counts what others write', async () => {
    const { world } = at
    const id = await fileBug(world.edna)
    await follow(page, `/bug/${id}`)
    await page.getByRole('button', { name: 'Whiteboard' }).click()
    await page.getByRole('textbox', { name: 'Whiteboard' }).fill('mine')
    await world.sven.put(`/rest/bug/${id}`, { whiteboard: 'theirs', severity: 'minor' })
    await page.keyboard.press('Enter')
    await page.getByText('Sven Security set theirs, you chose mine.').waitFor()
    assert.equal((await readBug(world.edna, id)).whiteboard, 'theirs')
    await page.getByRole('button', { name: 'Set mine' }).click()
    await toast(page, 'Whiteboard is now mine.')
    await world.sven.put(`/rest/bug/${id}`, { url: 'http://lamps.example' })
    await page.getByRole('button', { name: /^Priority:/ }).click()
    await page.getByRole('option', { name: 'Low', exact: true }).click()
    await toast(page, 'Priority is now Low.')
    const { whiteboard, severity, priority, url } = await readBug(world.edna, id)
    assert.deepEqual([whiteboard, severity, priority, url], ['mine', 'minor', 'Low', 'http://lamps.example'])

    const other = await fileBug(world.edna, { summary: 'The other lamp' })
    await follow(page, `/bug/${other}`)
    await heading(page, /The other lamp/)
    await followsEvents(page)
    await world.sven.put(`/rest/bug/${other}`, { comment: { body: 'I see it too.' } })
    await page.getByRole('button', { name: '1 new' }).waitFor()
    assert.equal(await page.locator('#c1').count(), 0)
    await page.getByRole('button', { name: '1 new' }).click()
    await page.locator('#c1').getByText('I see it too.').waitFor()
    await page.getByText(/^New since/).waitFor()
    assert.equal(await page.locator('.unread-line + #c1').count(), 1)
  })

  it('shows hostile text as text', async () => {
    const { world } = at
    const user = await world.newUser({ full_name: HOSTILE })
    const id = await fileBug(user.client, {
      summary: HOSTILE,
      description: `${HOSTILE} javascript:alert(1) http://x.example/"onmouseover="window.isOwned=1`,
      whiteboard: HOSTILE,
      url: 'javascript:window.isOwned=1',
    })
    await attach(user.client, id, { file_name: `${HOSTILE}.txt`, summary: HOSTILE, comment: HOSTILE })
    await attach(user.client, id, { summary: HOSTILE, is_patch: true, data: base64(PATCH.replaceAll('lamp', HOSTILE)) })
    await world.edna.put(`/rest/bug/${id}`, { whiteboard: `${HOSTILE}2` })
    const views = {
      '': '#c0',
      '?view=history': 'table',
      '?view=attachments': 'figure.attachment',
      '?view=graph': 'main svg',
    }
    for (const [view, part] of Object.entries(views)) {
      await follow(page, `/bug/${id}${view}`)
      await heading(page, /onerror/)
      await page.locator(part).first().waitFor()
      assert.equal(await page.evaluate('window.isOwned'), undefined, view)
      assert.equal(await page.locator('img[src="x"], main script, a[href^="javascript:"]').count(), 0, view)
    }
  })

  it('shows patches, pictures of dependencies, history and the bug as it was', async () => {
    const { world } = at
    const other = await fileBug(world.edna, { summary: 'There is no current' })
    const id = await fileBug(world.edna, { summary: 'First summary', depends_on: [other] })
    await attach(world.edna, id, { is_patch: true, data: base64(PATCH), summary: 'A patch' })
    await world.db.query((q) => q.updateTable('bugs').set({ created_at: '2026-01-01T00:00:00Z' }).where('id', '=', id))
    await world.edna.put(`/rest/bug/${id}`, { summary: 'Second summary' })
    await follow(page, `/bug/${id}`)
    await page.locator('.diff .diff-add').getByText('int dark = 0;').waitFor()
    await page.getByRole('button', { name: 'Side by side' }).click()
    await page.locator('.diff-side-del').getByText('int dark = 1;').waitFor()
    await page.getByRole('link', { name: 'History' }).first().click()
    await page.getByRole('cell', { name: 'First summary' }).waitFor()
    await follow(page, `/bug/${id}?view=graph`)
    await page.locator('.graph-bug text', { hasText: 'There is no current' }).waitFor()
    await follow(page, `/bug/${id}?as_of=2026-01-02T00:00:00Z`)
    await heading(page, /First summary/)
    assert.equal(await page.getByRole('textbox', { name: 'Comment' }).count(), 0)
    await page.getByRole('button', { name: 'Back to today' }).click()
    await heading(page, /Second summary/)
  })

  itInSoak('writes and shows Markdown where the installation allows it', async () => {
    const { world } = at
    const id = await fileBug(world.edna)
    await world.withParameters({ use_markdown: true }, async () => {
      await page.goto(`/bug/${id}`)
      await page.getByRole('textbox', { name: 'Comment' }).fill(`**Loud** like bug ${id} and ${HOSTILE}`)
      const named = page.getByRole('list', { name: 'Bugs that the text names' })
      await named.getByText('Something is wrong').waitFor()
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.locator('.composer strong').getByText('Loud').waitFor()
      await page.getByRole('button', { name: 'Comment', exact: true }).click()
      await page.locator('#c1 strong').getByText('Loud').waitFor()
      assert.equal(await page.locator('#c1 img').count(), 0)
    })
    assert.equal((await readComments(world.edna, id))[1].is_markdown, true)
  })

  itInSoak('writes lists, links and pictures with keys, shows the picture in the text, and votes', async () => {
    const { world } = at
    await world.ada.put('/rest/product/TestProduct', { votesperuser: 2 })
    const id = await fileBug(world.edna)
    await world.withParameters({ use_markdown: true }, async () => {
      await page.goto(`/bug/${id}`)
      await page.getByRole('toolbar', { name: 'Markdown' }).waitFor()
      assert.doesNotMatch((await shiftsOf(page)).join('\n'), /composer/)
      await page.getByRole('button', { name: 'Vote', exact: true }).click()
      await page.getByRole('button', { name: 'Take my vote back' }).waitFor()
      const area = page.getByRole('textbox', { name: 'Comment' })
      await area.focus()
      const press = async (...keys: string[]) => {
        for (const key of keys) await page.keyboard.press(key)
      }
      await page.keyboard.type('- one')
      await press('Enter')
      await page.keyboard.type('two')
      await press('Tab', 'Enter', 'Enter', 'Shift+Home', 'Delete')
      await page.keyboard.type('loud')
      await press('Shift+Home', 'Control+b')
      assert.equal(await area.inputValue(), '- one\n  - two\n**loud**')
      await press('Control+z')
      assert.equal(await area.inputValue(), '- one\n  - two\nloud')
      await press('End')
      await giveFile(page, '.composer textarea', 'paste', { name: 'image.png', type: 'image/png', base64: PIXEL })
      await page.keyboard.type('The lamp')
      assert.match(await area.inputValue(), /loud!\[The lamp\]\(attachment:picture-[0-9a-f]{12}\.png\)$/)
      await page.keyboard.press('End')
      await giveFile(page, '.composer textarea', 'paste', { name: 'image.png', type: 'image/png', base64: PIXEL })
      await page.getByText('Say in the brackets what the picture shows').waitFor()
      assert.equal(await page.locator('.composer-thumbnail').count(), 2)
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.locator('.composer-preview').getByRole('img', { name: 'The lamp' }).waitFor()
      await page.getByRole('button', { name: 'Comment and attach' }).click()
      await page.locator('#c1 .prose').getByRole('img', { name: 'The lamp' }).waitFor()
      await page.locator('#c1 .prose').getByRole('img', { name: 'Picture' }).waitFor()
    })
    const { body } = await world.edna.get(`/rest/bug/${id}/attachment?include_fields=summary`)
    assert.deepEqual(body.bugs[id], [{ summary: 'The lamp' }, { summary: 'Picture' }])
    assert.equal((await readComments(world.edna, id)).length, 2)
    assert.equal((await world.edna.get(`/rest/bug/${id}/votes`)).body.votes, 1)
    await world.ada.put('/rest/product/TestProduct', { votesperuser: 0 })
  })

  it('keeps a draft over a reload and an expired session, and shows it to its author only', async () => {
    const { world } = at
    const id = await fileBug(world.edna)
    await follow(page, `/bug/${id}`)
    const area = page.getByRole('textbox', { name: 'Comment' })
    await area.fill('Half of a thought')
    await page.getByText('Draft saved').waitFor()
    await context.clearCookies()
    await area.press('Control+Enter')
    await page.getByRole('heading', { name: 'You were logged out' }).waitFor()
    await page.getByLabel('Login name').fill(cast.edna.login)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'You were logged out' }).waitFor({ state: 'detached' })
    // What is written while the first half is on its way stays.
    const { promise: isWritten, resolve: send } = Promise.withResolvers<void>()
    await page.route('**/comment', (route) => isWritten.then(() => route.continue()))
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    await page.getByRole('button', { name: 'Sending…' }).waitFor()
    await area.fill('Half of a thought, and the other half')
    send()
    await page.locator('#c1').getByText('Half of a thought').waitFor()
    await until(async () => (await area.inputValue()) === ', and the other half')
    for (const [reader, draft] of [
      ['sven', ''],
      ['edna', ', and the other half'],
    ] as const) {
      await logIn(context, reader)
      await page.reload()
      await page.locator('#c1').waitFor()
      assert.equal(await area.inputValue(), draft, reader)
    }
    // A draft of a status alone.
    await area.fill('')
    await page.getByRole('button', { name: 'Status to set' }).click()
    await page.getByRole('menuitem', { name: 'In progress' }).click()
    const isKept = page.getByRole('button', { name: 'Set to in progress' })
    await isKept.waitFor()
    await page.reload()
    await isKept.waitFor()
  })

  it('edits a comment in its place, shows its versions, reacts, marks an answer and inserts a canned reply', async () => {
    const { world } = at
    const reply = { product: 'TestProduct', name: 'Needs a log', text: 'Please attach the log.' }
    assert.equal((await world.ada.post('/rest/canned_reply', reply)).status, 201)
    const id = await fileBug(world.rhea)
    await say(world.edna, id, 'The pot is cold')
    for (let count = 2; count < 7; count++) await say(world.rhea, id, `Note ${count}`)
    await follow(page, `/bug/${id}`)
    const comment = page.locator('#c1')
    await page.getByText('and also').waitFor()
    await comment.focus()
    await page.keyboard.press('e')
    await page.keyboard.press('x')
    const area = page.getByRole('textbox', { name: 'Text of comment 1' })
    await area.fill('The kettle is cold')
    await area.press('Control+Enter')
    await comment.getByText('The kettle is cold').waitFor()
    await until(async () => page.evaluate<boolean>("document.activeElement.id === 'c1'"))
    const edited = comment.getByRole('button', { name: 'Edited: see the versions of comment 1' })
    await edited.click()
    const dialog = page.getByRole('dialog', { name: 'Versions of comment 1' })
    assert.equal(await dialog.locator('del').textContent(), 'pot')
    assert.equal(await dialog.locator('ins').textContent(), 'kettle')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Close' }).click()
    await until(async () => page.evaluate<boolean>("document.activeElement.className.includes('comment-edited')"))
    await page.keyboard.press('h')
    await comment.getByRole('button', { name: /I see it too 1/, pressed: true }).click()
    await comment.locator('.reactions').waitFor({ state: 'detached' })
    await comment.getByRole('button', { name: 'React to comment 1' }).click()
    await page.getByRole('menuitem', { name: 'Thanks' }).click()
    await comment.getByRole('button', { name: /Thanks 1/ }).waitFor()
    await comment.getByRole('button', { name: 'More for comment 1' }).click()
    await page.getByRole('menuitem', { name: 'Mark as an answer' }).click()
    await page.getByRole('navigation', { name: 'Answers in this discussion' }).getByText('The kettle is cold').waitFor()
    // What others do to comments is seen without a reload.
    await followsEvents(page)
    const [first] = await readComments(world.rhea, id)
    await world.rhea.put(`/rest/bug/comment/${first?.id}/reactions`, { add: ['smile'] })
    await page
      .locator('#c0')
      .getByRole('button', { name: /Looking 1/ })
      .waitFor()
    await page.getByRole('button', { name: 'Insert a canned reply' }).click()
    await page.getByRole('combobox', { name: 'Canned reply' }).fill('log')
    await page.keyboard.press('Enter')
    await until(async () => (await page.getByRole('textbox', { name: 'Comment' }).inputValue()) === reply.text)
    await page.getByRole('textbox', { name: 'Comment' }).fill('')
  })

  it('fits a phone, and stays where it is there', async () => {
    // The width is what matters. In the soak the phone has touch, too.
    const phone = isEveryCombination ? (await at.visit('/help', { as: 'edna', isPhone: true })).page : page
    await phone.setViewportSize({ width: 360, height: 760 })
    await phone.goto(`/bug/${plain}`)
    await phone.locator('.side-panel-foot').waitFor({ state: 'attached' })
    assert.deepEqual(await shiftsOf(phone), [])
    await follow(phone, `/bug/${rich}`)
    await phone.getByRole('button', { name: 'Write a comment' }).waitFor()
    assert.equal(await phone.evaluate('document.documentElement.scrollWidth'), 360)
    await expectAccessibleInSoak(phone)
    await phone.getByRole('button', { name: /^All \d+ fields/ }).click()
    await phone.getByRole('dialog', { name: 'All fields' }).getByText('Component', { exact: true }).waitFor()
    await phone.getByRole('button', { name: 'Close' }).click()
    await phone.getByRole('button', { name: 'Write a comment' }).click()
    await phone.getByRole('textbox', { name: 'Comment' }).fill('From the road')
    await phone.getByRole('button', { name: 'Comment', exact: true }).click()
    await phone.locator('.comment').getByText('From the road').waitFor()
  })

  discussionStories(at)
  hiddenAfterwardsStories(at)
})
