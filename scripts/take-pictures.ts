import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { setClock } from '../demo/movable-clock.ts'
import { makePast } from '../demo/past.ts'
import { administrator, loginOf } from '../demo/people.ts'
import { Server } from '../demo/server.ts'
import type { Person } from '../demo/set-up.ts'
import { Tracker } from '../demo/tracker.ts'
import { prepareDataFolder, readConfig } from '../src/platform/config/config.ts'
import { launchChromium } from '../test/support/chromium.ts'
import { findChromium } from '../test/support/find-chromium.ts'

/** `npm run pictures`: pictures of the main pages of the demo's company, light, dark and on a phone, for docs/pages.md and README.md. */
const FOLDER = fileURLToPath(new URL('../docs/pictures', import.meta.url))
/** The year of the demo ends here, and the browser shows this time, so that all runs make the same pictures. */
const NOW = Date.UTC(2026, 5, 12, 14, 20)
const PASSWORD = 'pictures of pages'
const READER = 'chidi'
const QUALITY = 60
const SETTLED_MILLISECONDS = 1200

interface Picture {
  name: string
  address(page: Page): Promise<string> | string
  /** What a reader does before the picture is taken. */
  prepare?(page: Page): Promise<void>
}

const PICTURES: readonly Picture[] = [
  { name: 'home', address: () => '/' },
  {
    name: 'list',
    address: () => '/bugs?product=Station+Firmware&product=Weather+Station&status=__open__&group=priority',
    prepare: async (page) => {
      for (const key of ['j', 'j', 'j']) await page.keyboard.press(key)
      await page.evaluate('document.activeElement.blur()')
    },
  },
  { name: 'board', address: () => '/bugs?product=Station+Firmware&product=Weather+Portal&view=board' },
  { name: 'bug', address: busiestBug },
  {
    name: 'file',
    address: () => '/file/Station%20Firmware/Radio',
    prepare: async (page) => {
      await page.locator('.file-form input.input-large').fill('The station loses the gateway after a night of frost')
      await page
        .locator('.file-form textarea')
        .first()
        .fill(
          'Three stations above 2000 m went silent at the same hour.\nThey came back when the sun was on the panel.',
        )
    },
  },
  { name: 'product', address: () => '/product/Station%20Firmware' },
  { name: 'search', address: () => `/bugs?${new URLSearchParams(SEARCH)}` },
  { name: 'requests', address: () => '/requests' },
]

/** Firmware that was once of high priority, and that waits for a review or has not been looked at since spring. */
const SEARCH = {
  view: 'search',
  product: 'Station Firmware',
  f1: 'priority',
  o1: 'changedfrom',
  v1: 'High',
  f2: 'OP',
  j2: 'OR',
  f3: 'flagtypes.name',
  o3: 'substring',
  v3: 'review?',
  f4: 'delta_ts',
  o4: 'lessthan',
  v4: '2026-03-20',
  f5: 'CP',
}

const ASKS = { flags: [{ name: 'needinfo', status: '?', new: true, requestee: loginOf(READER) }] }

const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  dark: { colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  phone: {
    colorScheme: 'light',
    viewport: { width: 360, height: 740 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
  },
}

const chromium = findChromium()
if (chromium === undefined) throw new Error('Chromium is not installed, and cannot be installed here.')
const data = mkdtempSync(join(tmpdir(), 'lacewing-pictures-'))
const settings = {
  LACEWING_DATA: data,
  LACEWING_PORT: '0',
  LACEWING_ADMIN_LOGIN: administrator.login,
  LACEWING_ADMIN_PASSWORD: PASSWORD,
  LACEWING_ADMIN_API_KEY: randomBytes(30).toString('base64url'),
}
const browser = await launchChromium(chromium)
let server: Server | undefined
try {
  const config = readConfig(settings)
  prepareDataFolder(config)
  setClock(NOW)
  const people = await makePast(config, () => false)
  server = new Server(settings)
  const address = await server.listening()
  await makeNews((name) => trackerOf(address, people, name))
  await takeAll(browser, address)
} finally {
  await browser.close()
  server?.end()
  await server?.ended
  rmSync(data, { recursive: true, force: true })
}

function trackerOf(address: string, people: readonly Person[], name: string) {
  return new Tracker(address, people.find(({ login }) => login === loginOf(name))?.apiKey ?? '')
}

/** Something is asked of the reader, and some of their bugs have changed since they looked. */
async function makeNews(as: (name: string) => Tracker) {
  const reader = as(READER)
  const { bugs = [] } = await reader.get('/bug', {
    assigned_to: loginOf(READER),
    status: '__open__',
    order: 'bug_id',
    include_fields: 'id',
    limit: 7,
  })
  for (const { id } of bugs) await reader.post('/bug_user_last_visit/:ref', { ref: id })
  // Visits and changes have times in whole seconds.
  await sleep(1100)
  for (const [place, { id }] of bugs.entries()) {
    if (place % 2 === 0)
      await as('emil').post('/bug/:ref/comment', { ref: id, comment: 'It still happens with 2.1-beta.' })
    else if (place < 4) await as('kavya').put('/bug/:ref', { ref: id, ...ASKS })
  }
}

async function takeAll(browser: Browser, baseURL: string) {
  mkdirSync(FOLDER, { recursive: true })
  for (const [look, options] of Object.entries(LOOKS)) {
    const context = await browser.newContext({
      ...options,
      baseURL,
      reducedMotion: 'reduce',
      timezoneId: 'UTC',
      locale: 'en-GB',
    })
    const page = await context.newPage()
    await page.clock.setFixedTime(NOW)
    await logIn(page)
    for (const picture of PICTURES) {
      await page.goto(await picture.address(page))
      await page.waitForTimeout(SETTLED_MILLISECONDS)
      await picture.prepare?.(page)
      await page.waitForTimeout(SETTLED_MILLISECONDS)
      const cdp = await context.newCDPSession(page)
      const { data } = await cdp.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY })
      writeFileSync(join(FOLDER, `${picture.name}-${look}.webp`), Buffer.from(data, 'base64'))
    }
    await context.close()
  }
  const bytes = readdirSync(FOLDER).reduce((sum, name) => sum + statSync(join(FOLDER, name)).size, 0)
  console.log(`${PICTURES.length * Object.keys(LOOKS).length} pictures, ${(bytes / 1e6).toFixed(2)} MB, in ${FOLDER}`)
}

async function logIn(page: Page) {
  await page.goto('/login')
  const body = JSON.stringify({ login: loginOf(READER), password: PASSWORD })
  const init = `{ method: 'POST', headers: { 'Content-Type': 'application/json' }, body: ${JSON.stringify(body)} }`
  const status = await page.evaluate<number>(`fetch('/rest/session', ${init}).then((it) => it.status)`)
  if (status !== 201) throw new Error(`${READER} could not log in: ${status}`)
}

/** The open bug that shows most of what a bug can have. */
async function busiestBug(page: Page): Promise<string> {
  const fields = 'id,depends_on,blocks,keywords,flags,comments,attachments,groups'
  const id = await page.evaluate<number>(`(async () => {
    const response = await fetch('/rest/bug?product=Station+Firmware&status=__open__&include_fields=${fields}')
    const bugs = (await response.json()).bugs.filter((bug) => bug.groups.length === 0)
    const weight = (bug) => bug.comments.length + 2 * bug.attachments.length + 3 * bug.flags.length +
      2 * Math.min(2, bug.depends_on.length + bug.blocks.length) + bug.keywords.length
    return bugs.sort((a, b) => weight(b) - weight(a) || a.id - b.id)[0].id
  })()`)
  return `/bug/${id}`
}
