import { after, afterEach, before, describe, type SuiteContext } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { cast, type Name, PASSWORD } from './cast.ts'
import { findLeanChromium } from './find-chromium.ts'
import { type FreePage, type SharedBrowser, sharedBrowser } from './shared-browser.ts'
import { until } from './until.ts'
import { type Engine, World } from './world.ts'

export interface Visitor {
  page: Page
  context: BrowserContext
}

/** Who looks at the pages, and how. */
export interface Look {
  as?: Name
  isDark?: boolean
  isPhone?: boolean
  /** Runs before the page is loaded. */
  prepare?: (page: Page) => Promise<unknown>
}

/** What its declarations leave out. */
interface EndedTest {
  name: string
  passed: boolean
}

/** A server for the tests of one file, and the browser. */
export class BrowserWorld {
  readonly world: World
  private shared: SharedBrowser | undefined
  private readonly visits: FreePage[] = []

  constructor(world: World) {
    this.world = world
  }

  async open(executablePath: string) {
    this.shared = await sharedBrowser(executablePath)
    await this.world.open(this.shared.port)
    this.shared.port = Number(new URL(this.world.url).port)
    const elsewhere = this.shared.free.filter(({ baseURL }) => baseURL !== this.world.url)
    await Promise.all(elsewhere.map(({ context }) => context.close()))
    this.shared.free = this.shared.free.filter((it) => !elsewhere.includes(it))
  }

  async close() {
    await this.leave()
    await this.world.close()
  }

  /** A browser with its own cookies, logged in as `as`. */
  async visit(address: string, { as, isDark = false, isPhone = false, prepare }: Look = {}): Promise<Visitor> {
    const visit = this.takeFree(isPhone) ?? (await this.newPage(isPhone))
    this.visits.push(visit)
    const { page, context } = visit
    await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light', media: null })
    if (as !== undefined) await logIn(context, as)
    await prepare?.(page)
    await page.goto(address)
    await page.locator('#main').waitFor()
    return visit
  }

  /** Ends all visits. */
  async leave() {
    await Promise.all(this.visits.splice(0).map((visit) => this.clear(visit)))
  }

  /** Prints what the open pages show after a test that failed, which its message does not say. */
  async explain({ name, passed }: EndedTest) {
    if (passed) return
    for (const { page } of this.visits) {
      const shown = await page.ariaSnapshot({ timeout: 1000 }).catch((fault: Error) => fault.message)
      console.log(`${name} failed at ${page.url()}:\n${shown}`)
    }
  }

  private takeFree(isPhone: boolean): FreePage | undefined {
    const { free = [] } = this.shared ?? {}
    const place = free.findLastIndex((it) => it.isPhone === isPhone && it.baseURL === this.world.url)
    return place < 0 ? undefined : free.splice(place, 1)[0]
  }

  private async newPage(isPhone: boolean): Promise<FreePage> {
    if (this.shared === undefined) throw new Error('The browser is not open')
    const { url: baseURL } = this.world
    const context = await this.shared.browser.newContext({
      baseURL,
      reducedMotion: 'reduce',
      viewport: viewport(isPhone),
      ...(isPhone && { hasTouch: true, isMobile: true }),
    })
    return { page: await context.newPage(), context, isPhone, baseURL }
  }

  /** The next visit gets the same page without what was in it. */
  private async clear(visit: FreePage) {
    const { page, context, isPhone } = visit
    if (context.pages().length !== 1 || !page.url().startsWith(this.world.url)) return context.close()
    page.removeAllListeners()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    // Not about:blank: from there the next page would begin in a new process.
    await page.goto('/health')
    // A clock of a test stays in its page, which then measures no loading.
    if (await page.evaluate<boolean>("performance.getEntriesByType('navigation').length === 0")) return context.close()
    await page.evaluate('sessionStorage.clear()')
    const browserTools = await context.newCDPSession(page)
    await browserTools.send('Storage.clearDataForOrigin', { origin: this.world.url, storageTypes: 'all' })
    await browserTools.detach()
    await context.clearCookies()
    await context.clearPermissions()
    if (page.viewportSize()?.width !== viewport(isPhone).width) await page.setViewportSize(viewport(isPhone))
    this.shared?.free.push(visit)
  }
}

function viewport(isPhone: boolean) {
  return isPhone ? { width: 360, height: 760 } : { width: 1280, height: 860 }
}

/** With the call that the log-in page makes, but without loading that page, which a test of its own goes through. */
export async function logIn({ request }: BrowserContext, name: Name) {
  const data = { login: cast[name].login, password: PASSWORD }
  const reply = await request.post('/rest/session', { data, headers: { 'Sec-Fetch-Site': 'same-origin' } })
  if (reply.status() !== 201) throw new Error(`${name} could not log in: ${reply.status()}`)
}

/**
 * The same page for the next test, without loading it again, which takes four times as long: the user goes to another address, and has
 * no drafts and no intercepted requests any more.
 */
export async function moveOn(page: Page, address: string) {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await follow(page, '/help')
  await page.getByRole('heading', { level: 1, name: 'Help' }).waitFor()
  await page.evaluate('localStorage.clear()')
  // A message of the test before would be taken for one of the next.
  await page.evaluate("document.querySelector('.toast [aria-label=Dismiss]')?.click()")
  await page.locator('.toast').waitFor({ state: 'detached' })
  await follow(page, address)
}

/** Follows a link inside of the pages: the scripts that are loaded stay. */
export function follow(page: Page, address: string) {
  return page.evaluate(
    `{ const link = Object.assign(document.createElement('a'), { href: ${JSON.stringify(address)} })
    document.body.append(link)
    link.click()
    link.remove() }`,
  )
}

/**
 * Waits until the page has its position among the events, after which it misses none. Not with waitForFunction: the policy of the pages
 * forbids its second look.
 */
export async function followsEvents(page: Page) {
  const asked = "performance.getEntriesByType('resource').some((it) => it.name.endsWith('/rest/event'))"
  await until(() => page.evaluate<boolean>(asked))
}

/** A world on the engine that the file prefers, or on the one that LACEWING_TEST_PAGES names for all files. */
export function pagesWorld(preferred: Engine = 'sqlite', environment: Record<string, string> = {}) {
  const { LACEWING_TEST_PAGES: named } = process.env
  return new World(named === 'sqlite' || named === 'postgres' ? named : preferred, environment)
}

/** Tests of pages, in a real browser. Where there is none, one line says so. */
export function describeInBrowser(title: string, tests: (at: BrowserWorld) => void, world = pagesWorld()) {
  const executablePath = findLeanChromium()
  if (executablePath === undefined) {
    console.log(`NOT CHECKED: ${title}: Chromium is not installed here and cannot be`)
    return
  }
  describe(title, (_: SuiteContext) => {
    const at = new BrowserWorld(world)
    before(() => at.open(executablePath))
    afterEach((test) => at.explain(test as unknown as EndedTest))
    after(() => at.close())
    tests(at)
  })
}
