import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { type BenchPostgres, postgresOf } from '../../bench/postgres-set.ts'
import { ADMIN, clientOf, memoryOf, type Server, startServer } from '../../bench/processes.ts'
import { launchChromium } from '../../test/support/chromium.ts'
import { findChromium } from '../../test/support/find-chromium.ts'
import { type As, LARGE_CALLS, LARGE_PAGES, type LargeCall, type LargePage } from './large-calls.ts'
import { BUSY_USER, GROUPED_USER, makeLargeSet } from './large-set.ts'

const TIMES = 5
const MOST_MEMORY_MB = 400
const PASSWORD = 'measured1'

/**
 * `npm run soak -- large`: one installation that has much of everything (see LARGE), on each engine. Every call and every page must come
 * within its time, and the memory of the server stays below a limit. The machine should be idle.
 */
export async function soakLarge(engine: 'sqlite' | 'postgres'): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'lacewing-soak-large-'))
  let postgres: BenchPostgres | undefined
  let server: Server | undefined
  try {
    await makeLargeSet(folder)
    if (engine === 'postgres') postgres = await postgresOf(folder)
    server = await startServer(folder, postgres === undefined ? {} : { LACEWING_DATABASE_URL: postgres.url })
    const isEachCallGood = await tryCalls(server, await keysOn(server))
    const isEachPageGood = await tryPages(server)
    const memory = memoryOf(server.pid)
    console.log(`large things on ${engine}: memory ${memory.toFixed(0)} MB (at most ${MOST_MEMORY_MB})`)
    return isEachCallGood && isEachPageGood && memory <= MOST_MEMORY_MB
  } finally {
    await server?.stop()
    await postgres?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const LOGINS: Readonly<Record<As, string>> = {
  admin: ADMIN.LACEWING_ADMIN_LOGIN,
  busy: BUSY_USER,
  grouped: GROUPED_USER,
}

async function keysOn(server: Server): Promise<Record<As, string>> {
  const admin = clientOf(server)
  const keyOf = async (user: string) => (await admin.post('/user/:user/api_key', { user })).api_key
  return {
    admin: ADMIN.LACEWING_ADMIN_API_KEY,
    busy: await keyOf(LOGINS.busy),
    grouped: await keyOf(LOGINS.grouped),
  }
}

async function tryCalls({ port }: Server, keys: Record<As, string>): Promise<boolean> {
  let isGood = true
  for (const call of LARGE_CALLS) {
    const times: number[] = []
    let bytes = 0
    for (let time = 0; time < TIMES; time++) {
      const started = performance.now()
      bytes = await lengthOf(port, call, keys[call.as ?? 'admin'])
      times.push(performance.now() - started)
    }
    isGood = show(call, times, `${(bytes / 1000).toFixed(0)} KB`) && isGood
  }
  return isGood
}

let count = 0

async function lengthOf(port: number, { path, method, body }: LargeCall, key: string): Promise<number> {
  const sent = body && { body: JSON.stringify(body).replaceAll('{n}', String(++count)) }
  const headers = { Accept: 'application/json', 'Content-Type': 'application/json', 'X-TRACKER-API-KEY': key }
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: method ?? 'GET', headers, ...sent })
  const { byteLength } = await response.arrayBuffer()
  if (!response.ok) throw new Error(`${path} was refused with ${response.status}`)
  return byteLength
}

async function tryPages(server: Server): Promise<boolean> {
  const chromium = findChromium()
  if (chromium === undefined) throw new Error('Chromium is not installed, and cannot be installed here.')
  const admin = clientOf(server)
  for (const user of [LOGINS.busy, LOGINS.grouped]) await admin.put('/user/:ref', { ref: user, password: PASSWORD })
  const browser = await launchChromium(chromium)
  let isGood = true
  try {
    for (const as of Object.keys(LOGINS) as As[]) {
      const context = await browser.newContext({ baseURL: `http://127.0.0.1:${server.port}` })
      const page = await context.newPage()
      await signIn(page, LOGINS[as], as === 'admin' ? ADMIN.LACEWING_ADMIN_PASSWORD : PASSWORD)
      for (const wanted of LARGE_PAGES.filter((it) => it.as === as)) isGood = (await tryPage(page, wanted)) && isGood
      await context.close()
    }
    return isGood
  } finally {
    await browser.close()
  }
}

async function signIn(page: Page, login: string, password: string) {
  await page.goto('/login')
  await page.getByLabel('Email').or(page.getByLabel('Login')).first().fill(login)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname !== '/login')
}

async function tryPage(page: Page, wanted: LargePage): Promise<boolean> {
  const times: number[] = []
  let elements = 0
  for (let time = 0; time < 2; time++) {
    const started = performance.now()
    await page.goto(wanted.address)
    await page.locator(wanted.ready).first().waitFor()
    times.push(performance.now() - started)
    elements = await page.locator('body *').count()
  }
  return show({ ...wanted, name: `page: ${wanted.name}` }, times, `${elements} elements`)
}

function show({ name, within }: { name: string; within: number }, times: readonly number[], size: string): boolean {
  const shortest = Math.min(...times)
  const isGood = shortest <= within
  const figures = `${shortest.toFixed(1)} ms (at most ${within}), longest ${Math.max(...times).toFixed(1)}, ${size}`
  console.log(`${isGood ? ' ' : '!'} ${name.padEnd(56)}${figures}`)
  return isGood
}
