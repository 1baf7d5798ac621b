import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, it } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { firstCallsOf, viewAt } from '../../shared/addresses.ts'
import { FRAME_CALLS } from '../../shared/first-calls.ts'
import { attach } from '../support/attach.ts'
import { describeInBrowser, follow } from '../support/browser.ts'
import { cast, PASSWORD } from '../support/cast.ts'
import { fileBug } from '../support/file-bug.ts'
import { newHiddenProduct } from '../support/new-product.ts'
import { isEveryCombination, sampled } from '../support/sample.ts'

const PIXEL = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

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
  'reads a window that it opens': `
    const opened = open(TRACKER + '/settings')
    for (;;) {
      // Until the tracker is loaded there is an empty page, which may be read.
      const text = opened?.document.body?.innerText ?? 'refused'
      if (text !== '') return text
      await new Promise((resolve) => setTimeout(resolve, 20))
    }`,
  'reads an object': `
    return await new Promise((resolve) => {
      const object = document.createElement('object')
      object.data = TRACKER + '/settings'
      object.onload = () => resolve(object.contentDocument?.body.innerText ?? 'refused')
      object.onerror = () => resolve('refused')
      document.body.append(object)
    })`,
  'opens a socket': `
    return await new Promise((resolve) => {
      const socket = new WebSocket(TRACKER.replace('http', 'ws') + '/rest/event')
      socket.onmessage = (it) => resolve(it.data)
      socket.onopen = () => resolve('Bugs: it is open')
      socket.onerror = () => resolve('refused')
    })`,
  'sends beacons': `
    const bug = JSON.stringify({ product: 'TestProduct', component: 'TestComponent', summary: 'Forged', version: 'unspecified' })
    for (const type of ['text/plain', 'application/json', 'application/x-www-form-urlencoded'])
      navigator.sendBeacon(TRACKER + '/rest/bug', new Blob([bug], { type }))
    navigator.sendBeacon(TRACKER + '/rest/logout')
    return 'sent'`,
  'opens addresses that would change the session': `
    open(TRACKER + '/rest/logout')
    open(TRACKER + '/rest/login?login=${encodeURIComponent(cast.stan.login)}&password=${encodeURIComponent(PASSWORD)}')
    return 'sent'`,
  'sends forms of every kind': `
    const bug = ['{"product":"TestProduct","component":"TestComponent","version":"unspecified","summary":"Forged","x":"', '"}']
    const login = ['{"login":"${cast.stan.login}","password":"${PASSWORD}","x":"', '"}']
    const fields = { login: '${cast.stan.login}', password: '${PASSWORD}', product: 'TestProduct', component: 'TestComponent', version: 'unspecified', summary: 'Forged' }
    const send = (path, target, enctype, pairs) => new Promise((resolve) => {
      const sink = document.createElement('iframe')
      sink.name = target
      const form = Object.assign(document.createElement('form'), { method: 'post', enctype, action: TRACKER + path, target })
      for (const [name, value] of pairs) form.append(Object.assign(document.createElement('input'), { name, value }))
      document.body.append(sink, form)
      // Only now: the empty frame has been loaded.
      sink.onload = resolve
      form.submit()
    })
    for (const [path, text] of [['/rest/bug', bug], ['/rest/session', login]]) {
      await send(path, path + 1, 'text/plain', [text])
      await send(path, path + 2, 'application/x-www-form-urlencoded', Object.entries(fields))
      await send(path, path + 3, 'multipart/form-data', Object.entries(fields))
    }
    return 'sent'`,
}

/** The pages, with the variable parts of their addresses. */
const PAGES = [
  '/',
  '/bugs?quicksearch=ALL&group=status',
  // They read what the one before reads.
  ...(isEveryCombination ? ['/bugs', '/bugs?view=board'] : []),
  '/file',
  '/products',
  '/requests',
]
const PAGES_OF_A_USER = ['/settings', '/settings/security', '/settings/access', '/settings/searches', '/settings/mail']

/** A tracker at one address, and a page at another one whose requests are of the same site. */
const NEIGHBOURS = {
  'another port': { tracker: '127.0.0.1', attacker: '127.0.0.1' },
  'a sibling domain': { tracker: 'tracker.bugs.localhost', attacker: 'evil.bugs.localhost' },
}

