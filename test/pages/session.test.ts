import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Page } from 'playwright-core'
import { describeInBrowser, follow } from '../support/browser.ts'
import { cast, PASSWORD } from '../support/cast.ts'
import { sampled } from '../support/sample.ts'

describeInBrowser('signing in to the pages', (at) => {
  afterEach(() => at.leave())

  it('says that a password is wrong, leads back to where one was, and logs out', async () => {
    const { page, context } = await at.visit('/requests')
    await page.getByRole('link', { name: 'Log in' }).first().click()
    await page.getByLabel('Login name').fill(cast.edna.login)
    await page.getByLabel('Password').fill('wrong')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').filter({ hasText: 'That did not match' }).waitFor()
    assert.equal(await page.getByLabel('Password').inputValue(), 'wrong')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.waitForURL(`${at.world.url}/requests`)
    await page.getByRole('button', { name: /Edna Editor/ }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await page.getByRole('link', { name: 'Log in' }).first().waitFor()
    // The cookie by which the browser is known for the login name stays.
    assert.equal((await context.cookies()).filter(({ name }) => /^lacewing_\d+$/.test(name)).length, 0)
  })

  it('sends all parameters of a call that deletes, also those that are not in its path', async () => {
    const { page } = await at.visit('/help', { as: 'ada' })
    const { outputFiles } = await build({
      entryPoints: [fileURLToPath(new URL('../../web/core/server/rest.ts', import.meta.url))],
      ...{ bundle: true, write: false, format: 'iife', globalName: 'rest', logLevel: 'silent' },
    })
    const [request, refusal] = await Promise.all([
      page.waitForRequest((it) => it.method() === 'DELETE'),
      page.evaluate<string>(`${outputFiles[0]?.text}
        rest.remove('/bug/comment/:comment_id', { comment_id: 999999, reason: 'spam' }).catch((fault) => fault.reason)`),
    ])
    assert.deepEqual([request.postDataJSON(), refusal], [{ reason: 'spam' }, 'no_such_comment'])
  })

  it('sends pages and long answers to them compressed, except where another site asks', async () => {
    const encodingOf = (path: string, content: RegExp) => async (site: string) => {
      const headers = { 'Accept-Encoding': 'br', 'Sec-Fetch-Site': site }
      const response = await fetch(at.world.url + path, { headers })
      assert.match(await response.text(), content)
      return response.headers.get('Content-Encoding')
    }
    const sites = ['none', 'same-origin', 'cross-site']
    const page = encodingOf('/help', /<div id="app">/)
    assert.deepEqual(await Promise.all(sites.map(page)), ['br', 'br', null])
    const answer = encodingOf('/rest/field/bug', /"bug_status"/)
    assert.deepEqual(await Promise.all(sites.map(answer)), [null, 'br', null])
    const names = Array.from({ length: 300 }, (_, number) => `nothing_of_this_name_${number}=1`)
    const withIgnored = encodingOf(`/rest/bug?quicksearch=ALL&${names.join('&')}`, /"ignored":\[.{4096}/)
    assert.equal(await withIgnored('same-origin'), null)
  })

  it('have no page for an unknown part of the settings or the administration', async () => {
    const statusOf = async (path: string) => (await fetch(at.world.url + path)).status
    for (const path of ['/settings', '/settings/keys', '/admin/people']) assert.equal(await statusOf(path), 200, path)
    for (const path of ['/settings/unknown', '/settings/keys/1', '/admin/unknown', '/settings/constructor'])
      assert.equal(await statusOf(path), 404, path)
    const { page } = await at.visit('/settings/unknown', { as: 'edna' })
    await page.getByRole('heading', { name: 'There is no page at this address' }).waitFor()
  })

  it('shows a page at every address, however malformed', async () => {
    const { page } = await at.visit('/help')
    const addresses = [
      '/login?to=/bug/%25',
      '/login?to=/bug/%ED%A0%80',
      '/bugs?quicksearch=ALL&callback=x',
      '/bugs?quicksearch=ALL&api_key=wrong&Bugzilla_login=x&token=1-x',
      '/bugs?quicksearch=%ED%A0%80&group=%00',
      '/bugs?view=board&callback=x&by=%25',
      '/bug/%25',
      '/bug/%',
      '/bug/%ED%A0%80',
      '/bug/%00',
      '/user/%E0%A4%A',
      '/%',
      `/product/${'a%'.repeat(200)}`,
      `/bugs?quicksearch=${'x'.repeat(5000)}`,
      '/confirm/%ff?token=%ff',
      '/help/%25',
      '/settings/%25',
      '/file/%25/%25?clone=%25',
    ]
    const faults: string[] = []
    page.on('pageerror', (fault) => faults.push(`${page.url()}: ${fault.message}`))
    const loaded = new Set(sampled(addresses, 4))
    for (const address of addresses) {
      // The others are followed as links: every page is loaded in one way.
      const { status } = await fetch(at.world.url + address)
      assert.ok(status < 500, `${address}: ${status}`)
      if (loaded.has(address)) await page.goto(address)
      else await followAndDraw(page, address)
      await page
        .locator('#main')
        .waitFor({ timeout: 10_000 })
        .catch(() => faults.push(`${address} is blank`))
    }
    assert.deepEqual(faults, [])
    await follow(page, '/login?to=/bug/%25')
    await page.getByLabel('Login name').waitFor()
  })

  it('never leads to another site after logging in', async () => {
    const { page } = await at.visit('/login?to=//example.com/')
    await page.getByLabel('Login name').fill(cast.edna.login)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /Edna Editor/ }).waitFor()
    assert.equal(new URL(page.url()).origin, at.world.url)
  })
})

/** Returns when the page before is gone. Some addresses are none of the pages, and are loaded. */
async function followAndDraw(page: Page, address: string) {
  await follow(page, address)
  const drawn = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))'
  await page.evaluate(drawn).catch(() => page.waitForLoadState())
}
