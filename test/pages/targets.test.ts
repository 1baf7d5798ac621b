import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { Page } from 'playwright-core'
import { attach } from '../support/attach.ts'
import { describeInBrowser, follow } from '../support/browser.ts'
import { fileBug } from '../support/file-bug.ts'
import { typeText } from '../support/keyboard.ts'
import { isEveryCombination, itInSoak } from '../support/sample.ts'
import { smallTargets } from '../support/targets.ts'

/** As many users as the server suggests at once. */
const CROWD = 25
const PHONE = { width: 360, height: 640 }
const DESKTOP = { width: 1280, height: 720 }

describeInBrowser('the size of what one presses and reads', (at) => {
  let page: Page
  let [pebble, last] = [0, 0]

  before(async () => {
    const { ada } = at.world
    const crowd = Array.from({ length: CROWD }, (_, place) => ({
      ...{ email: `crowd${place}@lacewing.test`, full_name: `Crowd ${place}` },
    }))
    await Promise.all(crowd.map((user) => at.world.newUser(user)))
    pebble = await fileBug(ada, { summary: 'Pebble 0' })
    for (let place = 1; place < 9; place++)
      last = await fileBug(ada, { summary: `Pebble ${place}`, ...(place === 8 && { depends_on: [pebble] }) })
    await ada.put(`/rest/bug/${last}`, { priority: 'High', severity: 'minor', cc: { add: ['crowd1@lacewing.test'] } })
    await ada.put(`/rest/bug/${last}`, { cc: { remove: ['crowd1@lacewing.test'] } })
    await ada.post(`/rest/bug/${last}/comment`, { comment: `See bug ${pebble}.` })
    await attach(ada, last, { summary: 'A picture of it', file_name: 'pebble.txt' })
    page = (await at.visit('/', { as: 'ada' })).page
  })

  const open = async (address: string) => {
    await follow(page, address)
    await page.locator('main h1').first().waitFor()
    await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' })
  }

  it('is at least 24 pixels for every control, on a desktop and on a phone', async () => {
    const found: string[] = []
    const measure = async (where: string) => {
      for (const size of [PHONE, DESKTOP]) {
        await page.setViewportSize(size)
        const small = await smallTargets(page)
        if (small.length > 0) found.push(`${where} at ${size.width} pixels: ${small.join('; ')}`)
      }
    }
    const main = [
      ...['/', '/bugs?summary=pebble', `/bug/${last}`, `/bug/${last}?view=history`, '/requests', '/settings'],
      ...['/file/TestProduct/TestComponent?summary=pebble', '/admin/people', '/admin/products'],
    ]
    const others = [
      ...['/bugs?summary=pebble&group=priority', '/bugs?summary=pebble&view=board', '/bugs?view=search&summary=pebble'],
      ...[`/bug/${last}?view=tree`, `/bug/${last}?view=attachments`, '/settings/keys', '/settings/factors'],
      ...['/settings/searches', '/admin', '/admin/mail', '/products', '/product/TestProduct', '/help', '/help/keys'],
      ...['/user/crowd1%40lacewing.test', '/forgot', '/nothing'],
    ]
    for (const address of isEveryCombination ? [...main, ...others] : main) {
      await open(address)
      if (address.includes('/bugs')) await page.locator('.bug-table-row, .board-card, .builder').first().waitFor()
      if (address.startsWith('/file')) await page.locator('.duplicate').first().waitFor()
      await measure(address)
    }
    await open('/bugs?summary=pebble&order=bug_id')
    await page.locator('.bug-table-row').first().waitFor()
    await page.keyboard.press('End')
    await page.getByRole('complementary', { name: /^Preview of bug/ }).waitFor()
    await measure('the preview')
    await page.keyboard.press('Control+k')
    await typeText(page, 'pebble')
    await page
      .getByRole('option', { name: /Pebble \d/ })
      .first()
      .waitFor()
    await measure('the palette')
    await page.keyboard.press('Escape')
    assert.deepEqual(found, [])
  })

  itInSoak('is a whole row at the end of the palette, whatever the height', async () => {
    await open(`/bug/${last}`)
    for (const size of [PHONE, { width: 1280, height: 500 }, DESKTOP]) {
      await page.setViewportSize(size)
      await page.keyboard.press('Control+k')
      await page.getByRole('option').first().waitFor()
      assert.deepEqual(await page.evaluate(CUT_ROWS), [], `the first rows at ${size.width}×${size.height}`)
      await page.keyboard.press('ArrowUp')
      await page.locator('[role=option]:last-child.is-active').waitFor()
      assert.deepEqual(await page.evaluate(CUT_ROWS), [], `the last rows at ${size.width}×${size.height}`)
      assert.equal(await page.evaluate(PRESSED_AT_END), true, `the last row at ${size.width}×${size.height}`)
      await page.keyboard.press('Escape')
    }
  })

  itInSoak('is known of every list that is cut', async () => {
    await page.setViewportSize(DESKTOP)
    const says = (words: string) => page.getByText(words, { exact: true }).waitFor()
    const type = async (text: string) => {
      await page.keyboard.press('Control+a')
      await typeText(page, text)
    }
    await open(`/bug/${last}`)
    await page.keyboard.press('Control+k')
    await type('pebble')
    await page.getByRole('option', { name: 'Search for pebble more than 6 bugs' }).waitFor()
    await type('pebble 8')
    await page.getByRole('option', { name: 'Search for pebble 8', exact: true }).waitFor()
    await type('crowd')
    await says('There are more people. Begin with @ to see them.')
    await type('@crowd')
    await says('There are more people. Type more of the name.')
    await type('@crowd1@')
    await page.getByText('There are more people.').waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Priority:/ }).waitFor()
    await page.keyboard.type('eb')
    await page.getByRole('combobox', { name: 'Add to Blocks' }).fill('pebble')
    await page.getByRole('option', { name: 'Pebble 1' }).waitFor()
    // The eight others: the bug itself is not among them.
    await page.getByText('There are more bugs.').waitFor({ state: 'detached' })
    await fileBug(at.world.ada, { summary: 'Pebble 9' })
    await page.getByRole('combobox', { name: 'Add to Blocks' }).fill('Pebble')
    await says('There are more bugs. Type more words, or a number.')
    await page.keyboard.press('Escape')
    const search = page.getByRole('combobox', { name: 'Search bugs' })
    await search.fill('pebble')
    await says('There are more bugs. Enter lists them.')
    await search.fill('assignee:crowd')
    await says('There are more people. Type more of the name.')
    await search.fill('s')
    await page.getByRole('option', { name: 'status:' }).waitFor()
    await search.press('Escape')
  })

  itInSoak('lets the history and the settings be read on a phone', async () => {
    await page.setViewportSize(PHONE)
    await open(`/bug/${last}?view=history`)
    await page.getByRole('row', { name: /Priority/ }).waitFor()
    assert.deepEqual(await page.evaluate(SPLIT_CHANGES), [])
    await open('/settings')
    await page
      .getByText(/^logged in (just now|\d+ min ago)$/)
      .first()
      .waitFor()
    assert.deepEqual(await page.evaluate(WRAPPED_FACTS), [])
    await page.setViewportSize(DESKTOP)
  })
})

