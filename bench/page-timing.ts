import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'

/** Where a click leads, and the elements that must be painted for it to count as done. */
export interface Goal {
  address: string
  selector: string
  count: number
}

/** What is waited for before a click, so that the work of the page before is not measured. */
const SETTLED_MILLISECONDS = 500
const POLL_MILLISECONDS = 50
const LONGEST_MILLISECONDS = 30_000

/**
 * Runs in each document before its own scripts. A goal is kept for the whole tab, because a click may load another document. The time is
 * taken after the frame in which the elements are there: a message that is posted in an animation frame comes after its paint.
 */
const WATCH = `
  globalThis.afterPaint = (done) => requestAnimationFrame(() => {
    const channel = new MessageChannel()
    channel.port1.onmessage = () => done(performance.timeOrigin + performance.now())
    channel.port2.postMessage('')
  })
  globalThis.watchFor = () => {
    const goal = JSON.parse(sessionStorage.getItem('bench goal') ?? 'null')
    if (goal === null) return
    const isThere = () => document.querySelectorAll(goal.selector).length >= goal.count
    const check = () => {
      if (!isThere()) return false
      observer.disconnect()
      sessionStorage.removeItem('bench goal')
      afterPaint((now) => sessionStorage.setItem('bench painted', String(now - goal.start)))
      return true
    }
    const observer = new MutationObserver(check)
    if (!check()) observer.observe(document, { subtree: true, childList: true, attributes: true })
  }
  if (location.protocol === 'http:') watchFor()
`

export async function watchPaints(page: Page) {
  await page.addInitScript(WATCH)
}

/** Milliseconds from a click on a link until the goal is painted. */
export function clickTime(page: Page, from: string, goal: Goal): Promise<number> {
  return timeTo(page, from, goal, 'link.click()')
}

/** The same for an address that is opened in a new document, as from a mail. */
export function openTime(page: Page, from: string, goal: Goal): Promise<number> {
  return timeTo(page, from, goal, 'location.assign(link.href)')
}

/** Milliseconds from a click on a button until the goal is painted. */
export async function pressTime(page: Page, button: string, goal: Omit<Goal, 'address'>): Promise<number> {
  await page.evaluate(startOf(goal, `document.querySelector(${JSON.stringify(button)}).click()`))
  return painted(page)
}

async function timeTo(page: Page, from: string, goal: Goal, act: string): Promise<number> {
  await page.goto(from)
  await settled(page)
  const link = `const link = document.createElement('a'); link.href = ${JSON.stringify(goal.address)}; document.body.append(link)`
  await page.evaluate(`{ ${link}; ${startOf(goal, act)} }`)
  return painted(page)
}

export async function settled(page: Page) {
  await page.waitForLoadState('load')
  await sleep(SETTLED_MILLISECONDS)
}

function startOf({ selector, count }: Omit<Goal, 'address'>, act: string) {
  return `
    sessionStorage.removeItem('bench painted')
    setTimeout(() => {
      const start = performance.timeOrigin + performance.now()
      sessionStorage.setItem('bench goal', JSON.stringify({ selector: ${JSON.stringify(selector)}, count: ${count}, start }))
      watchFor()
      ${act}
    })
  `
}

async function painted(page: Page): Promise<number> {
  return Number(await waitForValue<string>(page, "sessionStorage.getItem('bench painted')"))
}

/** Waits until an expression is true in the page, and returns its value. The policy of the pages forbids Playwright's own way. */
export async function waitForValue<Value>(page: Page, expression: string): Promise<Value> {
  for (const end = performance.now() + LONGEST_MILLISECONDS; performance.now() < end; await sleep(POLL_MILLISECONDS)) {
    // A document that is just being left cannot answer.
    const value = await page.evaluate<Value>(expression).catch(() => undefined)
    if (value) return value
  }
  throw new Error(`${page.url()} never had ${expression}`)
}
