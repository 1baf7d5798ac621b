import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer as createHttp, request as httpRequest, type RequestListener } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { attach } from '../support/attach.ts'
import { follow, pagesWorld } from '../support/browser.ts'
import { cast, PASSWORD } from '../support/cast.ts'
import { launchLeanChromium } from '../support/chromium.ts'
import { findProgram } from '../support/debian-program.ts'
import { fileBug } from '../support/file-bug.ts'
import { findLeanChromium } from '../support/find-chromium.ts'
import { newCertificate } from '../support/new-certificate.ts'
import { newHiddenProduct } from '../support/new-product.ts'
import { describeInSoak } from '../support/sample.ts'
import { until } from '../support/until.ts'
import type { World } from '../support/world.ts'

const PIXEL = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

/** Base addresses at which browsers differ in what they say about requests. Only the soak has http together with a path. */
const ADDRESSES = ['http://bugs.test:8080', 'http://bugs.test:8080/tracker', 'https://bugs.test/tracker']

/** A browser that finds bugs.test here, and its neighbours at servers of somebody else, over http and https. */
class Hosts {
  private browser: Browser | undefined
  private world: World | undefined
  private readonly servers: Server[] = []

  async open(executable: string, openssl: string) {
    const certificate = newCertificate(openssl, 'bugs.test')
    const hello: RequestListener = (_, response) =>
      response.setHeader('Content-Type', 'text/html').end('<body>Hello</body>')
    const plain = await this.listening(createServer((socket) => this.passOn(socket)))
    const secure = await this.listening(createHttps(certificate, (...exchange) => this.forward(...exchange)))
    const elsewhere = await this.listening(createHttp(hello))
    const secureElsewhere = await this.listening(createHttps(certificate, hello))
    const places = {
      'bugs.test:8080': plain,
      'bugs.test:443': secure,
      'evil.bugs.test:80': elsewhere,
      'evil.bugs.test:443': secureElsewhere,
      'bugs.test:9090': elsewhere,
      'bugs.test:9443': secureElsewhere,
    }
    const rules = Object.entries(places).map(([host, port]) => `MAP ${host} 127.0.0.1:${port}`)
    this.browser = await launchLeanChromium(executable, [`--host-resolver-rules=${rules.join(', ')}`])
  }

  /** A page with its own cookies. From now on bugs.test is this world. */
  async visit(world: World): Promise<Page> {
    if (this.browser === undefined) throw new Error('The browser is not open')
    this.world = world
    const viewport = { width: 1280, height: 860 }
    return (await this.browser.newContext({ ignoreHTTPSErrors: true, viewport })).newPage()
  }

  async close() {
    await this.browser?.close()
    for (const server of this.servers) server.close()
  }

  private async listening(server: Server) {
    this.servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return (server.address() as AddressInfo).port
  }

  private get port() {
    return Number(new URL(this.world?.url ?? '').port)
  }

  /** Every byte as it comes, as if the browser had connected to the tracker. */
  private passOn(socket: Socket) {
    const tracker = connect(this.port, '127.0.0.1')
    socket.pipe(tracker).pipe(socket)
    socket.on('error', () => tracker.destroy())
    socket.on('close', () => tracker.destroy())
    tracker.on('error', () => socket.destroy())
  }