/** Rows that are partly outside of their list. */
const CUT_ROWS = `(() => {
  const { top, bottom } = document.querySelector('dialog .popup').getBoundingClientRect()
  return [...document.querySelectorAll('dialog [role=option]')].flatMap((row) => {
    const box = row.getBoundingClientRect()
    const isOutside = box.bottom <= top + 4.5 || box.top >= bottom - 4.5
    const isInside = box.top >= top - 0.5 && box.bottom <= bottom + 0.5
    return isOutside || isInside ? [] : [row.textContent]
  })
})()`

const PRESSED_AT_END = `(() => {
  const row = document.querySelector('dialog [role=option]:last-child')
  const { left, bottom } = row.getBoundingClientRect()
  return row.contains(document.elementFromPoint(left + 12, bottom - 3))
})()`

/** What was and what is stand on one line if they are short, and nothing is cut. */
const SPLIT_CHANGES = `[...document.querySelectorAll('.history-table tbody tr')].flatMap((row) => {
  const [, , what, was, is] = [...row.cells].map((cell) => [...cell.getClientRects()].at(-1))
  const isSplit = was !== undefined && is !== undefined && (was.top !== is.top || what.top !== is.top)
  return isSplit || row.scrollWidth > row.clientWidth ? [row.textContent] : []
})`

const WRAPPED_FACTS = `[...document.querySelectorAll('.facts > *')].flatMap((fact) => {
  const range = document.createRange()
  range.selectNodeContents(fact)
  const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
  return lines.size === 1 ? [] : [fact.textContent]
})`
