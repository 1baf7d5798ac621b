import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { Page } from 'playwright-core'
import { expectAccessible, expectAccessibleInBothThemes } from '../support/accessibility.ts'
import { describeInBrowser, follow, logIn, moveOn } from '../support/browser.ts'
import { cast } from '../support/cast.ts'
import { keptFiles } from '../support/kept-files.ts'
import { setControl } from '../support/new-member.ts'
import { isEveryCombination, itInSoak } from '../support/sample.ts'
import { sure } from '../support/sure.ts'
import { until } from '../support/until.ts'

const HOSTILE = '<img src=x onerror="document.title=\'owned\'">"\'</script><script>document.title="owned"</script>'
const TEMPLATE = 'What I did:\n\nWhat happened:\n'

describeInBrowser('filing a bug', (at) => {
  before(async () => {
    const { ada, edna } = at.world
    const filed = { product: 'TestProduct', component: 'TestComponent', version: 'unspecified' }
    await edna.post('/rest/bug', { ...filed, summary: 'The lamp stays dark after the storm' })
    for (const name of ['Rocket', 'Boat']) {
      const template = name === 'Rocket' ? TEMPLATE : 'Where it leaks:\n'
      await ada.post('/rest/product', { name, description: HOSTILE, version: '1', bug_template: template })
      const part = { product: name, name: 'Engine', description: HOSTILE, default_assignee: cast.ada.login }
      await ada.post('/rest/component', part)
    }
    await setControl(at.world, 'Rocket', 'security', { membercontrol: 'Shown', othercontrol: 'Shown' })
    await ada.post('/rest/keyword', { name: 'regression', description: HOSTILE })
    await ada.post('/rest/flag_type', {
      name: 'triage',
      description: HOSTILE,
      target_type: 'bug',
      inclusions: ['Rocket'],
      is_requestable: true,
      is_specifically_requestable: true,
    })
  })

  let edna: Page | undefined
  /** The form of a user who may edit bugs. Loaded by the first test, and reached from there by the others. */
  const formOf = async (address: string): Promise<Page> => {
    if (edna === undefined) edna = (await at.visit(address, { as: 'edna' })).page
    else await moveOn(edna, address)
    await edna.getByRole('heading', { name: 'File a bug' }).waitFor()
    return edna
  }
  const leave = async () => {
    edna = undefined
    await at.leave()
  }
  const summaryOf = (page: Page) => page.getByLabel(/^Summary/)
  const descriptionOf = (page: Page) => page.getByLabel('Description', { exact: true })
  const file = (page: Page) => page.getByRole('button', { name: 'File bug' }).click()
  const choose = async (page: Page, name: string, option: string) => {
    await page.getByRole('combobox', { name, exact: true }).fill(option)
    await page
      .getByRole('option', { name: new RegExp(option) })
      .first()
      .click()
  }
  const filedBug = async (page: Page) => {
    await page.waitForURL(/\/bug\/\d+$/)
    const id = page.url().split('/').at(-1)
    return (await at.world.ada.get(`/rest/bug/${id}?include_fields=_default,flags`)).body.bugs[0]
  }
  const bugsLike = async (summary: string) =>
    (await at.world.ada.get(`/rest/bug?summary=${encodeURIComponent(summary)}&include_fields=id`)).body.bugs

  itInSoak('works with keys only, and keeps the draft until then', async () => {
    const { page } = await at.visit('/help', { as: 'edna' })
    await page.keyboard.press('c')
    await page.waitForURL('**/file')
    await page.getByRole('combobox', { name: 'Product' }).focus()
    await page.keyboard.type('TestP')
    await page.getByRole('option', { name: /TestProduct/ }).waitFor()
    const { promise: isTyped, resolve: sendComponents } = Promise.withResolvers<void>()
    await page.route(/\/rest\/product.*TestProduct/, (route) => isTyped.then(() => route.continue()))
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', { name: 'Component' }).focus()
    await page.keyboard.type('Test')
    await page.getByText('Nothing matches.').waitFor()
    sendComponents()
    await page.getByRole('option', { name: /TestComponent/ }).waitFor()
    await page.keyboard.press('Enter')
    await summaryOf(page).fill('The lamp is dark')
    await page.getByText('The lamp stays dark after the storm').waitFor()
    await page.reload()
    assert.equal(await summaryOf(page).inputValue(), 'The lamp is dark')
    await summaryOf(page).press('Enter')
    const { summary, version } = await filedBug(page)
    assert.deepEqual([summary, version], ['The lamp is dark', 'unspecified'])
  })

  it('begins with the template of the product, and never replaces what was written', async () => {
    const page = await formOf('/file/Rocket/Engine')
    await page.getByText('Template of Rocket').waitFor()
    assert.equal(await descriptionOf(page).inputValue(), TEMPLATE)
    await choose(page, 'Product', 'Boat')
    await page.getByText('Template of Boat').waitFor()
    assert.equal(await descriptionOf(page).inputValue(), 'Where it leaks:\n')
    await descriptionOf(page).fill('Where it leaks: everywhere')
    await choose(page, 'Product', 'Rocket')
    await page.getByText('Template of').waitFor({ state: 'detached' })
    assert.equal(await descriptionOf(page).inputValue(), 'Where it leaks: everywhere')
  })

  it('sends the type, groups, people, keywords, bugs, hours and requests', async () => {
    const page = await formOf('/file/Rocket/Engine?summary=Everything')
    await page.getByLabel('Type', { exact: true }).selectOption('task')
    await page.getByLabel(/Only the group security/).check()
    await page.getByText('More fields').click()
    await choose(page, 'Assignee', cast.greta.login)
    await choose(page, 'CC', cast.stan.login)
    await choose(page, 'Keywords', 'regression')
    await page.getByRole('combobox', { name: 'Depends on' }).fill('1001')
    await page.getByRole('combobox', { name: 'Blocks' }).fill('999999')
    await page.getByLabel('Estimated hours').fill('2.5')
    await page.getByText('There is no bug 999999.').waitFor()
    await page.getByText('The lamp stays dark after the storm').waitFor()
    await page.getByRole('button', { name: 'Remove 999999' }).click()
    await page.getByLabel(/^triage/).check()
    await choose(page, 'Of whom to ask triage', cast.ada.login)
    await file(page)
    const bug = await filedBug(page)
    assert.deepEqual(
      [bug.groups, bug.assigned_to, bug.cc.includes(cast.stan.login), bug.keywords, bug.depends_on, bug.estimated_time],
      [['security'], cast.greta.login, true, ['regression'], [1001], 2.5],
    )
    assert.equal(bug.type, 'task')
    await page.locator('[data-field=type]').getByText('task').waitFor()
    assert.deepEqual(
      bug.flags.map(({ name, status, requestee }) => [name, status, requestee]),
      [['triage', '?', cast.ada.login]],
    )
  })

  itInSoak('previews a description in Markdown, names the bugs in it, and files it as Markdown', async () => {
    await at.world.withParameters({ use_markdown: true }, async () => {
      const page = await formOf('/file/Boat/Engine?summary=Loud')
      // The parameter is read when a page is loaded.
      await page.reload()
      await page.getByText('Template of Boat').waitFor()
      await descriptionOf(page).fill(`**Loud** like bug 1001 and bug 999999 ${HOSTILE}`)
      const named = page.getByRole('list', { name: 'Bugs that the text names' })
      await named.getByText('The lamp stays dark after the storm').waitFor()
      await named.getByText('There is no bug 999999 that you may see.').waitFor()
      await page.getByRole('button', { name: 'Preview' }).press('Enter')
      await page.locator('.composer strong').getByText('Loud').waitFor()
      assert.equal(await page.locator('.composer img').count(), 0)
      await file(page)
      await filedBug(page)
      await page.locator('#c0 strong').getByText('Loud').waitFor()
      await leave()
    })
  })

  it('asks anonymous readers to log in, offers no field that the reader may not choose, and does not clone a bug that the reader may not see', async () => {
    const { page, context } = await at.visit('/file/Rocket?summary=Later')
    await page.getByText('Log in to file a bug').waitFor()
    const href = await page.getByRole('main').getByRole('link', { name: 'Log in' }).getAttribute('href')
    assert.equal(href, `/login?to=${encodeURIComponent('/file/Rocket?summary=Later')}`)

    const bug = {
      product: 'Rocket',
      component: 'Engine',
      version: '1',
      summary: 'Hidden summary',
      groups: ['security'],
    }
    const { id } = (await at.world.ada.post('/rest/bug', bug)).body
    await logIn(context, 'stan')
    await page.goto(`/file?clone=${id}`)
    await page
      .getByText(/not allowed|log in/i)
      .first()
      .waitFor()
    assert.doesNotMatch(await page.content(), /Hidden summary/)

    await follow(page, '/file/TestProduct/TestComponent')
    await page.getByText('More fields').click()
    await page.getByRole('combobox', { name: 'CC' }).waitFor()
    for (const name of ['Assignee', 'Depends on', 'Deadline', 'Estimated hours'])
      assert.equal(await page.getByLabel(name).count(), 0, name)
    assert.equal(await page.getByText('Who can see this').count(), 0)
    await leave()
  })

  it('shows what is missing and what the server refuses at its field, and files once that is right', async () => {
    const page = await formOf('/file/TestProduct')
    await file(page)
    await page.getByText('Say in one line what happens, and where.').first().waitFor()
    assert.equal(await summaryOf(page).getAttribute('aria-invalid'), 'true')
    assert.equal(await page.getByRole('combobox', { name: 'Component' }).getAttribute('aria-invalid'), 'true')
    await follow(page, '/file/Boat/Engine?summary=Refused&alias=7')
    await page.getByText('Template of Boat').waitFor()
    await file(page)
    const alias = page.getByLabel('Alias')
    await alias.and(page.locator('[aria-invalid=true]')).waitFor()
    await alias.fill('')
    await page.getByRole('combobox', { name: 'CC' }).fill('no-such@example.test')
    await file(page)
    await page.getByRole('combobox', { name: 'CC' }).and(page.locator('[aria-invalid=true]')).waitFor()
    // The same name stands in two fields now; the server says which one it refuses.
    const assignee = page.getByRole('combobox', { name: 'Assignee' })
    await assignee.fill('no-such@example.test')
    await file(page)
    await assignee.and(page.locator('[aria-invalid=true]')).waitFor()
    await choose(page, 'Assignee', cast.greta.login)
    await page.getByRole('button', { name: 'Remove no-such@example.test' }).click()
    await file(page)
    assert.equal((await filedBug(page)).summary, 'Refused')
  })

  it('shows a field that depends on a value that new bugs get if nothing is chosen', async () => {
    const { ada } = at.world
    const rule = { visibility_field: 'bug_severity', visibility_values: ['normal'] }
    const field = { name: 'cf_weather', display_name: 'Weather', type: 'free text', is_on_bug_entry: true, ...rule }
    await ada.post('/rest/field/bug', field)
    const page = await formOf('/file/Rocket/Engine')
    await page.getByLabel('Weather').waitFor()
    await page.getByLabel('Severity').selectOption('minor')
    await page.getByLabel('Weather').waitFor({ state: 'detached' })
    await ada.put('/rest/field/bug/cf_weather', { is_obsolete: true })
    await leave()
  })

  it('says that there are more likely duplicates than it lists', async () => {
    const filed = { product: 'TestProduct', component: 'TestComponent', version: 'unspecified' }
    for (const where of ['hall', 'cellar', 'attic', 'garden', 'garage', 'kitchen'])
      await at.world.edna.post('/rest/bug', { ...filed, summary: `Doorbell rings twice in the ${where}` })
    const page = await formOf('/file/TestProduct?summary=Doorbell%20rings%20twice')
    const listed = page.getByRole('complementary', { name: 'Likely duplicates' })
    await listed.getByText('more than 5').waitFor()
    assert.equal(await listed.getByRole('listitem').count(), 5)
  })

  itInSoak('files another one like it', async () => {
    const page = await formOf('/file/Rocket/Engine?summary=First&priority=Low')
    await page.getByText('Template of Rocket').waitFor()
    await page.getByLabel('and another one like it').check()
    await file(page)
    await page.getByText(/Bug \d+ is filed\./).waitFor()
    assert.equal(await summaryOf(page).inputValue(), '')
    assert.equal(await descriptionOf(page).inputValue(), TEMPLATE)
    await page.getByLabel('and another one like it').uncheck()
    await summaryOf(page).fill('Second')
    await summaryOf(page).press('Enter')
    const { summary, component } = await filedBug(page)
    assert.deepEqual([summary, component], ['Second', 'Engine'])
    assert.equal((await bugsLike('First')).length, 1)
  })

  it('clones a bug', async () => {
    const bug = {
      product: 'Rocket',
      component: 'Engine',
      version: '1',
      summary: `Clone ${HOSTILE}`,
      url: 'http://a.test/',
    }
    const description = `It fails ${HOSTILE}`
    const { id } = (await at.world.edna.post('/rest/bug', { ...bug, description, keywords: ['regression'] })).body
    const page = await formOf(`/file?clone=${id}`)
    assert.equal(await summaryOf(page).inputValue(), bug.summary)
    assert.ok((await descriptionOf(page).inputValue()).endsWith(`clone of bug ${id} +++\n\n${description}`))
    await summaryOf(page).fill('The clone')
    await file(page)
    const clone = await filedBug(page)
    assert.deepEqual([clone.product, clone.url, clone.keywords], ['Rocket', bug.url, ['regression']])
  })

  it('keeps files with the draft, keeps those that could not be attached, and files nothing twice', async () => {
    const page = await formOf('/file/Boat/Engine?summary=With%20files')
    let isBroken = true
    await page.route('**/attachment', (route) =>
      isBroken && route.request().postData()?.includes('photo.jpg') ? route.abort() : route.continue(),
    )
    const buffer = Buffer.from('x')
    await page.locator('input[type=file]').setInputFiles([
      { name: 'station.log', mimeType: 'text/plain', buffer },
      { name: 'photo.jpg', mimeType: 'image/jpeg', buffer },
    ])
    await page.getByText('photo.jpg').waitFor()
    await until(async () => (await keptFiles(page)).includes('photo.jpg'))
    await page.reload()
    await page.getByText('photo.jpg').waitFor()
    await file(page)
    await page.getByText(/Bug \d+ is filed; photo.jpg could not be attached/).waitFor()
    await until(async () => isDeepStrictEqual(await keptFiles(page), ['photo.jpg']))
    isBroken = false
    await page.getByRole('button', { name: 'Try again' }).click()
    const { id } = await filedBug(page)
    const { body } = await at.world.edna.get(`/rest/bug/${id}/attachment?exclude_fields=data`)
    assert.deepEqual(
      sure(body.bugs[id]).map((it) => it.file_name),
      ['station.log', 'photo.jpg'],
    )
    assert.equal((await bugsLike('With files')).length, 1)
    await until(async () => (await keptFiles(page)).length === 0)
  })

  it('files once when the answer is lost', async () => {
    const page = await formOf('/file/Boat/Engine?summary=Lost%20answer')
    await page.getByText('Template of Boat').waitFor()
    let isLost = true
    await page.route('**/rest/bug', async (route) => {
      if (!isLost) return route.continue()
      isLost = false
      await route.fetch()
      await route.abort()
    })
    await descriptionOf(page).fill('It leaks.')
    await file(page)
    await page.getByText(/The server does not answer\. The draft is kept/).waitFor()
    await page.reload()
    assert.equal(await descriptionOf(page).inputValue(), 'It leaks.')
    await file(page)
    await filedBug(page)
    assert.equal((await bugsLike('Lost answer')).length, 1)
  })

  it('has no barrier that axe finds, light and dark, and fits a narrow window', async () => {
    const page = await formOf(`/file/Rocket/Engine?depends_on=1001&cc=${'x'.repeat(80)}`)
    await page.getByText('More fields').click()
    await page.getByLabel(/^triage/).check()
    await file(page)
    await page.getByRole('alert').waitFor()
    await (isEveryCombination ? expectAccessibleInBothThemes : expectAccessible)(page)
    assert.doesNotMatch(await page.title(), /owned/)
    await page.setViewportSize({ width: 360, height: 760 })
    const width = await page.evaluate<number>('document.documentElement.scrollWidth')
    await page.setViewportSize({ width: 1280, height: 860 })
    assert.ok(width <= 360, `${width} pixels wide`)
  })

  itInSoak('fits a phone', async () => {
    const { page } = await at.visit(`/file/Rocket/Engine?depends_on=1001&cc=${'x'.repeat(80)}`, {
      as: 'edna',
      isPhone: true,
    })
    await page.getByText('More fields').click()
    await page.getByLabel(/^triage/).check()
    const width = await page.evaluate<number>('document.documentElement.scrollWidth')
    assert.ok(width <= 360, `${width} pixels wide`)
    await summaryOf(page).fill('From a phone')
    await page.getByRole('button', { name: 'Remove x' }).tap()
    await page.getByRole('button', { name: 'File bug' }).tap()
    assert.equal((await filedBug(page)).summary, 'From a phone')
  })
})
