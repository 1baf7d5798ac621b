import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { launchChromium } from '../test/support/chromium.ts'
import { findChromium } from '../test/support/find-chromium.ts'
import { liveMemory } from './page-memory.ts'
import { Company, copyOfBugs } from './page-set.ts'
import { firstLoadOf } from './page-size.ts'
import { follow, longestTaskDuring, turnWheel, usePalette } from './page-tasks.ts'
import { clickTime, type Goal, openTime, pressTime, settled, watchPaints } from './page-timing.ts'
import { resultTimes, typeFast } from './page-typing.ts'
import { ADMIN, startServer } from './processes.ts'
import { EMPTY_PAGE, type StaticPages, startStaticPages } from './static-pages.ts'

const MOST_TIMES_STATIC = 2.5
const MOST_GROWTH = 1.3
const LARGEST_FIRST_LOAD = 100
const LONGEST_TASK = 50
const MOST_MEMORY_GROWTH = 1.2

/** High enough for fifty rows of a list. */
const SCREEN = { viewport: { width: 1280, height: 1100 }, reducedMotion: 'reduce' } as const
const LIST = '/bugs?quicksearch=ALL'
const FORM = '/file/Product%201/Component%201'
const SEARCH_FIELD = 'input[role=combobox][aria-label="Search bugs"]'
const SUMMARY_FIELD = '.file-form input.input-large'
const COMMENT_FIELD = '.composer textarea'
const DESCRIPTION_FIELD = '.file-form textarea'
const SENTENCE = 'the window error that crashes when memory is closed before the network page was drawn'

/** The number of bugs, rounds and live changes. */
interface Effort {
  size: number
  rounds: number
  changes: number
}

const WHOLE: Effort = { size: 200_000, rounds: 9, changes: 3600 }
const SMALL: Effort = { size: 20_000, rounds: 5, changes: 600 }

const PARTS: readonly (readonly [name: string, show: (bench: PagesBench, effort: Effort) => Promise<void>])[] = [
  ['paints', (bench, effort) => bench.showPaints(effort)],
  ['typing', (bench) => bench.showTyping()],
  ['tasks', (bench) => bench.showTasks()],
  ['loads', (bench) => bench.showFirstLoads()],
  ['memory', (bench, { changes }) => bench.showMemory(changes)],
]

/** A part that fails does not keep the others from being measured. */
async function measured(name: string, show: () => Promise<void>) {
  try {
    await show()
  } catch (fault) {
    process.exitCode = 1
    console.log(`\n“${name}” could not be measured: ${(fault as Error).message}`)
  }
}

/**
 * `npm run bench -- pages`: the pages in Chromium, next to static copies of them; `small` for a tenth of the bugs, `in=/folder` for the
 * folder of the bugs, `paints`, `typing`, `tasks`, `loads` or `memory` for some parts only. Pages and copies take turns, so that other load on
 * the machine affects both.
 */
