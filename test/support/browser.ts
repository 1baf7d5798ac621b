import { after, before, describe, type SuiteContext } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { cast, type Name, PASSWORD } from './cast.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { World } from './world.ts'

export interface Visitor {
  page: Page
  context: BrowserContext
}

/** Who looks at the pages, and how. */
export interface Look {
  as?: Name
  isDark?: boolean
  isPhone?: boolean
}

/** A server and a browser for the tests of one file. */
export class BrowserWorld {
  readonly world: World
  private browser: Browser | undefined
  private readonly contexts: BrowserContext[] = []

  constructor(world: World) {
    this.world = world
  }

  async open(executablePath: string) {
    await this.world.open()
    this.browser = await launchChromium(executablePath)
  }

  async close() {
    await this.browser?.close()
    await this.world.close()
  }

  /** A browser of its own, with its own cookies, logged in when it is somebody's. */
  async visit(address: string, { as, isDark, isPhone }: Look = {}): Promise<Visitor> {
    if (this.browser === undefined) throw new Error('The browser is not open')
    const context = await this.browser.newContext({
      baseURL: this.world.url,
      colorScheme: isDark ? 'dark' : 'light',
      reducedMotion: 'reduce',
      viewport: isPhone ? { width: 360, height: 760 } : { width: 1280, height: 860 },
      ...(isPhone && { hasTouch: true, isMobile: true }),
    })
    this.contexts.push(context)
    if (as !== undefined) await logIn(context, as)
    const page = await context.newPage()
    await page.goto(address)
    await page.locator('#main').waitFor()
    return { page, context }
  }

  async leave() {
    await Promise.all(this.contexts.splice(0).map((context) => context.close()))
  }
}

/** With the call that the log-in page makes, but without loading that page, which a test of its own goes through. */
async function logIn({ request }: BrowserContext, name: Name) {
  const data = { login: cast[name].login, password: PASSWORD }
  const reply = await request.post('/rest/session', { data, headers: { 'Sec-Fetch-Site': 'same-origin' } })
  if (reply.status() !== 201) throw new Error(`${name} could not log in: ${reply.status()}`)
}

/** Tests of pages, in a real browser. Where there is none, one line says so. */
export function describeInBrowser(title: string, tests: (at: BrowserWorld) => void, world = new World('sqlite')) {
  const executablePath = findChromium()
  if (executablePath === undefined) {
    console.log(`NOT CHECKED: ${title}: Chromium is not installed here and cannot be`)
    return
  }
  describe(title, (_: SuiteContext) => {
    const at = new BrowserWorld(world)
    before(() => at.open(executablePath))
    after(() => at.close())
    tests(at)
  })
}
