import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { setClock } from '../demo/movable-clock.ts'
import { makePast } from '../demo/past.ts'
import { administrator, loginOf } from '../demo/people.ts'
import { Server } from '../demo/server.ts'
import type { Person } from '../demo/set-up.ts'
import { Tracker } from '../demo/tracker.ts'
import { prepareDataFolder, readConfig } from '../src/platform/config/config.ts'
import { launchChromium } from '../test/support/chromium.ts'
import { findChromium } from '../test/support/find-chromium.ts'
import { makeContent } from './picture-content.ts'
import { LOOKS, type Look, PICTURES, type Picture, type Viewer } from './picture-list.ts'

/**
 * `npm run pictures`: pictures of the main pages of the demo's company for docs/pages.md and README.md.
 * `npm run pictures -- inbox setup` takes only those.
 */
const FOLDER = fileURLToPath(new URL('../docs/pictures', import.meta.url))
/** The year of the demo ends here. Servers and browser show this time, so that all runs make the same pictures. */
const NOW = Date.UTC(2026, 5, 12, 14, 20)
const PASSWORD = 'pictures of pages'
const READER = 'chidi'
const QUALITY = 60
const SETTLED_MILLISECONDS = 1200

const wanted = process.argv.slice(2)
const pictures = PICTURES.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
const chromium = findChromium()
if (chromium === undefined) throw new Error('Chromium is not installed, and cannot be installed here.')
const data = mkdtempSync(join(tmpdir(), 'lacewing-pictures-'))
const emptyData = mkdtempSync(join(tmpdir(), 'lacewing-pictures-empty-'))
const settings = {
  LACEWING_DATA: data,
  LACEWING_PORT: '0',
  LACEWING_ADMIN_LOGIN: administrator.login,
  LACEWING_ADMIN_PASSWORD: PASSWORD,
  LACEWING_ADMIN_API_KEY: randomBytes(30).toString('base64url'),
}
const browser = await launchChromium(chromium)
const servers: Server[] = []
try {
  const config = readConfig(settings)
  prepareDataFolder(config)
  setClock(NOW)
  const people = await makePast(config, () => false)
  const company = await startServer(settings)
  const empty = await startServer({ LACEWING_DATA: emptyData, LACEWING_PORT: '0' })
  const root = new Tracker(company, settings.LACEWING_ADMIN_API_KEY)
  await makeContent(root, (name) => trackerOf(company, people, name), READER)
  await takeAll(browser, { reader: company, administrator: company, beginner: empty })
} finally {
  await browser.close()
  for (const server of servers) server.end()
  await Promise.all(servers.map(({ ended }) => ended))
  for (const folder of [data, emptyData]) rmSync(folder, { recursive: true, force: true })
}

/** Its clock begins at NOW and goes on from there. */
async function startServer(environment: Record<string, string>): Promise<string> {
  const clock = `const now = Date.now; const start = now(); Date.now = () => ${NOW} + now() - start`
  const preloaded = `--import=data:text/javascript,${encodeURIComponent(clock)}`
  const server = new Server({ ...environment, NODE_OPTIONS: preloaded })
  servers.push(server)
  return server.listening()
}

function trackerOf(address: string, people: readonly Person[], name: string) {
  return new Tracker(address, people.find(({ login }) => login === loginOf(name))?.apiKey ?? '')
}

async function takeAll(browser: Browser, addresses: Readonly<Record<Viewer, string>>) {
  mkdirSync(FOLDER, { recursive: true })
  let count = 0
  for (const look of Object.keys(LOOKS) as Look[])
    for (const viewer of Object.keys(addresses) as Viewer[]) {
      const own = pictures.filter((it) => (it.viewer ?? 'reader') === viewer && (it.looks ?? [look]).includes(look))
      if (own.length === 0) continue
      const context = await browser.newContext({
        ...LOOKS[look],
        baseURL: addresses[viewer],
        reducedMotion: 'reduce',
        timezoneId: 'UTC',
        locale: 'en-GB',
      })
      const page = await context.newPage()
      await page.clock.setFixedTime(NOW)
      await logIn(page, viewer)
      for (const picture of own) await takePicture(page, picture, look)
      count += own.length
      await context.close()
    }
  const bytes = readdirSync(FOLDER).reduce((sum, name) => sum + statSync(join(FOLDER, name)).size, 0)
  console.log(`${count} pictures; all of ${FOLDER} is ${(bytes / 1e6).toFixed(2)} MB`)
}

async function takePicture(page: Page, picture: Picture, look: Look) {
  await page.goto(await picture.address(page))
  await page.waitForTimeout(SETTLED_MILLISECONDS)
  await picture.prepare?.(page)
  await page.waitForTimeout(SETTLED_MILLISECONDS)
  const cdp = await page.context().newCDPSession(page)
  const { data } = await cdp.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY })
  writeFileSync(join(FOLDER, `${picture.name}-${look}.webp`), Buffer.from(data, 'base64'))
}

async function logIn(page: Page, viewer: Viewer) {
  await page.goto('/login')
  const login = viewer === 'reader' ? loginOf(READER) : administrator.login
  const [address, body] =
    viewer === 'beginner' ? ['/rest/setup', { code: setupCode() }] : ['/rest/session', { login, password: PASSWORD }]
  const init = `{ method: 'POST', headers: { 'Content-Type': 'application/json' }, body: ${JSON.stringify(JSON.stringify(body))} }`
  const isDone = await page.evaluate<boolean>(`fetch('${address}', ${init}).then((it) => it.ok)`)
  if (!isDone) throw new Error(`The ${viewer} could not log in.`)
}

/** The first start has left it in a file. */
function setupCode() {
  const lines = readFileSync(join(emptyData, 'first-login.txt'), 'utf8')
  return /set-up\s+(\S+)/.exec(lines)?.[1] ?? ''
}