export async function showPages(args: readonly string[]) {
  const chromium = findChromium()
  if (chromium === undefined) throw new Error('Chromium is not installed, and cannot be installed here.')
  const effort = args.includes('small') ? SMALL : WHOLE
  const folder = await copyOfBugs(args.find((arg) => arg.startsWith('in='))?.slice(3) ?? tmpdir(), effort.size)
  const server = await startServer(folder)
  const browser = await launchChromium(chromium)
  try {
    const company = new Company(server)
    await company.open()
    const bench = await PagesBench.open(browser, `http://127.0.0.1:${server.port}`, company)
    const wanted = PARTS.filter(([name]) => args.includes(name))
    for (const [name, show] of wanted.length === 0 ? PARTS : wanted) await measured(name, () => show(bench, effort))
  } finally {
    await browser.close()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

class PagesBench {
  private readonly browser: Browser
  private readonly url: string
  private readonly company: Company
  private readonly context: BrowserContext
  private readonly page: Page
  private readonly bugs: { short: number; long: number }

  private constructor(
    browser: Browser,
    url: string,
    company: Company,
    context: BrowserContext,
    page: Page,
    bugs: { short: number; long: number },
  ) {
    this.browser = browser
    this.url = url
    this.company = company
    this.context = context
    this.page = page
    this.bugs = bugs
  }

  static async open(browser: Browser, url: string, company: Company) {
    const bugs = { short: await company.fileBug(10), long: await company.fileBug(1000) }
    const context = await browser.newContext({ ...SCREEN, baseURL: url })
    const page = await context.newPage()
    await watchPaints(page)
    await page.goto('/login')
    const { LACEWING_ADMIN_LOGIN: login, LACEWING_ADMIN_PASSWORD: password } = ADMIN
    const init = `{ method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '${JSON.stringify({ login, password })}' }`
    await page.evaluate(`fetch('/rest/session', ${init})`)
    return new PagesBench(browser, url, company, context, page, bugs)
  }

  async showPaints({ size, rounds }: Effort) {
    const goals = new Map<string, Goal>([
      ['list', { address: LIST, selector: '.bug-table-row:not(.is-to-come)', count: 50 }],
      ['short', { address: `/bug/${this.bugs.short}`, selector: '.stream > .comment', count: 10 }],
      ['long', { address: `/bug/${this.bugs.long}`, selector: '.stream > .comment', count: 10 }],
      ['form', { address: FORM, selector: SUMMARY_FIELD, count: 1 }],
    ])
    const copies = await startStaticPages(this.page, this.url, goals)
    const seen = new Map<string, Paints>()
    for (let round = -1; round < rounds; round++)
      for (const [name, goal] of goals) {
        const paints = await this.paintsOf(name, goal, copies)
        // The first round fills the caches.
        if (round >= 0) addTo(seen, name, paints)
      }
    copies.stop()
    console.log(
      `Pages with ${size} bugs: milliseconds until painted, medians of ${rounds} rounds. The static page has the same elements,`,
    )
    console.log(
      'style and icons, without scripts. “Clicked” follows a link inside of the pages, “opened” loads a new document.\n',
    )
    console.log(line('', ['clicked', 'opened', 'static', 'clicked ×', 'opened ×', 'wanted']))
    const titles = {
      list: 'list of 50',
      short: 'bug with 10 comments',
      long: 'bug with 1000 comments',
      form: 'form for a new bug',
    }
    for (const [name, title] of Object.entries(titles)) showPaint(title, seen.get(name) as Paints)
    const growthOf = (kind: keyof Paints) =>
      medianOf(seen.get('long')?.[kind] ?? []) / medianOf(seen.get('short')?.[kind] ?? [])
    const [once, anew] = [growthOf('clicked'), growthOf('opened')]
    const growth = ['', '', '', once.toFixed(2), anew.toFixed(2), MOST_GROWTH.toFixed(2)]
    console.log(line('1000 comments instead of 10', [...growth, isOk(Math.max(once, anew) <= MOST_GROWTH)]))
    console.log(line('a bug is filed and shown', [medianOf(await this.filingTimes(rounds)).toFixed(0)]))
  }

  private async paintsOf(name: string, goal: Goal, copies: StaticPages): Promise<Record<keyof Paints, number>> {
    return {
      clicked: await clickTime(this.page, `${this.url}/`, goal),
      still: await clickTime(this.page, copies.url + EMPTY_PAGE, { ...goal, address: `/${name}` }),
      opened: await openTime(this.page, `${this.url}/help`, goal),
    }
  }

  private async filingTimes(rounds: number): Promise<number[]> {
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      await this.page.goto(this.url + FORM)
      await this.page.locator(SUMMARY_FIELD).fill(`The lamp flickers in round ${round}`)
      await this.page.locator(DESCRIPTION_FIELD).fill('Since Monday, and only at night.')
      await settled(this.page)
      times.push(
        await pressTime(this.page, '.file-form button[type=submit]', { selector: '.stream > .comment', count: 1 }),
      )
    }
    return times
  }

  async showTyping() {
    console.log(`\n${line('Typing, in milliseconds', ['CPU of a task', 'slowest key', 'wanted'])}`)
    const places = [
      ['a search, in the list', LIST, SEARCH_FIELD],
      ['a comment on 1000 others', `/bug/${this.bugs.long}`, COMMENT_FIELD],
      ['the summary of a new bug', FORM, SUMMARY_FIELD],
    ] as const
    for (const [title, address, field] of places) {
      // A page of its own: clearing away the one before would count as work of this one.
      const page = await this.context.newPage()
      await page.goto(this.url + address)
      const { task, key } = await typeFast(this.browser, page, field, SENTENCE)
      await page.close()
      const figures = [task.toFixed(1), key === 0 ? 'under 16' : key.toFixed(0)]
      console.log(line(title, [...figures, String(LONGEST_TASK), isOk(task <= LONGEST_TASK)]))
    }
    await this.page.goto(`${this.url}/`)
    const times = await resultTimes(this.page, SEARCH_FIELD, 'memory error')
    const [median, worst] = [medianOf(times), Math.max(...times)]
    console.log(line('from a key to its results', [`${median.toFixed(0)} median`, `${worst.toFixed(0)} at most`]))
  }

  async showTasks() {
    console.log(`\n${line('Longest task, in milliseconds', ['CPU of a task', 'wanted'])}`)
    const board = `${LIST}&view=board`
    const acts: readonly (readonly [title: string, address: string, act: (page: Page) => Promise<void>])[] = [
      ['the wheel over the list', LIST, (page) => turnWheel(page, '.bug-table')],
      ['the list opens as a board', LIST, (page) => follow(page, board)],
      ['the wheel over the board', board, (page) => turnWheel(page, '.board-column')],
      ['the palette over the list', LIST, (page) => usePalette(page, 'memory')],
      ['the palette over a bug', `/bug/${this.bugs.long}`, (page) => usePalette(page, 'memory')],
      ['a bug with 10 comments', LIST, (page) => follow(page, `/bug/${this.bugs.short}`)],
      ['a bug with 1000 comments', LIST, (page) => follow(page, `/bug/${this.bugs.long}`)],
    ]
    for (const [title, address, act] of acts) {
      const page = await this.context.newPage()
      await page.goto(this.url + address)
      await page.locator('.bug-table-row, .board-card, .comment').first().waitFor()
      await settled(page)
      const task = await longestTaskDuring(this.browser, page, () => act(page))
      await page.close()
      console.log(line(title, [task.toFixed(1), String(LONGEST_TASK), isOk(task <= LONGEST_TASK)]))
    }
  }

  async showFirstLoads() {
    console.log(`\n${line('First load, in KB compressed', ['code and style', 'page and data', 'all', 'wanted'])}`)
    const options = { ...SCREEN, storageState: await this.context.storageState() }
    for (const [title, address] of [
      ['home', '/'],
      ['list', LIST],
      ['bug with 10 comments', `/bug/${this.bugs.short}`],
    ] as const) {
      const { code, data } = await firstLoadOf(this.browser, options, this.url + address)
      const figures = [code, data, code + data].map((figure) => figure.toFixed(1))
      console.log(line(title, [...figures, String(LARGEST_FIRST_LOAD), isOk(code + data <= LARGEST_FIRST_LOAD)]))
    }
  }

  async showMemory(changes: number) {
    const shown = await this.company.newestBugs(40)
    const { short } = this.bugs
    const change = async (number: number) => {
      // One change a second, and one comment a minute on the open bug: 3600 are an hour.
      await (number % 60 === 0 ? this.company.comment(short) : this.company.setSummary(shown[number % 40] ?? short, 8))
    }
    const { memory, requests } = await liveMemory(this.context, [LIST, `/bug/${short}`], changes, change)
    console.log(
      `\nMemory after ${changes} live changes (an hour has 3600, one a second), which came through the event stream of each page as fast`,
    )
    console.log(
      `as they were shown. The list was brought up to date ${requests[0]} times, the bug ${requests[1]} times.\n`,
    )
    console.log(line('', ['MB before', 'MB after', 'nodes before', 'nodes after', 'growth', 'wanted']))
    for (const [place, title] of ['open list', 'open bug'].entries()) {
      const { before = 0, after = 0, nodesBefore = 0, nodesAfter = 0 } = memory[place] ?? {}
      const growth = after / before
      const figures = [before.toFixed(1), after.toFixed(1), String(nodesBefore), String(nodesAfter), growth.toFixed(2)]
      console.log(line(title, [...figures, MOST_MEMORY_GROWTH.toFixed(2), isOk(growth <= MOST_MEMORY_GROWTH)]))
    }
  }
}

interface Paints {
  clicked: number[]
  opened: number[]
  still: number[]
}

function addTo(seen: Map<string, Paints>, name: string, { clicked, opened, still }: Record<keyof Paints, number>) {
  const paints = seen.get(name) ?? { clicked: [], opened: [], still: [] }
  paints.clicked.push(clicked)
  paints.opened.push(opened)
  paints.still.push(still)
  seen.set(name, paints)
}

function showPaint(title: string, paints: Paints) {
  const [clicked, opened, still] = [medianOf(paints.clicked), medianOf(paints.opened), medianOf(paints.still)]
  const figures = [clicked, opened, still].map((time) => time.toFixed(0))
  const [once, anew] = [clicked / still, opened / still]
  const isGood = once <= MOST_TIMES_STATIC && anew <= MOST_TIMES_STATIC
  console.log(line(title, [...figures, once.toFixed(2), anew.toFixed(2), MOST_TIMES_STATIC.toFixed(2), isOk(isGood)]))
}

function line(title: string, figures: readonly string[]) {
  return title.padEnd(30) + figures.map((figure) => figure.padStart(15)).join('')
}

function isOk(isGood: boolean) {
  return isGood ? 'ok' : 'NOT REACHED'
}

function medianOf(times: readonly number[]) {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
}
