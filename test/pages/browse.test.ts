import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { Page } from 'playwright-core'
import { expectAccessible, expectAccessibleInBothThemes } from '../support/accessibility.ts'
import { describeInBrowser, follow, logIn, moveOn, type Visitor } from '../support/browser.ts'
import { cast, type Name } from '../support/cast.ts'
import { moveTo } from '../support/company-pages.ts'
import { fileBug } from '../support/file-bug.ts'
import { typeText } from '../support/keyboard.ts'
import { setControl } from '../support/new-member.ts'
import { newProduct } from '../support/new-product.ts'
import { isEveryCombination, itInSoak } from '../support/sample.ts'
import { until } from '../support/until.ts'

const HOSTILE = '<img src=x onerror="document.title=\'owned\'">"\'</script><script>document.title="owned"</script>'

/** The page and all that it has asked for, as it was sent, also what the browser had kept. */
/** The rest of 100 KB is for headers and for the data of a large installation: see `npm run bench -- pages loads`. */
const MOST_BYTES = 89_500

const LOADED_BYTES = `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`

describeInBrowser('browsing', (at) => {
  before(async () => {
    const filed = { product: 'TestProduct', component: 'TestComponent', version: 'unspecified' }
    await at.world.edna.post('/rest/bug', { ...filed, summary: 'The lamp stays dark after the storm' })
    await at.world.edna.post('/rest/bug', { ...filed, summary: HOSTILE, assigned_to: cast.edna.login })
  })

  let open: { visitor: Visitor; as: Name } | undefined
  /** One page for all users and tests: only another user loads it again, because a new browser takes four times as long. */
  const pageOf = async (as: Name, address: string): Promise<Page> => {
    if (open?.as === as) await moveOn(open.visitor.page, address)
    else if (open !== undefined) {
      await logIn(open.visitor.context, as)
      await open.visitor.page.goto(address)
    }
    open = { visitor: open?.visitor ?? (await at.visit(address, { as })), as }
    return open.visitor.page
  }

  it('shows products, a product and a person, and no product that the reader may not see', async () => {
    const { page } = await at.visit('/products')
    await page.getByRole('link', { name: 'TestProduct' }).click()
    await page.getByRole('heading', { name: 'Components' }).waitFor()
    await page.getByRole('link', { name: 'TestComponent' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Administer' }).count(), 0)
    await page.goBack()
    await page.getByRole('heading', { name: 'Products' }).waitFor()
    await follow(page, `/user/${cast.edna.login}`)
    await page.getByRole('heading', { name: 'Edna Editor' }).waitFor()
    await follow(page, '/product/NoSuchProduct')
    await page.getByText('There is no product “NoSuchProduct” that you may see').waitFor()
    const { page: managed } = await at.visit('/product/TestProduct', { as: 'ada' })
    await managed.getByRole('link', { name: 'Administer' }).click()
    await managed.getByRole('region', { name: 'Who may do what' }).waitFor()
    const [own, group] = [await newProduct(at.world), await at.world.newGroup()]
    await setControl(at.world, own.name, group.name, { editcomponents: true })
    await at.world.ada.put(`/rest/user/${cast.edna.login}`, { groups: { add: [group.name] } })
    const { page: led } = await at.visit(`/product/${own.name}`, { as: 'edna' })
    await led.getByRole('link', { name: 'Administer' }).waitFor()
    await follow(led, '/product/TestProduct')
    await led.getByRole('heading', { name: 'TestProduct' }).waitFor()
    assert.equal(await led.getByRole('link', { name: 'Administer' }).count(), 0)
    await at.leave()
  })

  it('loads at most 100 KB, compressed, for a first list and a first bug, whose links are easy to hit', async () => {
    const { body } = await at.world.edna.get('/rest/bug?quicksearch=storm&include_fields=id')
    // As in a new installation: the bar for Markdown is loaded with the bug.
    await at.world.ada.put('/rest/parameters', { use_markdown: true })
    const { page } = await at.visit('/', { as: 'edna' })
    await page.getByRole('heading', { name: 'Your open bugs' }).waitFor()
    const home = await page.evaluate<number>(LOADED_BYTES)
    await page.goto('/bugs?status=__open__')
    await page.getByRole('row').nth(1).waitFor()
    const list = await page.evaluate<number>(LOADED_BYTES)
    await page.goto(`/bug/${body.bugs[0].id}`)
    await page.getByRole('textbox', { name: 'Comment' }).waitFor()
    await page.getByRole('toolbar', { name: 'Markdown' }).waitFor()
    const bug = await page.evaluate<number>(LOADED_BYTES)
    const links = await page
      .locator('.brand, .breadcrumbs a, .comment-number, a.person')
      .evaluateAll((all) => all.map((it) => Math.ceil(it.getBoundingClientRect().height)))
    assert.ok(links.length > 3 && links.every((height) => height >= 24), `heights of links: ${links}`)
    // Less than a tenth of it would mean that it was not measured.
    for (const bytes of [home, list, bug])
      assert.ok(bytes > 10_000 && bytes <= MOST_BYTES, `${home}, ${list} and ${bug} bytes`)
    const apart = page.locator('#style-apart')
    assert.equal(
      await apart.evaluate((it) => it.hasAttribute('href')),
      false,
      'the second style sheet is not loaded with a bug',
    )
    await follow(page, '/products')
    await page.getByRole('link', { name: 'TestProduct' }).waitFor()
    assert.equal(
      await page.evaluate<string>(`getComputedStyle(document.querySelector('.product')).display`),
      'grid',
      'it is there with the first view',
    )
    await page.reload()
    await page.getByRole('link', { name: 'TestProduct' }).waitFor()
    assert.equal(await apart.evaluate((it) => it.hasAttribute('href')), true, 'a page that needs it comes with it')
    await at.world.ada.put('/rest/parameters', { use_markdown: false })
    await at.leave()
  })

  it('shows what replaces an old page at its place, with links to the part of the documentation, and no unknown help', async () => {
    const { page } = await at.visit('/summarize_time.cgi')
    const place = page.locator('#summarize_time')
    await place.and(page.locator('.is-target:focus')).waitFor()
    const links = page.locator('.help-word a')
    const hrefs = await links.evaluateAll((all) => all.map((it) => String(it.getAttribute('href'))))
    const { body: docs } = await at.world.edna.get('/rest/docs', { Accept: 'text/html' })
    const parts = hrefs.filter((href) => href.startsWith('/rest/docs')).map((href) => href.slice('/rest/docs#'.length))
    assert.deepEqual(
      parts.filter((part) => !String(docs).includes(`id="${part}"`)),
      [],
    )
    await at.world.ada.post('/rest/keyword', { name: 'old-word', description: 'It <b>was</b> meant' })
    await page.goto('/describekeywords.cgi')
    await page.getByRole('region', { name: 'Keywords' }).getByText('It <b>was</b> meant').waitFor()
    assert.match((await page.getByRole('link', { name: 'old-word' }).getAttribute('href')) ?? '', /keywords=old-word/)
    await follow(page, '/help/nothing')
    await page.getByText('There is no page at this address').waitFor()
    await at.leave()
  })

  it('shows hostile text as text, in every field that people fill in', async () => {
    const { ada, edna } = at.world
    const name = '<img src=x onerror="document.title=1">'
    const created = await Promise.all([
      ada.post('/rest/product', { name, description: HOSTILE, version: name, bug_template: HOSTILE }),
      ada.post('/rest/field/bug', { name: 'hostile', display_name: name, type: 'free text', is_on_bug_entry: true }),
      ada.post('/rest/flag_type', { name: name.replaceAll(' ', ''), description: HOSTILE }),
      ada.post('/rest/keyword', { name: '<b>', description: HOSTILE }),
    ])
    assert.deepEqual(
      created.map(({ status }) => status),
      [201, 201, 201, 201],
    )
    const part = { name, description: HOSTILE, default_assignee: cast.edna.login }
    await ada.post('/rest/component', { product: name, ...part })
    await ada.post(`/rest/product/${encodeURIComponent(name)}/milestone`, { name: '<i>' })
    const { status, body } = await edna.post('/rest/bug', {
      ...{
        product: name,
        component: name,
        version: name,
        target_milestone: '<i>',
        summary: HOSTILE,
        keywords: ['<b>'],
      },
      ...{ description: HOSTILE, cf_hostile: HOSTILE, whiteboard: HOSTILE, alias: ['<u>'] },
      flags: [{ name: name.replaceAll(' ', ''), status: '?', requestee: cast.edna.login }],
    })
    assert.equal(status, 200, JSON.stringify(body))
    await edna.put(`/rest/bug/${body.id}/tags`, { add: ['<s>'] })
    const user = await at.world.newUser({ full_name: HOSTILE })
    await user.client.post(`/rest/bug/${body.id}/comment`, { comment: `@${HOSTILE}` })
    const product = encodeURIComponent(name)
    const page = await pageOf('edna', '/')
    const expectOnlyText = async (where: string) => {
      const made = page.locator('img, main script, main i i, main s s, main u u, [onerror]')
      assert.deepEqual(
        await made.evaluateAll((all) => all.map((it) => (it as { outerHTML: string }).outerHTML)),
        [],
        where,
      )
      assert.doesNotMatch(await page.title(), /^(owned|1)$/, where)
    }
    for (const address of [
      '/',
      '/requests',
      '/products',
      `/product/${product}`,
      `/file/${product}/${product}`,
      `/bugs?product=${product}&group=component&columns=id,summary,product,component,version,whiteboard,keywords,cf_hostile`,
      `/bugs?product=${product}&view=board&by=version`,
      `/user/${user.login}`,
      // The tests of these pages have hostile text too.
      ...(isEveryCombination
        ? [`/file?clone=${body.id}`, `/bugs?view=search&f1=short_desc&o1=substring&v1=${product}`, `/bug/${body.id}`]
        : []),
    ]) {
      // Data that come with a loaded page are read in another way than those that it asks for, but in one way for all pages.
      if (address.includes('group=component') || (isEveryCombination && !/requests|view=search/.test(address)))
        await page.goto(address)
      else if (address !== '/') await moveTo(page, address)
      await page.getByText('onerror').first().waitFor({ state: 'attached' })
      await expectOnlyText(address)
    }
    await page.keyboard.press('Control+k')
    for (const text of ['@person', 'onerror']) {
      await page.keyboard.press('Control+a')
      await typeText(page, text)
      await page
        .getByRole('option', { name: /onerror=/ })
        .first()
        .waitFor()
      await expectOnlyText(`the palette with ${text}`)
    }
    await page.keyboard.press('Escape')
  })

  it('lists requests of the reader, of anybody and by the reader, also where a bug has several', async () => {
    const { ada, edna } = at.world
    await ada.post('/rest/flag_type', { name: 'second-look', description: 'Another user looks at it.' })
    const asked = { name: 'second-look', status: '?' }
    const flags = [{ ...asked, requestee: cast.sven.login }, asked]
    const bug = { product: 'TestProduct', component: 'TestComponent', version: 'unspecified', flags }
    await edna.post('/rest/bug', { ...bug, summary: 'The hull leaks' })
    const page = await pageOf('sven', '/requests')
    const leaks = (title: string) =>
      page.getByRole('region', { name: title }).getByRole('link', { name: /The hull leaks/ })
    await leaks('Asked of you').waitFor()
    await leaks('Asked of anybody').waitFor()
    assert.equal(await leaks('Asked by you').count(), 0)
    const ofAsker = await pageOf('edna', '/requests')
    await ofAsker.getByRole('region', { name: 'Asked by you' }).getByText('of Sven Security').waitFor()
  })

  it('shows what is new at home: the last words, unread marks, milestones, searches, drafts and what was seen; and finds its way by name', async () => {
    const { ada, edna, sven } = at.world
    await ada.post('/rest/product/TestProduct/milestone', { name: '2.0' })
    const bug = { product: 'TestProduct', component: 'TestComponent', version: 'unspecified', target_milestone: '2.0' }
    const mine = { ...bug, summary: 'The door sticks', assigned_to: cast.edna.login }
    const { id } = (await edna.post('/rest/bug', mine)).body
    const done = (await edna.post('/rest/bug', { ...bug, summary: 'It is done' })).body.id
    await edna.put(`/rest/bug/${done}`, { status: 'RESOLVED', resolution: 'FIXED' })
    await edna.post('/rest/saved_search', {
      name: `Doors ${HOSTILE.replace(/[<>&]/g, '')}`.slice(0, 60),
      query: 'summary=door',
    })
    await edna.post(`/rest/bug_user_last_visit/${id}`)
    const anHourAgo = `${new Date(Date.now() - 3_600_000).toISOString().slice(0, 19)}Z`
    await at.world.db.query((q) => q.updateTable('last_visits').set({ at: anHourAgo }).where('bug_id', '=', id))
    await sven.post(`/rest/bug/${id}/comment`, { comment: `> a quote\nIt sticks ${HOSTILE}` })
    const page = await pageOf('edna', '/')
    const part = (name: string) => page.getByRole('region', { name })
    await part('Changed since you looked').getByText('1 new').waitFor()
    await part('Changed since you looked').getByText(`It sticks ${HOSTILE}`).waitFor()
    await part('Your open bugs').locator('.is-unread').getByText('The door sticks').waitFor()
    await part('Milestones').getByRole('link', { name: 'TestProduct 2.0' }).waitFor()
    await part('Milestones').getByText('50 %').waitFor()
    await part('Saved searches')
      .getByRole('link', { name: /^Doors.*1$/ })
      .waitFor()
    await expectAccessible(page)
    await part('Recently seen')
      .getByRole('link', { name: /The door sticks/ })
      .click()
    await page.getByRole('textbox', { name: 'Comment' }).fill('Later')
    await page.goBack()
    await part('Drafts')
      .getByRole('link', { name: `A comment on bug ${id}` })
      .waitFor()
    // A form that was only looked at is no draft.
    await follow(page, '/file')
    await page.getByRole('heading', { name: 'File a bug' }).waitFor()
    await page.goBack()
    await part('Drafts').waitFor()
    assert.equal(await part('Drafts').getByRole('link').count(), 1)
    await page.reload()
    await part('Changed since you looked').getByText('Bugs that you have looked at are listed here').waitFor()

    // The way by name, with keys only.
    await page.keyboard.press('Control+k')
    await typeText(page, 'storm')
    await page.getByRole('option', { name: /The lamp stays dark/ }).waitFor()
    await page.keyboard.press('Control+a')
    await typeText(page, '@sven')
    await page.getByRole('option', { name: /Sven Security/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Sven Security' }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    await page.getByRole('heading', { name: 'Your open bugs' }).waitFor()
  })

  it('orders, renames, shares, mails and deletes saved searches, with keys only', async () => {
    const { ada, sven } = at.world
    for (const name of ['Bells', 'Lamps']) await sven.post('/rest/saved_search', { name, query: `summary=${name}` })
    const page = await pageOf('sven', '/settings/searches')
    await page.getByRole('button', { name: 'Move Lamps up' }).press('Enter')
    await page
      .locator('.search-row')
      .filter({ hasText: 'Lamps' })
      .locator('+ .search-row')
      .filter({ hasText: 'Bells' })
      .waitFor()
    await page.getByRole('button', { name: 'Change Lamps' }).press('Enter')
    await page.getByLabel('Name').fill('All lamps')
    await page.getByLabel('Share with').selectOption('editbugs')
    await page.getByLabel('Mail it to me').selectOption('MF')
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
    await page.getByText('Mail: Monday to Friday, 8:00 UTC').waitFor()
    const { saved_searches: saved } = (await sven.get('/rest/saved_search?shared=false')).body
    assert.deepEqual(
      saved.filter(({ name }) => /lamps/i.test(name)).map((it) => [it.name, it.shared_with]),
      [['All lamps', 'editbugs']],
    )
    const other = await pageOf('edna', '/settings/searches')
    await other.getByRole('region', { name: 'Shared with you' }).getByText('All lamps').waitFor()
    assert.equal(await other.getByRole('button', { name: 'Delete All lamps' }).count(), 0)
    // Who may share no longer sees that the share is paused, and the group does not see the search.
    await ada.put('/rest/parameters', { querysharegroup: 'admin' })
    await other.reload()
    await other.getByRole('heading', { name: 'Your searches' }).waitFor()
    assert.equal(await other.getByText('All lamps').count(), 0)
    await pageOf('sven', '/settings/searches')
    await page.getByText('Paused for editbugs: its members do not see this while you may not share.').waitFor()
    await ada.put('/rest/parameters', { querysharegroup: 'editbugs' })
    await page.getByRole('button', { name: 'Delete All lamps' }).press('Enter')
    await page.getByRole('button', { name: 'Delete the search' }).press('Enter')
    await page.getByText('“All lamps” is deleted.').waitFor()
    assert.deepEqual((await sven.get('/rest/scheduled_mail')).body.scheduled_mails, [])
  })

  itInSoak('lets an administrator make a product, an account and set mail, and nobody else', async () => {
    const page = await pageOf('ada', '/admin/products')
    const product = page.getByRole('form', { name: 'A new product' })
    await product.getByLabel('Name').fill('Sailing boat')
    await product.getByLabel('What it is').fill(HOSTILE)
    await product.getByRole('button', { name: 'Create the product' }).click()
    assert.match(
      (await page.getByRole('link', { name: 'decide who sees them' }).getAttribute('href')) ?? '',
      /#groups$/,
    )
    const component = page.getByRole('form', { name: 'A component of a product' })
    assert.equal(await component.getByLabel('Product').inputValue(), 'Sailing boat', 'the product that was just made')
    await page.getByRole('link', { name: 'file one in Sailing boat' }).click()
    await page.getByRole('heading', { name: 'File a bug' }).waitFor()
    assert.match(page.url(), /\/file\/Sailing%20boat\/General$/)
    await follow(page, '/admin/people')
    await page.getByLabel('Mail address').fill('nina@lacewing.test')
    await page.getByLabel('Real name').fill('Nina New')
    const password = await page.getByLabel('Password').inputValue()
    await page.getByRole('button', { name: 'Create the account' }).click()
    await page.getByText(`Password: ${password}`).waitFor()
    const login = new URLSearchParams({ login: 'nina@lacewing.test', password })
    assert.equal((await at.world.nobody.get(`/rest/login?${login}`)).status, 200)
    await page.getByLabel('Mail address').fill('nina@lacewing.test')
    await page.getByRole('button', { name: 'Create the account' }).click()
    await page.getByRole('alert').filter({ hasText: 'nina@lacewing.test' }).waitFor()
    await follow(page, '/admin/mail')
    await page.getByLabel('Mail comes from').fill('bugs@lacewing.test')
    await page.getByRole('form', { name: 'Sender and address' }).getByRole('button', { name: 'Save' }).click()
    await page.getByText('Mail and address are set.').waitFor()
    assert.equal((await at.world.ada.get('/rest/parameters')).body.parameters.mailfrom, 'bugs@lacewing.test')
    const other = await pageOf('edna', '/admin/people')
    await other.getByText('This is for administrators').waitFor()
    assert.equal(await other.getByRole('form').count(), 0)
  })

  it('triages a queue with keys only: one decision per bug, the focus stays, and the last one can be taken back', async () => {
    const { ada, edna, sven } = at.world
    const file = (summary: string) => fileBug(edna, { summary, whiteboard: '[portal]', status: 'CONFIRMED' })
    const [first, taken, second, third, fourth] = [
      await file('The export stops at 65,536 rows'),
      await file('Somebody has this one open'),
      await file('The tooltip hides the last value'),
      await file('The axis shows seven digits'),
      await file('The export stops at 65,536 rows again'),
    ]
    const elsewhere = await fileBug(edna, { summary: 'Exports end early' })
    const wanted = { name: 'Portal', query: 'whiteboard=[portal]&resolution=---', group: 'editbugs' }
    assert.equal((await ada.post('/rest/triage', wanted)).status, 201)
    await sven.put('/rest/triage/Portal/claim', { bug: taken })
    const { page } = await at.visit('/triage', { as: 'edna' })
    await page.getByRole('navigation', { name: 'Main', exact: true }).getByText('to triage').waitFor()
    await page.getByRole('link', { name: 'Portal' }).press('Enter')
    const shown = (summary: string) => page.getByRole('heading', { level: 2, name: summary, exact: true }).waitFor()
    const isReady = () => until(async () => (await page.evaluate('document.activeElement.textContent')) === 'Accept A')
    const press = (...keys: string[]) =>
      keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve())
    const said = (words: string) => page.locator('.toast').filter({ hasText: words }).waitFor()
    const read = async (id: number) => (await edna.get(`/rest/bug/${id}`)).body.bugs[0]

    await shown('The export stops at 65,536 rows')
    await isReady()
    await page.getByText('Sven').first().waitFor()
    await press('4')
    await page.keyboard.type('Highest')
    await press('Escape', 'a')
    await said(`Bug ${first} is accepted.`)
    assert.equal((await read(first)).priority, 'Highest')
    // The next one is skipped: somebody else has it open.
    await shown('The tooltip hides the last value')
    await isReady()
    await press('x')
    await page.getByRole('dialog').getByLabel('A sentence to the reporter').waitFor()
    await page.keyboard.type('It is meant to be so.')
    await press('Control+Enter')
    await said(`Bug ${second} is declined.`)
    const declined = await read(second)
    assert.deepEqual([declined.is_open, declined.resolution === 'FIXED'], [false, false])
    await shown('The axis shows seven digits')
    await isReady()
    await press('s')
    await page.getByRole('button', { name: '3 hours' }).press('Enter')
    await said(`Bug ${third} is snoozed.`)
    await shown('The export stops at 65,536 rows again')
    await isReady()
    await press('d')
    await page.getByLabel('Number of the other bug').waitFor()
    await page.keyboard.type(String(elsewhere))
    await press('Enter')
    await said(`Bug ${fourth} is a duplicate.`)
    assert.equal((await read(fourth)).dupe_of, elsewhere)
    await page.getByText('Others have the remaining bugs open').waitFor()
    await press('z')
    await said(`Bug ${fourth} is as it was before.`)
    assert.equal((await read(fourth)).is_open, true)
    await shown('The export stops at 65,536 rows again')
    await isReady()
    await press('r')
    await page.getByRole('dialog').getByLabel('Question').waitFor()
    await page.keyboard.type('Which release?')
    await edna.put(`/rest/bug/${fourth}`, { whiteboard: '[portal] seen' })
    await press('Control+Enter')
    await page.getByRole('dialog').getByText('Somebody else has changed this bug meanwhile').waitFor()
    await expectAccessibleInBothThemes(page)
    assert.equal((await edna.get('/rest/triage/Portal')).body.queues[0]?.decided.length, 3)
  })

  it('empties the inbox with keys, brings back what was done, and reads only what is looked at', async () => {
    const page = await pageOf('sven', '/inbox')
    const entry = page.getByRole('region', { name: 'Entries' }).getByRole('link', { name: 'The hull leaks' })
    const unread = (count: number) => page.getByRole('main').getByText(`${count} unread`).waitFor()
    await entry.waitFor()
    await page.getByRole('navigation', { name: 'Reasons' }).getByText('Mentioned').waitFor()
    assert.equal(await page.getByRole('navigation', { name: 'Reasons' }).getByText('Rule').count(), 0)
    await unread(1)
    await page.keyboard.press('j')
    const pane = page.getByRole('complementary', { name: /^Bug \d+$/ })
    await pane.getByText('Edna Editor asks you for second-look.').waitFor()
    await pane.getByText(/^Priority: .*Severity: .*Assignee: /).waitFor()
    assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'nothing is beyond the edge')
    await unread(0)
    await page.keyboard.press('u')
    await unread(1)
    await expectAccessible(page)
    await page.keyboard.press('e')
    await page.locator('.toast').filter({ hasText: 'is done' }).waitFor()
    await page.getByText('Nothing needs you now').waitFor()
    await page.keyboard.press('z')
    await entry.waitFor()
    await page.keyboard.press('1')
    await page.waitForURL((url) => url.searchParams.get('reason') === 'asked')
    await entry.click()
    await page.keyboard.press('s')
    await page.getByRole('dialog').getByRole('button', { name: 'When it changes' }).click()
    await page
      .getByText('When a user asks you for a review or an answer, or you asked to be reminded, it is here.')
      .waitFor()
    await page
      .getByRole('navigation', { name: 'Reasons' })
      .getByRole('link', { name: /Snoozed/ })
      .click()
    await entry.waitFor()
    await page.getByRole('button', { name: /^What to do with bug/ }).click()
    await page.getByRole('menuitem', { name: 'Back into the inbox' }).click()
    await page.getByText('What you snooze waits here until its time.').waitFor()
  })

  itInSoak(
    'on a phone a finger puts an entry away to the right, snoozes it to the left, and otherwise does nothing',
    async () => {
      const { page, context } = await at.visit('/inbox', { as: 'sven', isPhone: true })
      const entry = page
        .getByRole('region', { name: 'Entries' })
        .getByRole('listitem')
        .filter({ hasText: 'The hull leaks' })
      const { x = 0, y = 0 } = (await entry.boundingBox()) ?? {}
      const tools = await context.newCDPSession(page)
      const drag = async (dx: number, dy = 0) => {
        const at = (part: number) => [{ x: x + 150 + dx * part, y: y + 20 + dy * part }]
        await tools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) })
        for (const part of [0.3, 0.6, 1])
          await tools.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(part) })
        await tools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
      }
      await drag(60)
      await drag(0, -80)
      await drag(-60)
      await drag(-120)
      await page.getByRole('dialog', { name: 'Snooze' }).waitFor()
      await page.keyboard.press('Escape')
      assert.equal(new URL(page.url()).search, '', 'none of them opened the entry')
      await drag(120)
      await page.getByText('Nothing needs you now').waitFor()
      // Chromium takes a tap right after a swipe for the end of it.
      await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
      await entry.waitFor()
      await at.leave()
    },
  )
})