describeInBrowser('a page of another origin and the cache of the browser', (at) => {
  let attacker: Server
  let bug = 0
  let product = ''
  before(async () => {
    attacker = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<body>Hello</body>'))
    await new Promise<void>((resolve) => attacker.listen(0, '127.0.0.1', resolve))
    ;({ name: product } = await newHiddenProduct(at.world))
    bug = await fileBug(at.world.sven, { product, component: 'Core', version: '1.0', summary: 'The vault is open' })
    await attach(at.world.sven, bug, { content_type: 'text/plain', file_name: 'vault.txt', data: 'dmF1bHQ=' })
  })
  after(() => attacker.close())

  /** Found once, because the pages read the same addresses at every host. */
  let found: Promise<string[]> | undefined
  /** The addresses of the REST API that the pages read: those with which they begin, and those that they request afterwards. */
  const addressesOfPages = async (page: Page) => {
    const pages = [
      ...PAGES,
      ...PAGES_OF_A_USER,
      `/bug/${bug}`,
      `/product/${product}`,
      `/file/${product}`,
      `/user/${cast.rhea.login}`,
    ]
    const read = new Set<string>([...FRAME_CALLS, `/rest/bug/${bug}`, `/rest/bug/${bug}/access`])
    page.on('request', (it) => {
      const { pathname, search } = new URL(it.url())
      if (it.method() === 'GET' && pathname.startsWith('/rest/')) read.add(pathname + search)
    })
    for (const address of pages) {
      const url = new URL(address, 'http://localhost')
      for (const call of firstCallsOf(viewAt(url.pathname), url.searchParams, true)) read.add(call)
      await follow(page, address)
      await page.locator('#main h1').first().waitFor()
    }
    return [...read].filter((address) => !address.startsWith('/rest/event?'))
  }
  /** As the pages read, and as a page elsewhere reads what the browser may still have. */
  const read = (page: Page, origin: string, addresses: string[], init: object) =>
    page.evaluate(
      `Promise.all(${JSON.stringify(addresses)}.map((address) =>
        fetch('${origin}' + address, ${JSON.stringify(init)}).then((it) => it.text(), () => 'refused')))`,
    ) as Promise<string[]>

  // The test of host names reads what the browser has kept from a sibling domain, too.
  for (const [where, hosts] of sampled(Object.entries(NEIGHBOURS), 2)) {
    it(`keeps no response for ${where}, whether the user is logged in or not`, async () => {
      const { port } = new URL(at.world.url)
      const tracker = `http://${hosts.tracker}:${port}`
      const evil = `http://${hosts.attacker}:${(attacker.address() as AddressInfo).port}/`
      const { page } = await at.visit('/help')
      await page.goto(`${tracker}/help`)
      const login = JSON.stringify({ login: cast.sven.login, password: PASSWORD })
      const headers = { 'Content-Type': 'application/json' }
      await read(page, tracker, ['/rest/session'], { method: 'POST', headers, body: login })
      await page.reload()
      found ??= addressesOfPages(page)
      const addresses = await found
      const own = { headers: { Accept: 'application/json', 'X-Lacewing-Page': '1' } }
      const secretOf = async (asked: string[], init: object) => {
        const texts = await read(page, tracker, asked, init)
        return asked.filter((_, place) => SECRET.test(texts[place] ?? ''))
      }
      const secret = await secretOf(addresses, own)
      // What hides nothing from its reader has nothing for others.
      const asked = isEveryCombination ? addresses : secret
      assert.ok(secret.length >= 8, `${secret.length} of ${addresses.length} addresses have something to hide`)
      await page.goto(evil)
      const tries = [
        { cache: 'force-cache' },
        { cache: 'force-cache', headers: { Accept: 'application/json' } },
        { cache: 'force-cache', credentials: 'include' },
      ]
      for (const init of tries) assert.deepEqual(await secretOf(asked, init), [])
      await page.goto(`${tracker}/help`)
      await read(page, tracker, ['/rest/session'], { method: 'DELETE', ...own })
      await page.goto(evil)
      for (const init of tries) assert.deepEqual(await secretOf(asked, init), [])
    })
  }
})

const SECRET = /sven|vault/i

describeInBrowser('a page of another origin, in the browser of a logged-in user', (at) => {
  let attacker: Server
  let evil = ''
  /** One for all attacks, because none of them may change anything, not even who is logged in. */
  let [page, context]: [Page, BrowserContext] = [] as never
  let picture = ''
  let bugs = 0
  before(async () => {
    attacker = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<body>Hello</body>'))
    await new Promise<void>((resolve) => attacker.listen(0, '127.0.0.1', resolve))
    evil = `http://127.0.0.1:${(attacker.address() as AddressInfo).port}/`
    const { sven } = at.world
    const { name: product } = await newHiddenProduct(at.world)
    const bug = await fileBug(sven, { product, component: 'Core', version: '1.0', summary: 'The vault is open' })
    const made = await attach(sven, bug, { content_type: 'image/gif', file_name: 'vault.gif', data: PIXEL })
    picture = `/rest/bug/attachment/${made}/data`
    bugs = await countBugs()
    ;({ page, context } = await at.visit('/help', { as: 'sven' }))
  })
  after(() => attacker.close())

  const whoIsLoggedIn = async (): Promise<string> => {
    const cookies = (await context.cookies(at.world.url)).map(({ name, value }) => `${name}=${value}`)
    const headers = { Cookie: cookies.join('; '), 'Sec-Fetch-Site': 'same-origin' }
    return (await at.world.nobody.get('/rest/whoami', headers)).body.name
  }
  const countBugs = async () => (await at.world.ada.get('/rest/bug?quicksearch=ALL&count_only=1')).body.bug_count
  /** Windows that an attack opened are loaded whole, so that they do what they can. */
  const closeOpened = async () => {
    for (const opened of context.pages()) {
      if (opened === page) continue
      await opened.waitForLoadState()
      await opened.close()
    }
  }
  const run = async (script: string) => {
    const got = await page.evaluate(
      `(async () => { const TRACKER = '${at.world.url}'; ${script} })().catch(() => 'refused')`,
    )
    await closeOpened()
    return String(got)
  }

  it('shows a picture to its own pages only', async () => {
    const load = `
      return await new Promise((resolve) => {
        const image = new Image()
        image.onload = () => resolve('image ' + image.width)
        image.onerror = () => resolve('refused')
        image.src = TRACKER + '${picture}'
      })`
    assert.equal(await run(load), 'image 1')
    await page.goto(evil)
    assert.equal(await run(load), 'refused')
  })

  for (const [attack, script] of Object.entries(ATTACKS)) {
    it(`gets nothing and changes nothing when it ${attack}`, async () => {
      if (page.url() !== evil) await page.goto(evil)
      assert.doesNotMatch(await run(script), /sven|Sven|Bugs|vault/)
      assert.equal(await countBugs(), bugs)
      assert.equal(await whoIsLoggedIn(), cast.sven.login)
    })
  }
})
