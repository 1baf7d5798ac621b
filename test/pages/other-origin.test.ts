import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, it } from 'node:test'
import type { Page } from 'playwright-core'
import { describeInBrowser } from '../support/browser.ts'
import { cast, PASSWORD } from '../support/cast.ts'

/** What a page of another origin tries with the browser of somebody who is logged in. Each answers what it got hold of. */
const ATTACKS = {
  'reads with a fetch that CORS allows': `const r = await fetch(TRACKER + '/rest/whoami'); return await r.text()`,
  'reads with a fetch with cookies': `const r = await fetch(TRACKER + '/rest/whoami', { credentials: 'include' }); return await r.text()`,
  'reads with a fetch without CORS': `const r = await fetch(TRACKER + '/rest/whoami', { credentials: 'include', mode: 'no-cors' }); return await r.text()`,
  'reads a page with a fetch with cookies': `const r = await fetch(TRACKER + '/settings', { credentials: 'include' }); return await r.text()`,
  'reads with a script tag and a callback': `
    return await new Promise((resolve) => {
      globalThis.stolen = (it) => resolve(JSON.stringify(it))
      const script = document.createElement('script')
      script.src = TRACKER + '/rest/whoami?callback=stolen'
      script.onerror = () => resolve('refused')
      document.body.append(script)
    })`,
  'reads a page as a script': `
    return await new Promise((resolve) => {
      const script = document.createElement('script')
      script.src = TRACKER + '/settings'
      script.onload = () => resolve('loaded')
      script.onerror = () => resolve('refused')
      document.body.append(script)
    })`,
  'reads a frame': `
    return await new Promise((resolve) => {
      const frame = document.createElement('iframe')
      frame.src = TRACKER + '/settings'
      frame.onload = () => { try { resolve(frame.contentDocument?.body.innerText ?? 'refused') } catch { resolve('refused') } }
      document.body.append(frame)
    })`,
  'reads the size of an image': `
    return await new Promise((resolve) => {
      const image = new Image()
      image.onload = () => resolve('image ' + image.width)
      image.onerror = () => resolve('refused')
      image.src = TRACKER + '/rest/bug/attachment/1/data'
    })`,
  'follows the feed': `
    return await new Promise((resolve) => {
      const feed = new EventSource(TRACKER + '/rest/event?after=0', { withCredentials: true })
      feed.onmessage = (it) => resolve(it.data)
      feed.onerror = () => { feed.close(); resolve('refused') }
    })`,
  'files a bug with JSON': `
    const body = JSON.stringify({ product: 'TestProduct', component: 'TestComponent', summary: 'Forged', version: 'unspecified' })
    const r = await fetch(TRACKER + '/rest/bug', { method: 'POST', credentials: 'include', headers: { 'Content-Type': 'application/json' }, body })
    return await r.text()`,
  'files a bug with plain text': `
    const body = JSON.stringify({ product: 'TestProduct', component: 'TestComponent', summary: 'Forged', version: 'unspecified' })
    await fetch(TRACKER + '/rest/bug', { method: 'POST', credentials: 'include', mode: 'no-cors', body })
    return 'sent'`,
  'logs the victim out': `
    await fetch(TRACKER + '/rest/logout', { credentials: 'include', mode: 'no-cors' })
    await fetch(TRACKER + '/rest/session', { method: 'DELETE', credentials: 'include' }).catch(() => {})
    return 'sent'`,
  'logs the victim in as somebody else': `
    const body = JSON.stringify({ login: '${cast.stan.login}', password: '${PASSWORD}' })
    await fetch(TRACKER + '/rest/session', { method: 'POST', credentials: 'include', mode: 'no-cors', body }).catch(() => {})
    await fetch(TRACKER + '/rest/session', { method: 'POST', credentials: 'include', headers: { 'Content-Type': 'application/json' }, body }).catch(() => {})
    return 'sent'`,
  'sends a form': `
    const form = document.createElement('form')
    form.method = 'post'
    form.enctype = 'text/plain'
    form.action = TRACKER + '/rest/bug'
    form.target = 'sink'
    const input = document.createElement('input')
    input.name = '{"product":"TestProduct","component":"TestComponent","version":"unspecified","summary":"Forged","x":"'
    input.value = '"}'
    form.append(input)
    const sink = document.createElement('iframe')
    sink.name = 'sink'
    document.body.append(form, sink)
    form.submit()
    await new Promise((resolve) => { sink.onload = resolve; setTimeout(resolve, 1000) })
    return 'sent'`,
}

describeInBrowser('a page of another origin, in the browser of a logged-in user', (at) => {
  let attacker: Server
  let evil = ''
  /** One for all attacks, because none of them may change anything, not even who is logged in. */
  let page: Page
  before(async () => {
    attacker = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<body>Hello</body>'))
    await new Promise<void>((resolve) => attacker.listen(0, '127.0.0.1', resolve))
    evil = `http://127.0.0.1:${(attacker.address() as AddressInfo).port}/`
    page = (await at.visit('/help', { as: 'edna' })).page
  })
  after(() => attacker.close())

  const whoIsLoggedIn = async (): Promise<string> => {
    await page.goto('/help')
    return page.evaluate<string>(`fetch('/rest/whoami').then((it) => it.json()).then((it) => it.name)`)
  }

  for (const [attack, script] of Object.entries(ATTACKS)) {
    it(`gets nothing and changes nothing when it ${attack}`, async () => {
      const bugs = async () => (await at.world.ada.get('/rest/bug?quicksearch=ALL&count_only=1')).body.bug_count
      const before = await bugs()
      await page.goto(evil)
      const got = await page.evaluate(
        `(async () => { const TRACKER = '${at.world.url}'; ${script} })().catch(() => 'refused')`,
      )
      assert.doesNotMatch(String(got), /edna|Edna|Bugs/)
      assert.equal(await bugs(), before)
      assert.equal(await whoIsLoggedIn(), cast.edna.login)
    })
  }
})
