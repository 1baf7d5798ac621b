import assert from 'node:assert/strict'
import { type ClientRequest, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { fileBug } from './file-bug.ts'
import type { World } from './world.ts'

const LONGEST_WAIT_MILLISECONDS = 60_000
/** On SQLite a search among them takes several seconds; on PostgreSQL it waits for the lock. */
const BUGS = { sqlite: 24, postgres: 2 }

/**
 * Searches that take as long as a test needs. On SQLite they use patterns that take long; on PostgreSQL another session locks the table
 * that they read.
 */
export class SlowSearches {
  bugs: number[] = []
  private readonly world: World
  private readonly open = new Set<ClientRequest>()
  private holder: pg.Client | undefined
  private sent = 0
  private searchesBefore = 0

  constructor(world: World) {
    this.world = world
  }

  async prepare() {
    const description = 'abcdabcd abcd '.repeat(250)
    for (let count = 0; count < BUGS[this.world.engine]; count++)
      this.bugs.push(await fileBug(this.world.rhea, { description, summary: `Slow bug ${count}` }))
    if (this.world.engine === 'sqlite') return
    this.holder = new pg.Client(this.world.databaseUrl)
    await this.holder.connect()
  }

  async close() {
    for (const request of this.open) request.destroy()
    await this.holder?.end()
  }

  /** Sends searches and waits until the database runs them. */
  start(count: number, apiKey?: string) {
    return this.startEach(Array.from({ length: count }, () => apiKey))
  }

  /** One search with each key; without a key it is anonymous. */
  async startEach(apiKeys: readonly (string | undefined)[]) {
    if (this.open.size === 0) await this.hold()
    for (const apiKey of apiKeys) this.send(apiKey)
    const all = this.open.size
    await this.until(() => this.busy >= all, `${all} searches to wait or run`)
  }

  /** Disconnects all clients. Waits until all searches are in the log and no slow read is left. */
  async leaveAll() {
    for (const request of this.open) request.destroy()
    this.open.clear()
    await this.until(() => this.searches - this.searchesBefore >= this.sent, `${this.sent} searches in the log`)
    await this.until(() => this.busy === 0, 'the slow reads to end')
    await this.holder?.query('rollback')
    this.sent = 0
  }

  private async hold() {
    this.searchesBefore = this.searches
    await this.holder?.query('begin; lock table comments in access exclusive mode')
  }

  private send(apiKey: string | undefined) {
    const headers = apiKey === undefined ? {} : { 'X-TRACKER-API-KEY': apiKey }
    const request = get(`${this.world.url}/rest/bug?${PATTERNS}`, { agent: false, headers }, (response) => {
      this.open.delete(request)
      response.resume()
    })
    request.on('error', () => {})
    this.open.add(request)
    this.sent++
  }

  /** Searches in the log, slow and short. */
  private get searches() {
    return this.world.logged.filter(({ path }) => path === '/rest/bug').length
  }

  private get busy() {
    const { running, waiting } = this.world.db.slowReads()
    return running + waiting
  }

  private async until(isTrue: () => boolean, what: string) {
    const end = performance.now() + LONGEST_WAIT_MILLISECONDS
    while (!isTrue() && performance.now() < end) await sleep(10)
    const state = () => JSON.stringify([this.world.db.slowReads(), this.world.logged.slice(-10)])
    assert.ok(isTrue(), `Waited in vain for ${what}: ${isTrue() ? '' : state()}`)
  }
}

/** Few patterns, because the server compiles them for each request. A text is short, so that a search soon sees that it is to end. */
const PATTERNS = new URLSearchParams([
  ['j_top', 'OR'],
  ...Array.from({ length: 12 }, (_, row): [string, string][] => [
    [`f${row}`, 'longdesc'],
    [`o${row}`, 'regexp'],
    [`v${row}`, `(a?b?c?d?){20}[xyz]${row}`],
  ]).flat(),
])
