import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { firstStart } from '../../src/admin/first-start.ts'
import { endSetup, insertSetupCode } from '../../src/admin/setup/setup-store.ts'
import { type App, buildApp } from '../../src/app.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import type { Db } from '../../src/platform/database/db.ts'
import { openDatabase } from '../../src/platform/database/open-database.ts'
import { copyDatabase, dropLater, type Engine, required } from './copy-database.ts'
import { onlyPositions } from './world.ts'

export const OWN_PAGE = { 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/json' }
const NO_LOG = { info() {}, error() {}, flush: async () => {} }

/** A server on a database that had its first start. */
export class NewInstallation {
  readonly engine: Engine
  private database: Db | undefined
  url = ''
  key = ''
  code: string | undefined
  databaseUrl = ''
  private app: App | undefined

  constructor(engine: Engine) {
    this.engine = engine
  }

  async open(environment: Record<string, string> = {}) {
    const folder = mkdtempSync(join(required('LACEWING_TEST_FOLDER'), 'setup-'))
    this.databaseUrl = await copyDatabase(this.engine, folder, 'migrated')
    this.database = openDatabase(this.databaseUrl)
    const config = readConfig({
      LACEWING_PORT: '0',
      LACEWING_DATA: folder,
      LACEWING_OVERLOAD_MILLISECONDS: '0',
      ...environment,
    })
    const generated = await firstStart(this.db, config)
    this.key = generated.apiKey ?? environment.LACEWING_ADMIN_API_KEY ?? ''
    this.code = generated.setupCode
    this.app = buildApp(this.db, config, NO_LOG, onlyPositions)
    this.url = await this.app.listen({ host: '127.0.0.1', port: 0 })
    return this
  }

  get db(): Db {
    if (this.database === undefined) throw new Error('The installation is not open')
    return this.database
  }

  async close() {
    await this.app?.close()
    await this.db.close()
    if (this.engine === 'postgres') dropLater(this.databaseUrl)
  }

  async request(method: string, path: string, headers: Record<string, string>, body?: unknown) {
    const sent = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const reply = await fetch(this.url + path, sent)
    const text = await reply.text()
    const cookie = reply.headers.get('set-cookie') ?? ''
    return { status: reply.status, body: JSON.parse(text), cookie, text, headers: reply.headers }
  }

  asAdmin(method: string, path: string, body?: unknown) {
    return this.request(method, path, { 'X-TRACKER-API-KEY': this.key, 'Content-Type': 'application/json' }, body)
  }

  useCode(code: string | undefined, headers: Record<string, string> = OWN_PAGE) {
    return this.request('POST', '/rest/setup', headers, { code })
  }

  /** As after another first start. */
  async newCode() {
    await endSetup(this.db)
    await this.db.query((q) => q.deleteFrom('login_failures'))
    this.code = 'c'.repeat(24)
    await insertSetupCode(this.db, this.code)
  }
}
