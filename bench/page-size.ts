import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContextOptions } from 'playwright-core'

const LAST_REQUESTS_MILLISECONDS = 1500

/** What a first visit transfers, in KB, with headers. */
export interface FirstLoad {
  code: number
  /** The page itself, with its data, and what it asks for after it. */
  data: number
}

/** Opens an address in a browser that has never been there. */
export async function firstLoadOf(browser: Browser, options: BrowserContextOptions, url: string): Promise<FirstLoad> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await cdp.send('Network.enable')
  const paths = new Map<string, string>()
  const load: FirstLoad = { code: 0, data: 0 }
  cdp.on('Network.responseReceived', ({ requestId, response }) => paths.set(requestId, new URL(response.url).pathname))
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const isCode = paths.get(requestId)?.startsWith('/assets/') === true
    load[isCode ? 'code' : 'data'] += encodedDataLength / 1000
  })
  await page.goto(url)
  await sleep(LAST_REQUESTS_MILLISECONDS)
  await context.close()
  return load
}
