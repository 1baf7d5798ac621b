import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../../src/platform/database/open-database.ts'
import { newFile } from '../support/attach.ts'
import { emptyInstallation, ServerProcess, stopAll } from '../support/server-process.ts'

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
  return paths.filter((path) => (statSync(path).mode & 0o077) !== 0)
}

async function send(url: string, path: string, body: object): Promise<{ id: number }> {
  const headers = { 'X-TRACKER-API-KEY': KEY, 'Content-Type': 'application/json', Connection: 'close' }
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  assert.ok(response.ok, await response.clone().text())
  return (await response.json()) as { id: number }
}

describe('what the server writes', () => {
  const umask = process.umask(0)
  after(() => process.umask(umask))

  for (const processes of ['1', '2'])
    it(`is readable only for its own user, with any umask and also if it was not before: LACEWING_PROCESSES=${processes}`, async () => {
      const installation = await emptyInstallation('sqlite')
      const data = installation.LACEWING_DATA
      const maildir = join(data, 'maildir')
      mkdirSync(maildir, { recursive: true, mode: 0o700 })
      const settings = { ...installation, ...ADMIN, LACEWING_PROCESSES: processes, LACEWING_MAILDIR: maildir }
      const server = new ServerProcess(settings)
      const { url } = await server.listening()
      await send(url, '/rest/user', { email: 'copied@lacewing.test' })
      const bug = { product: 'TestProduct', component: 'TestComponent', summary: 'x', cc: ['copied@lacewing.test'] }
      const { id } = await send(url, '/rest/bug', bug)
      await send(url, `/rest/bug/${id}/attachment`, newFile())
      const kept = () => existsSync(join(data, 'mail')) && readdirSync(join(data, 'mail'), { recursive: true })
      for (let tries = 0; tries < 400 && !(kept() || []).some((name) => /eml$/.test(String(name))); tries++)
        await sleep(50)
      for (let tries = 0; tries < 400 && !existsSync(join(maildir, 'new')); tries++) await sleep(50)
      const names = readdirSync(data, { recursive: true }).map(String)
      for (const wanted of [/^lacewing\.db$/, /db-wal$/, /db-shm$/, /^attachments\/..\//, /\.eml$/, /^maildir\/new$/])
        assert.ok(
          names.some((name) => wanted.test(name)),
          `${wanted} is not among ${names}`,
        )
      assert.deepEqual(openToOthers(data), [])
      await server.stop(processes === '1' ? 'SIGKILL' : 'SIGTERM')
      assert.deepEqual(openToOthers(data), [])
      if (processes === '1') await assertBecomesPrivate(settings)
    })

  /** Files that others could read become private at the next start. */
  async function assertBecomesPrivate(settings: Record<string, string>) {
    const file = join(settings.LACEWING_DATA as string, 'lacewing.db')
    for (const path of [file, `${file}-wal`, `${file}-shm`]) chmodSync(path, 0o644)
    const server = new ServerProcess(settings)
    await server.listening()
    assert.deepEqual(openToOthers(settings.LACEWING_DATA as string), [])
    await server.stop()
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