  /** A proxy that ends TLS, as in front of most servers. */
  private forward(...[incoming, outgoing]: Parameters<RequestListener>) {
    const { url: path = '/', method, headers } = incoming
    const { port } = this
    const forwarded = httpRequest({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    outgoing.on('close', () => forwarded.destroy())
    incoming.pipe(forwarded)
  }
}

const chromium = findLeanChromium()
const openssl = findProgram({ name: 'openssl', package: 'openssl', versionOption: 'version' })
if (chromium === undefined || openssl === undefined)
  console.log('NOT CHECKED: host names: Chromium or OpenSSL is not installed here and cannot be')
// A browser of its own takes long, and what the server believes is tested without one.
else
  describeInSoak('host names', () => {
    const hosts = new Hosts()
    before(() => hosts.open(chromium, openssl))
    after(() => hosts.close())
    for (const address of ADDRESSES) describe(`a tracker at ${address}`, () => storyAt(address, hosts))
  })

function storyAt(base: string, hosts: Hosts) {
  const world = pagesWorld('sqlite', { LACEWING_BASE_URL: base })
  let page: Page
  let [bug, picture] = [0, 0]

  before(async () => {
    await world.open()
    page = await hosts.visit(world)
    const { name: product } = await newHiddenProduct(world)
    bug = await fileBug(world.sven, { product, component: 'Core', version: '1.0', summary: 'The vault is open' })
    picture = await attach(world.sven, bug, { content_type: 'image/gif', file_name: 'vault.gif', data: PIXEL })
  })
  after(async () => {
    await page?.context().close()
    await world.close()
  })

  it('lets a user log in, see pictures, download and follow what others do', async () => {
    await page.goto(`${base}/login?to=/bug/${bug}`)
    await page.getByLabel('Login name').fill(cast.sven.login)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'The vault is open' }).waitFor()
    await until(() => page.evaluate("document.querySelector('.attachment-image')?.naturalWidth === 1"))
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download vault.gif' }).click()
    assert.equal(readFileSync(await (await download).path()).toString('base64'), PIXEL)
    await until(() =>
      page.evaluate("performance.getEntriesByType('resource').some((it) => it.name.endsWith('/rest/event'))"),
    )
    await world.ada.post(`/rest/bug/${bug}/comment`, { comment: 'Somebody has closed it' })
    await page.getByRole('button', { name: '1 new' }).click()
    await page.locator('#c2').getByText('Somebody has closed it').waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'The vault is open' }).waitFor()
    await follow(page, `${base}/bugs?quicksearch=ALL`)
    await page.getByRole('button', { name: 'Save, share, CSV, Atom, calendar' }).click()
    const table = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'Table (CSV)' }).click()
    assert.match(readFileSync(await (await table).path(), 'utf8'), /The vault is open/)
  })

  it('shows nothing to another port or a sibling domain, whatever header they send', async () => {
    const link = (await page.evaluate(
      `fetch('${base}/rest/bug/attachment/${picture}/link', { headers: { 'X-Lacewing-Page': '1' } }).then((it) => it.json())`,
    )) as { address: string }
    assert.match(link.address, /link_code=/)
    const { protocol } = new URL(base)
    for (const origin of [
      `${protocol}//evil.bugs.test`,
      `${protocol}//bugs.test:${protocol === 'https:' ? 9443 : 9090}`,
    ]) {
      await page.goto(`${origin}/`)
      const got = (await page.evaluate(`(async () => {
        const read = (address, init) => fetch('${base}' + address, init).then((it) => it.text(), () => 'refused')
        const load = (tag, address) => new Promise((resolve) => {
          const element = document.createElement(tag)
          element.onload = () => resolve(tag + ' with a vault')
          element.onerror = () => resolve('refused')
          element.src = '${base}' + address
          document.body.append(element)
        })
        const header = { 'X-Lacewing-Page': '1' }
        return [
          await read('/rest/bug/${bug}'),
          await read('/rest/bug/${bug}', { credentials: 'include' }),
          await read('/rest/bug/${bug}', { credentials: 'include', headers: header }),
          await read('/rest/bug/${bug}', { headers: header }),
          await read('/rest/bug/${bug}', { cache: 'force-cache' }),
          await read('/rest/bug/${bug}', { mode: 'no-cors', credentials: 'include' }),
          await read('/bug/${bug}', { credentials: 'include' }),
          await read('/bug/${bug}', { mode: 'no-cors', credentials: 'include', cache: 'force-cache' }),
          await read('${link.address}', { credentials: 'include' }),
          await load('img', '/rest/bug/attachment/${picture}/data'),
          await load('img', '${link.address}'),
          await load('script', '/rest/bug/${bug}?callback=alert'),
        ]
      })()`)) as string[]
      assert.doesNotMatch(got.slice(0, -1).join('\n'), /vault/)
    }
  })
}
