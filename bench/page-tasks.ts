import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'

/** After an act, the time in which its last tasks run: longer than the pages wait for the next key before they search. */
const LAST_TASKS_MILLISECONDS = 700
const WHEEL_TURNS = 40
/** As fast as a wheel is turned by somebody who looks for a bug far below. */
const WHEEL_PIXELS = 400
const WHEEL_MILLISECONDS = 40
const KEY_MILLISECONDS = 60

/** A part of Chromium's trace: something that a thread did, or the name of a thread. */
interface TraceEvent {
  name: string
  pid: number
  tid: number
  /** Processor time in microseconds. */
  tdur?: number
  args: { name?: string }
}

/**
 * The longest task of a page while something is done in it, in milliseconds of processor time: other load on the machine makes tasks
 * longer, but not that.
 */
export async function longestTaskDuring(browser: Browser, page: Page, act: () => Promise<void>): Promise<number> {
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] })
  await act()
  await sleep(LAST_TASKS_MILLISECONDS)
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
  return longestTask(traceEvents)
}

function longestTask(events: readonly TraceEvent[]): number {
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const named = events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
  const main = new Set(named.map(threadOf))
  const tasks = events.filter((event) => event.name.endsWith('RunTask') && main.has(threadOf(event)))
  if (tasks.length === 0) throw new Error('The trace has no task of the page')
  return tasks.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur / 1000), 0)
}

/** Turns the wheel over an element, down and up again. */
export async function turnWheel(page: Page, selector: string) {
  await page.locator(selector).first().hover()
  for (let turn = 0; turn < WHEEL_TURNS; turn++) {
    await page.mouse.wheel(0, turn < WHEEL_TURNS / 2 ? WHEEL_PIXELS : -WHEEL_PIXELS)
    await sleep(WHEEL_MILLISECONDS)
  }
}

/** Opens the command palette, types, moves down and closes it. */
export async function usePalette(page: Page, text: string) {
  await page.keyboard.press('Control+k')
  await page.locator('dialog input[role=combobox]').waitFor()
  await page.keyboard.type(text, { delay: KEY_MILLISECONDS })
  await sleep(LAST_TASKS_MILLISECONDS)
  for (let turn = 0; turn < 5; turn++) await page.keyboard.press('ArrowDown', { delay: KEY_MILLISECONDS })
  await page.keyboard.press('Escape')
}

/** Follows a link inside of the pages, without loading another document. */
export async function follow(page: Page, address: string) {
  await page.evaluate(
    `{ const link = document.createElement('a'); link.href = ${JSON.stringify(address)}; document.body.append(link); link.click() }`,
  )
  await sleep(LAST_TASKS_MILLISECONDS)
}
