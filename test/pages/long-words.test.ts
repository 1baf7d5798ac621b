import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { Page } from 'playwright-core'
import { attach } from '../support/attach.ts'
import { describeInBrowser, follow } from '../support/browser.ts'
import { cast } from '../support/cast.ts'
import { typeText } from '../support/keyboard.ts'
import { isEveryCombination, itInSoak, sampled } from '../support/sample.ts'
import { smallTargets } from '../support/targets.ts'
import type { Reply } from '../support/world.ts'

/** One word, as long as each field takes it: letters break nowhere by themselves. */
const word = (length: number) => 'Wordwithoutend'.repeat(20).slice(0, length)
const LONG = word(240)

/** What people type is shown in these places at the widths of a desktop and of a phone. */
const WIDTHS = [1280, 360]

/** Nobody has typed what they show. */
const WITHOUT_LONG_WORDS = ['/settings/keys', '/help/words']

describeInBrowser('a word without an end', (at) => {
  let page: Page
  let id = 0
  let login = ''
  const name = word(60)

  before(async () => {
    const { ada, edna } = at.world
    const user = await at.world.newUser({ full_name: LONG, groups: ['editbugs', 'canconfirm'] })
    login = user.login
    const made: Reply[] = [
      await ada.post('/rest/product', { name, description: LONG, version: word(50), bug_template: LONG }),
      await ada.post('/rest/component', { product: name, name, description: LONG, default_assignee: login }),
      await ada.post(`/rest/product/${name}/milestone`, { name: word(60) }),
      await ada.post('/rest/flag_type', { name: word(50), description: LONG }),
      await ada.post('/rest/keyword', { name: word(60), description: LONG }),
      await ada.post('/rest/group', { name: word(60), description: LONG, user_regexp: '.' }),
      await ada.post('/rest/field/bug', {
        name: 'long',
        display_name: word(60),
        type: 'free text',
        is_on_bug_entry: true,
      }),
      await ada.post('/rest/field/bug', {
        name: 'kind',
        display_name: LONG,
        type: 'drop down',
        values: [word(64)],
        is_on_bug_entry: true,
      }),
    ]
    const filed = {
      ...{ product: name, component: name, version: word(50), target_milestone: word(60) },
      ...{
        summary: LONG,
        description: `${LONG}\n\n> ${LONG}\n\nhttps://${LONG}.example/${LONG}`,
        keywords: [word(60)],
      },
      ...{ whiteboard: LONG, alias: [word(40)], url: `https://example.org/${LONG}`, cf_long: LONG, cf_kind: word(64) },
      ...{ cc: [login], see_also: [`https://example.org/show_bug.cgi?id=1&x=${LONG}`] },
      flags: [{ name: word(50), status: '?', requestee: cast.edna.login }],
    }
    const bug = await user.client.post('/rest/bug', filed)
    made.push(bug)
    id = bug.body.id
    made.push(
      await edna.post('/rest/bug', {
        ...filed,
        alias: [],
        depends_on: [id],
        summary: `${LONG}!`,
        assigned_to: cast.edna.login,
      }),
      await user.client.post(`/rest/bug/${id}/comment`, { comment: `${LONG} \`${LONG}\`` }),
      await edna.put(`/rest/bug/${id}`, { summary: `${LONG}?`, whiteboard: word(200), url: '', status: 'IN_PROGRESS' }),
      await edna.put(`/rest/bug/${id}/tags`, { add: [word(60)] }),
      await edna.put(`/rest/bug/comment/${id}/tags`, { add: [word(24)] }),
      await edna.post('/rest/saved_search', { name: word(60), query: `summary=${LONG}` }),
      await edna.post(`/rest/bug_user_last_visit/${id}`, {}),
    )
    await attach(edna, id, { summary: LONG, file_name: `${LONG}.txt`, comment: LONG })
    assert.deepEqual(
      made.filter(({ status }) => status >= 400).map(({ body }) => body),
      [],
    )
    page = (await at.visit('/', { as: 'edna' })).page
  })

  /** What reaches out of the window, unless a part of the page that scrolls by itself holds it. */
  const outsideOn = async (where: string) => {
    const found: string[] = []
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 860 })
      const outside = await page.evaluate<string[]>(OUTSIDE)
      if (outside.length > 0) found.push(`${where} at ${width} pixels: ${outside.join(', ')}`)
      // Where there is less room; the soak measures both.
      const small = width === 360 || isEveryCombination ? await smallTargets(page) : []
      if (small.length > 0) found.push(`small targets of ${where} at ${width} pixels: ${small.join(', ')}`)
    }
    await page.setViewportSize({ width: 1280, height: 860 })
    return found
  }

  it('widens no page', async () => {
    const found: string[] = []
    const query = `product=${name}`
    const columns =
      'columns=id,summary,product,component,version,whiteboard,keywords,alias,target_milestone,cf_long,cf_kind,assigned_to'
    const addresses = [
      '/',
      '/requests',
      '/products',
      `/product/${name}`,
      `/file/${name}/${name}?summary=${LONG}&whiteboard=${LONG}&keywords=${word(60)}&cc=${login}&description=${LONG}`,
      `/bugs?${query}&group=component&${columns}`,
      `/bugs?${query}&view=board&by=version`,
      `/bugs?view=search&${query}&f1=short_desc&o1=substring&v1=${LONG}`,
      `/bugs?quicksearch=${LONG}`,
      `/bug/${id}`,
      `/bug/${id}?view=history`,
      `/bug/${id}?view=attachments`,
      `/bug/${id}?view=tree`,
      `/bug/${id}?view=graph`,
      `/bug/${LONG}`,
      `/user/${encodeURIComponent(login)}`,
      '/settings',
      '/settings/searches',
      '/settings/mail',
      `/${LONG}`,
    ]
    // Those of the same kinds as some of these.
    const others = [`/bugs?${query}`, `/bugs?${query}&view=board`, `/bugs?${LONG}=1`, `/product/${LONG}`]
    for (const address of isEveryCombination
      ? [...addresses, ...others, ...WITHOUT_LONG_WORDS]
      : sampled(addresses, 3)) {
      await follow(page, address)
      await page.locator('main h1').first().waitFor()
      await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' })
      await page.evaluate(QUIET)
      if (address.includes('view=board')) await page.locator('.board-card').first().waitFor()
      found.push(...(await outsideOn(address.replaceAll(/(Wordwithoutend)+\w*/g, '…'))))
    }
    assert.deepEqual(found, [])
  })

  itInSoak('widens no place of the administration, and no dialog of it', async () => {
    const { ada } = at.world
    const group = word(60)
    const inner = `${word(50)}inner`
    await ada.post('/rest/group', { name: inner, description: LONG })
    await ada.put(`/rest/group/${group}`, { member_groups: { add: [inner] } })
    await ada.put(`/rest/product/${name}/group_control/${group}`, { membercontrol: 'Shown', canconfirm: true })
    await ada.put(`/rest/component/${name}/${name}`, { default_cc: [login] })
    const seen = page
    page = (await at.visit('/', { as: 'ada' })).page
    const found: string[] = []
    const places = [
      'products',
      `products/${name}`,
      'groups',
      `groups/${group}`,
      `groups/${inner}`,
      'groups/admin',
      'fields',
      'fields/cf_kind',
      'fields/cf_long',
      'flag-types',
      'flag-types/1',
      'keywords',
      'classifications',
      'workflow',
    ]
    for (const place of places) {
      await follow(page, `/admin/${place}`)
      await page.locator('main h1').first().waitFor()
      await page.evaluate(QUIET)
      found.push(...(await outsideOn(place.replaceAll(/(Wordwithoutend)+\w*/g, '…'))))
    }
    await follow(page, `/admin/products/${name}`)
    await page.getByRole('button', { name: 'Copy as a new product' }).click()
    await page.getByText('It gets 1 component').waitFor()
    found.push(...(await outsideOn('the dialog of a copy')))
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: `1 watch ${name}: change` }).click()
    found.push(...(await outsideOn('the dialog of a component')))
    await page.getByLabel('On the CC list of new bugs').fill('')
    await page.keyboard.press('Enter')
    await page.getByLabel('Description', { exact: true }).fill(`${LONG}.`)
    await page.getByRole('button', { name: `${group}: Administer` }).click()
    await page.evaluate(QUIET)
    found.push(...(await outsideOn('changes that are not saved')))
    await page.getByRole('button', { name: 'Preview what happens' }).click()
    await page.getByRole('dialog').locator('.change-effects').waitFor()
    found.push(...(await outsideOn('what happens')))
    await page.keyboard.press('Escape')
    await ada.put(`/rest/product/${name}`, { description: `${LONG}!` })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('dialog', { name: 'Saved by somebody else meanwhile' }).waitFor()
    found.push(...(await outsideOn('what somebody else has saved')))
    page = seen
    assert.deepEqual(found, [])
  })

  itInSoak('widens no list, message or dialog', async () => {
    const found: string[] = []
    await follow(page, `/bug/${id}`)
    await page.getByRole('button', { name: 'Change Whiteboard' }).click()
    await page.getByRole('textbox', { name: 'Whiteboard' }).fill(`${LONG}.`)
    await page.keyboard.press('Enter')
    await page.locator('.toast').filter({ hasText: LONG }).waitFor()
    found.push(...(await outsideOn('a message')))
    await page.getByRole('button', { name: /^Assignee:/ }).click()
    await page.getByRole('option', { name: LONG }).first().waitFor()
    found.push(...(await outsideOn('a list of options')))
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Request', exact: true }).click()
    await page.getByRole('option', { name: word(50) }).click()
    await page.getByRole('option', { name: LONG }).first().click()
    await page.getByRole('button', { name: `Without ${word(50)}` }).waitFor()
    found.push(...(await outsideOn('the composer')))
    await page.getByRole('button', { name: `Without ${word(50)}` }).click()
    await page.keyboard.press('Control+k')
    await typeText(page, word(20))
    await page.getByRole('option', { name: LONG }).first().waitFor()
    found.push(...(await outsideOn('the palette')))
    await page.keyboard.press('Escape')
    const search = page.getByRole('combobox', { name: 'Search bugs' })
    await search.fill(word(20))
    await page.getByRole('option', { name: LONG }).first().waitFor()
    found.push(...(await outsideOn('the search field')))
    await search.press('Escape')
    await follow(page, `/bugs?product=${name}`)
    await page.getByRole('grid', { name: 'Bugs' }).waitFor()
    // The message of the bug stays as long as the pointer is on it.
    await page.mouse.move(0, 0)
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.getByRole('button', { name: 'More fields' }).click()
    await page.getByRole('menuitem', { name: LONG }).waitFor()
    found.push(...(await outsideOn('a menu')))
    await page.getByRole('menuitem', { name: 'Whiteboard' }).click()
    await page.getByRole('textbox', { name: 'New value of Whiteboard' }).fill(LONG)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Preview 1 change' }).click()
    await page.getByRole('dialog').getByText(`→ ${LONG}`).waitFor()
    found.push(...(await outsideOn('a dialog')))
    assert.deepEqual(found, [])
  })
})

/** Waits in the page until nothing has been asked for a moment. */
const QUIET = `(async () => {
  const last = () => performance.getEntriesByType('resource').reduce((time, it) => Math.max(time, it.responseEnd), 0)
  while (performance.now() - last() <= 100) await new Promise((resolve) => setTimeout(resolve, 50))
})()`

const OUTSIDE = `(() => {
  const found = []
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth > clientWidth) found.push('the page is ' + scrollWidth + ' pixels wide')
  const holds = (it) => it !== null && (getComputedStyle(it).overflowX !== 'visible' || holds(it.parentElement))
  for (const it of document.querySelectorAll('body *')) {
    const { right, left, width } = it.getBoundingClientRect()
    if (width === 0 || right < 0 || (right <= clientWidth + 1 && left >= -1) || holds(it.parentElement)) continue
    found.push(it.tagName + '.' + it.getAttribute('class') + ' ' + Math.round(left) + ' to ' + Math.round(right))
  }
  // What scrolls sideways on a phone is cut there.
  for (const it of document.querySelectorAll('.scroll-box, .bulk-table'))
    if (it.scrollWidth > it.clientWidth) found.push('a table of ' + it.scrollWidth + ' pixels')
  return found.slice(0, 6)
})()`
