import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { openDatabase } from '../../src/platform/database/open-database.ts'
import type { BodyAt } from './body-types.ts'
import { cast } from './cast.ts'
import { copyDatabase, type Engine } from './copy-database.ts'
import { addChanges, addComments, fillWithBugs, type HostileSizes } from './hostile-bugs.ts'
import type { HostileBugs, HostileRequest } from './hostile-requests.ts'
import { ServerProcess } from './server-process.ts'
import { AT_ONCE, askTurns, excessOf, TURN_MONITOR } from './turn-meter.ts'
import type { Question } from './turn-monitor.ts'

const MOST_TRIES = 4
const ANSWERED_OF_MANY = 2
const STAYS_MILLISECONDS = 200
/** The fewest milliseconds that any machine needs for the reference work. */
const SHORT_EVERYWHERE = 20

/** Before there are any. */
export const NO_BUGS: HostileBugs = { first: 0, count: 0, withComments: 0, withHistory: 0 }

/** A real server process on an installation with many bugs, which measures the longest turn of its event loop. */
export class WatchedServer {
  bugs = NO_BUGS
  private readonly engine: Engine
  private readonly sizes: HostileSizes
  private process: ServerProcess | undefined
  private url = ''
  private databaseUrl = ''

  constructor(engine: Engine, sizes: HostileSizes) {
    this.engine = engine
    this.sizes = sizes
  }

  async start() {
    const folder = mkdtempSync(join(process.env.LACEWING_TEST_FOLDER ?? '', 'event-loop-'))
    const databaseUrl = await copyDatabase(this.engine, folder)
    this.databaseUrl = databaseUrl
    this.process = new ServerProcess({ LACEWING_DATA: folder, LACEWING_DATABASE_URL: databaseUrl }, [], {
      preload: TURN_MONITOR,
    })
    this.url = (await this.process.listening()).url
    const bug = { product: 'TestProduct', component: 'TestComponent', summary: 'A bug', version: 'unspecified' }
    const pattern = await this.fetchJson('/bug', bug)
    const db = openDatabase(databaseUrl)
    this.bugs = await fillWithBugs(db, pattern.id, this.sizes)
    await db.close()
    for (let count = 0; count < 50; count++) await this.send({ title: '', method: 'GET', path: `/bug/${pattern.id}` })
    await this.milliseconds('longest')
  }

  /**
   * Sends the request until no turn of the event loop was longer than the reference work takes on this machine. Other programs can only
   * make a turn longer, so one such answer is enough.
   */
  async requireShortTurns(requestFor: () => HostileRequest | Promise<HostileRequest>) {
    const seen: string[] = []
    while (seen.length < MOST_TRIES) {
      const request = await requestFor()
      await this.milliseconds('longest')
      const { title } = request
      const status = await this.send(request)
      assert.ok(status < 500, `${title}: it answers ${status}`)
      const longest = await this.milliseconds('longest')
      if (longest <= SHORT_EVERYWHERE) return
      const reference = await this.milliseconds('reference')
      if (longest <= reference) return
      seen.push(`${title}: nobody else was served for ${longest} ms, and the reference work took ${reference} ms`)
    }
    assert.fail(seen.join('\n'))
  }

  /** Adds very many comments and changes to a bug. */
  async fillBug(bug: number) {
    const db = openDatabase(this.databaseUrl)
    await addComments(db, bug, this.sizes.comments)
    await addChanges(db, bug, this.sizes.changes)
    await db.close()
  }

  /**
   * Sends the request twenty times at once, and measures the turns of the server as `npm run soak -- hostile` does. When a few are answered,
   * the other clients leave: threads may go on for long, but the main thread has done all steps.
   */
  async requireTurnsForMany(requestFor: () => HostileRequest) {
    const seen: string[] = []
    while (seen.length < MOST_TRIES) {
      const request = requestFor()
      await this.milliseconds('longest')
      const faults = (await this.sendMany(request)).filter((status) => status >= 500 && status !== 503)
      assert.deepEqual(faults, [], request.title)
      const excess = await excessOf(this.child, await this.milliseconds('longest'))
      if (excess === undefined) return
      seen.push(`${request.title}: ${excess}`)
    }
    assert.fail(seen.join('\n'))
  }

  private async sendMany(request: HostileRequest): Promise<number[]> {
    const leaving = new AbortController()
    let left = ANSWERED_OF_MANY
    const sent = Array.from({ length: AT_ONCE }, async () => {
      const status = await this.send(request, leaving.signal)
      if (--left === 0) setTimeout(() => leaving.abort(), STAYS_MILLISECONDS)
      return status
    })
    return Promise.all(sent)
  }

  private milliseconds(question: Question): Promise<number> {
    return askTurns(this.child, question)
  }

  private get child(): ChildProcess {
    if (this.process === undefined) throw new Error('The server has not been started')
    return this.process.child
  }

  /** Returns the status after the whole response has arrived; 0 if the client has left before. */
  send({ method, root = '/rest', path, body, headers }: HostileRequest, leaves?: AbortSignal): Promise<number> {
    const sent = {
      Accept: 'application/json',
      'X-TRACKER-API-KEY': cast.edna.apiKey,
      ...(body !== undefined && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
      ...headers,
    }
    return new Promise((resolve, reject) => {
      const outgoing = request(`${this.url}${root}${path}`, { method, headers: sent }, (response) => {
        response.resume()
        response.on('end', () => resolve(response.statusCode ?? 0))
        response.on('error', fail)
      })
      const fail = (fault: Error) => (leaves?.aborted ? resolve(0) : reject(fault))
      leaves?.addEventListener('abort', () => outgoing.destroy())
      outgoing.on('error', fail)
      outgoing.end(body)
    })
  }

  private async fetchJson<const Path extends string>(path: Path, body: object) {
    const response = await fetch(`${this.url}/rest${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-TRACKER-API-KEY': cast.edna.apiKey },
      body: JSON.stringify(body),
    })
    return (await response.json()) as BodyAt<'POST', `/rest${Path}`>
  }
}
