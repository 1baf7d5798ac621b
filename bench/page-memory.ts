import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import { settled } from './page-timing.ts'

/** Timers of the pages are this much shorter, so that an hour's changes are shown in minutes, almost each by itself. */
const FASTER = 10
const HASTE = `
  const realTimeout = setTimeout
  globalThis.setTimeout = (run, milliseconds = 0, ...given) => realTimeout(run, milliseconds / ${FASTER}, ...given)
`
/** Changes that are sent before the pages have shown them. */
const MOST_AHEAD = 4
const AFTER_LAST_MILLISECONDS = 2000

export interface Memory {
  /** Of the heap, in MB, after garbage is collected. */
  before: number
  after: number
  /** Elements, texts and attributes of the document. */
  nodesBefore: number
  nodesAfter: number
}

/** An open page, and how much it has in memory. */
interface OpenPage {
  page: Page
  cdp: CDPSession
  /** How many times it asked the server for data. */
  requests: number
}

/**
 * Opens the addresses, makes the changes one after another while the pages receive them through their event streams, and returns the
 * memory of each page before and after.
 */
export async function liveMemory(
  context: BrowserContext,
  addresses: readonly string[],
  changes: number,
  change: (number: number) => Promise<void>,
): Promise<{ memory: Memory[]; requests: number[] }> {
  const open: OpenPage[] = []
  for (const address of addresses) open.push(await openPage(context, address))
  // The first changes load what the pages load only once.
  for (let number = 0; number < changes / 20; number++) await change(number)
  await sleep(AFTER_LAST_MILLISECONDS)
  const before = await Promise.all(open.map(inMemory))
  for (const page of open) page.requests = 0
  for (let number = 0; number < changes; number += MOST_AHEAD) {
    const seen = open.map(({ requests }) => requests)
    await Promise.all(Array.from({ length: MOST_AHEAD }, (_, place) => change(number + place)))
    // The first page shows every change; it is waited for, so that changes are not gathered into one.
    for (let waited = 0; waited < 40 && open[0]?.requests === seen[0]; waited++) await sleep(5)
  }
  await sleep(AFTER_LAST_MILLISECONDS)
  const after = await Promise.all(open.map(inMemory))
  const memory = before.map(({ heap, nodes }, place) => ({
    before: heap,
    after: after[place]?.heap ?? 0,
    nodesBefore: nodes,
    nodesAfter: after[place]?.nodes ?? 0,
  }))
  for (const { page } of open) await page.close()
  return { memory, requests: open.map(({ requests }) => requests) }
}

async function openPage(context: BrowserContext, address: string): Promise<OpenPage> {
  const page = await context.newPage()
  await page.addInitScript(HASTE)
  await page.goto(address)
  await settled(page)
  const cdp = await context.newCDPSession(page)
  await cdp.send('Performance.enable')
  const open: OpenPage = { page, cdp, requests: 0 }
  page.on('requestfinished', (request) => {
    if (request.url().includes('/rest/bug')) open.requests++
  })
  return open
}

async function inMemory({ cdp }: OpenPage) {
  // Weak references and finalisers need a second round.
  for (let round = 0; round < 3; round++) await cdp.send('HeapProfiler.collectGarbage')
  const { metrics } = await cdp.send('Performance.getMetrics')
  const metric = (name: string) => metrics.find((it) => it.name === name)?.value ?? 0
  return { heap: metric('JSHeapUsedSize') / 1e6, nodes: metric('Nodes') }
}
