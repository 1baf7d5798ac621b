import type { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Socket } from 'node:net'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { launchLeanChromium } from './chromium.ts'
import { usesBrowser } from './test-processes.ts'

/** A page that no test uses, with nothing in it. */
export interface FreePage {
  page: Page
  context: BrowserContext
  isPhone: boolean
  baseURL: string
}

/** The browser of a test process. The next file gets it too: a new one, or a new page, loads and compiles every script again. */
export interface SharedBrowser {
  browser: Browser
  /** Of the server of the file before. At the same address the browser still has the scripts. */
  port: number
  free: FreePage[]
}

let shared: Promise<SharedBrowser> | undefined
let processes: ChildProcess[] = []

export async function sharedBrowser(executablePath: string): Promise<SharedBrowser> {
  if (shared !== undefined && !(await shared).browser.isConnected()) shared = undefined
  shared ??= launch(executablePath)
  return shared
}

async function launch(executablePath: string): Promise<SharedBrowser> {
  processes = []
  const note = (message: unknown) => void processes.push((message as { process: ChildProcess }).process)
  subscribe('child_process', note)
  const browser = await launchLeanChromium(executablePath)
  unsubscribe('child_process', note)
  // A file has ended when its process waits for nothing else; the server of the tests keeps it waiting until then.
  for (const child of processes) {
    child.unref()
    for (const stream of child.stdio) if (stream instanceof Socket) stream.unref()
  }
  return { browser, port: 0, free: [] }
}

async function close() {
  const closing = shared
  shared = undefined
  for (const child of processes) child.ref()
  await (await closing)?.browser.close()
}

// See run-files.ts: a message names the next file, and the runner disconnects when there is none.
process.on('message', (file) => {
  if (!usesBrowser(String(file))) void close()
})
process.on('disconnect', () => void close())
