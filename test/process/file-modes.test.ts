import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { readConfig } from '../../src/platform/config/config.ts'
import { openDatabase } from '../../src/platform/database/open-database.ts'
import { prepare } from '../../src/prepare.ts'
import { newFile } from '../support/attach.ts'
import type { BodyAt } from '../support/body-types.ts'
import { isEveryCombination } from '../support/sample.ts'
import { emptyInstallation, ServerProcess, stopAll } from '../support/server-process.ts'
import { until } from '../support/until.ts'

after(stopAll)

const KEY = 'a-key-that-was-given'
const ADMIN = {
  LACEWING_ADMIN_LOGIN: 'root@lacewing.test',
  LACEWING_ADMIN_PASSWORD: 'a long password',
  LACEWING_ADMIN_API_KEY: KEY,
}

/** Files in the folder, and the folder itself, that users other than the owner can read or write. */
function openToOthers(folder: string): string[] {
  const paths = [folder, ...readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)))]
  // A mail that is written has another name for a moment.
  return paths.filter((path) => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0)
}

async function send<const Path extends string>(url: string, path: Path, body: object) {
  const headers = { 'X-TRACKER-API-KEY': KEY, 'Content-Type': 'application/json', Connection: 'close' }
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  assert.ok(response.ok, await response.clone().text())
  return (await response.json()) as BodyAt<'POST', Path>
}

describe('what the server writes', () => {
  const umask = process.umask(0)
  after(() => process.umask(umask))

  it('is readable only for its own user, with any umask, and also if it was not before', async () => {
    const installation = await emptyInstallation('sqlite')
    const data = installation.LACEWING_DATA
    const maildir = join(data, 'maildir')
    mkdirSync(maildir, { recursive: true, mode: 0o700 })
    const settings = { ...installation, ...ADMIN, LACEWING_MAILDIR: maildir }
    const server = new ServerProcess(settings)
    await writeFiles(data, (await server.listening()).url, 'first')
    assert.deepEqual(openToOthers(data), [])
    await server.stop('SIGKILL')
    assert.deepEqual(openToOthers(data), [])
    for (const ending of ['', '-wal', '-shm']) chmodSync(join(data, `lacewing.db${ending}`), 0o644)
    if (isEveryCombination) return startAgain(data, settings)
    const { db } = await prepare(readConfig(settings))
    assert.deepEqual(openToOthers(data), [])
    await db.close()
  })

  async function startAgain(data: string, settings: Record<string, string>) {
    const again = new ServerProcess({ ...settings, LACEWING_PROCESSES: '2' })
    const { url } = await again.listening()
    assert.deepEqual(openToOthers(data), [])
    await writeFiles(data, url, 'second')
    assert.deepEqual(openToOthers(data), [])
    await again.stop()
    assert.deepEqual(openToOthers(data), [])
  }

  /** Lets the server write each kind of file. */
  async function writeFiles(data: string, url: string, name: string) {
    await send(url, '/rest/user', { email: `${name}@lacewing.test` })
    const bug = { product: 'TestProduct', component: 'TestComponent', summary: 'x', cc: [`${name}@lacewing.test`] }
    const { id } = await send(url, '/rest/bug', bug)
    await send(url, `/rest/bug/${id}/attachment`, newFile({ data: Buffer.from(name).toString('base64') }))
    const wanted = [/^lacewing\.db$/, /db-wal$/, /db-shm$/, /^attachments\/..\//, /\.eml$/, /^maildir\/new$/]
    await until(() => {
      const names = readdirSync(data, { recursive: true }).map(String)
      return wanted.every((it) => names.some((path) => it.test(path)))
    })
  }

  it('is private to the owner also if a database is opened without a server', async () => {
    const { LACEWING_DATA: folder } = await emptyInstallation('sqlite')
    const file = join(folder, '..', 'lacewing.db')
    const db = openDatabase(file)
    await db.script('create table t (a integer); insert into t values (1)')
    for (const path of [file, `${file}-wal`, `${file}-shm`]) assert.equal(statSync(path).mode & 0o777, 0o600, path)
    await db.close()
  })
})
