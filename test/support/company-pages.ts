import assert from 'node:assert/strict'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { findLeanChromium } from './find-chromium.ts'
import { sharedBrowser } from './shared-browser.ts'

/** A server with the demo's company, and how to log in to it. */
export interface Company {
  address: string
  password: string
}

const BUG_VIEWS = ['', '?view=history', '?view=attachments', '?view=graph', '?view=tree', '?as_of=ONCE']
const PAGES = [
  '/',
  '/bugs?product=Station+Firmware&status=__open__&group=priority',
  '/bugs?product=Station+Firmware&view=board',
  '/bugs?view=search&product=Station+Firmware&f1=priority&o1=changedfrom&v1=High',
  '/file/Station%20Firmware/Radio?summary=The+station+loses+the+gateway',
  '/product/Station%20Firmware',
  '/products',
  '/requests',
  '/user/chidi%40skylark.example',
  '/settings',
  '/settings/searches',
  '/admin/products',
  '/admin/people',
  '/admin/mail',
  '/help',
]
const PHONE_PIXELS = 360
const PHONE = { width: PHONE_PIXELS, height: 740 }
const DESKTOP = { width: 1280, height: 860 }

/** Runs the work with the Chromium of this process, and closes the pages that it has opened. Where there is none, one line says so. */
export async function withBrowser(work: (browser: Browser) => Promise<void>) {
  const executablePath = findLeanChromium()
  if (executablePath === undefined)
    return console.log('NOT CHECKED: pages of the demo: Chromium is not installed here and cannot be')
  const { browser } = await sharedBrowser(executablePath)
  const before = browser.contexts()
  try {
    await work(browser)
  } finally {
    const own = browser.contexts().filter((context) => !before.includes(context))
    await Promise.all(own.map((context) => context.close()))
  }
}

/** Logs in, and collects what the scripts of the pages complain about. */
export async function visitorOf(browser: Browser, company: Company, login: string, isPhone = false) {
  const context = await browser.newContext({
    baseURL: company.address,
    reducedMotion: 'reduce',
    viewport: isPhone ? PHONE : DESKTOP,
    ...(isPhone && { hasTouch: true, isMobile: true }),
  })
  await logIn(context, login, company.password)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  return { page, complaints }
}

async function logIn({ request }: BrowserContext, login: string, password: string) {
  const headers = { 'Sec-Fetch-Site': 'same-origin' }
  const reply = await request.post('/rest/session', { data: { login, password }, headers })
  assert.equal(reply.status(), 201, `${login} logs in`)
}

/** Pages whose accessibility and width on a phone no test in test/pages checks: a list, requests, a form, and what a bug shows of its past. */
const PAGES_FOR_AXE = ['/product/Station%20Firmware', '/requests', '/admin/mail']
const BUG_VIEWS_FOR_AXE = ['?view=history', '?view=graph']
/**
 * Pages of which `npm test` checks only the width on a phone; `npm run soak -- matrices` checks them with axe too. The test of long words
 * checks the width of the others.
 */
const PAGES_FOR_WIDTH = ['/admin/products', '/admin/people', '/help']
const BUG_VIEWS_FOR_WIDTH = ['?as_of=ONCE']

/** The addresses of all pages, with those of a bug of another reporter that has comments, attachments, requests and dependencies. */
export function allPages(page: Page): Promise<string[]> {
  return withBugViews(page, PAGES, BUG_VIEWS)
}

/** One page of each kind whose width only the test of the demo checks. */
export async function pagesForPhone(page: Page): Promise<{ address: string; isForAxe: boolean }[]> {
  const forAxe = await withBugViews(page, PAGES_FOR_AXE, BUG_VIEWS_FOR_AXE)
  const forWidth = await withBugViews(page, PAGES_FOR_WIDTH, BUG_VIEWS_FOR_WIDTH)
  return [
    ...forAxe.map((address) => ({ address, isForAxe: true })),
    ...forWidth.map((address) => ({ address, isForAxe: false })),
  ]
}

async function withBugViews(page: Page, pages: readonly string[], views: readonly string[]): Promise<string[]> {
  const found = await page.request.get(
    '/rest/bug?f1=attachments.filename&o1=isnotempty&f2=dependson&o2=isnotempty&f3=reporter&o3=notequals&v3=%25user%25&include_fields=id,creation_time&limit=1',
    { headers: { 'Sec-Fetch-Site': 'same-origin' } },
  )
  const [{ id, creation_time: created }] = (await found.json()).bugs
  return [...pages, ...views.map((view) => `/bug/${id}${view.replace('ONCE', created)}`)]
}

/** Waits until the page shows its content, and not only that it is being read. */
export async function open(page: Page, address: string) {
  await page.goto(address)
  await shown(page)
}

/** The same from the page that is open, as a link leads there: without loading the scripts again. */
export async function moveTo(page: Page, address: string) {
  await page.evaluate(`(${MOVE})(${JSON.stringify(address)})`)
  assert.ok(page.url().endsWith(address), `${page.url()} is not ${address}`)
  await shown(page)
}

async function shown(page: Page) {
  await page.locator('main h1').waitFor()
  await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' })
}

/** Returns when the page before is gone. */
const MOVE = `async (address) => {
  const link = Object.assign(document.createElement('a'), { href: address })
  document.body.append(link)
  link.click()
  link.remove()
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
}`

/** The page and each of its menus. */
export async function expectFitsPhone(page: Page) {
  const width = await page.evaluate<number>('document.documentElement.scrollWidth')
  assert.ok(width <= PHONE_PIXELS, `${page.url()} is ${width} pixels wide`)
  assert.deepEqual(await page.evaluate<string[]>(WIDE_MENUS), [], `menus of ${page.url()}`)
}

/** A bug has a menu for each comment; the first ones stand for the others. */
const WIDE_MENUS = `(async () => {
  const wide = []
  const drawn = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  const buttons = [...document.querySelectorAll('[aria-haspopup=menu]')].filter((it) => it.offsetParent !== null)
  for (const button of buttons.slice(0, 8)) {
    button.click()
    await drawn()
    const { left, right } = document.querySelector('[role=menu]').getBoundingClientRect()
    const { scrollWidth } = document.documentElement
    if (left < 0 || right > ${PHONE_PIXELS} || scrollWidth > ${PHONE_PIXELS}) wide.push(button.title)
    button.click()
    await drawn()
  }
  return wide
})()`
