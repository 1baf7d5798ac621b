import type { Browser, Page } from 'playwright-core'
import { longestTaskDuring } from './page-tasks.ts'
import { settled, waitForValue } from './page-timing.ts'

/** How fast somebody types who is in a hurry. */
const KEY_MILLISECONDS = 60

/** Notes how long the browser took at most from a key to the picture that shows it. */
const WATCH_KEYS = `
  globalThis.slowestKey = 0
  new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries())
      if (name.startsWith('key') || name === 'input') slowestKey = Math.max(slowestKey, duration)
  }).observe({ type: 'event', durationThreshold: 16 })
`

export interface Typing {
  /** The longest task of the page, in milliseconds of processor time. */
  task: number
  /** From a key to the picture that shows it, at most, in milliseconds; 0 if none took 16. */
  key: number
}

/** Types a text without a pause, as fast as people do, and watches what the page does meanwhile. */
export async function typeFast(browser: Browser, page: Page, field: string, text: string): Promise<Typing> {
  await settled(page)
  await page.locator(field).first().click()
  await page.evaluate(WATCH_KEYS)
  const task = await longestTaskDuring(browser, page, () => page.keyboard.type(text, { delay: KEY_MILLISECONDS }))
  return { task, key: await page.evaluate<number>('slowestKey') }
}

/** Notes when the results of a quicksearch are painted, and when a key was pressed last. */
const WATCH_RESULTS = `
  globalThis.lastKey = 0
  globalThis.resultsAt = 0
  addEventListener('keydown', (event) => { lastKey = performance.timeOrigin + event.timeStamp; resultsAt = 0 }, true)
  const readText = Response.prototype.text
  Response.prototype.text = async function () {
    const text = await readText.call(this)
    if (this.url.includes('quicksearch=')) setTimeout(() => afterPaint((now) => { resultsAt = now }))
    return text
  }
`

/** Milliseconds from each key to the results that it leads to, with a pause after each. */
export async function resultTimes(page: Page, field: string, text: string): Promise<number[]> {
  await settled(page)
  await page.evaluate(WATCH_RESULTS)
  await page.locator(field).first().click()
  const times: number[] = []
  for (const character of text) {
    await page.keyboard.press(character === ' ' ? 'Space' : character)
    times.push(await waitForValue<number>(page, 'resultsAt > 0 && resultsAt - lastKey'))
  }
  return times
}
