import assert from 'node:assert/strict'
import { chmodSync, closeSync, copyFileSync, openSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../../src/platform/config/config.ts'
import { withServer } from '../support/archive.ts'
import { newFile } from '../support/attach.ts'
import type { BodyAt } from '../support/body-types.ts'
import { cast } from '../support/cast.ts'
import { copyDatabase } from '../support/copy-database.ts'
import { newBug } from '../support/file-bug.ts'
import { itInSoak, sampled } from '../support/sample.ts'
import { newInstallation, ServerProcess, stopAll } from '../support/server-process.ts'
import { smallDisk } from '../support/small-disk.ts'

const KEY = cast.ada.apiKey
const SEARCH = '/rest/bug?f1=longdesc&o1=substring&v1=wrong&include_fields=id'
/** Root can read and write everything unless it drops this privilege. */
const WITHOUT_RIGHTS = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : []

interface Reply<Body> {
  status: number
  retryAfter: string | null
  body: Body
}

const sender =
  (url: string) =>
  async <const Verb extends string, const Path extends string>(
    method: Verb,
    path: Path,
    body?: object,
    key: string = KEY,
  ): Promise<Reply<BodyAt<Verb, Path>>> => {
    const response = await fetch(url + path, {
      method,
      headers: { 'X-TRACKER-API-KEY': key, 'Content-Type': 'application/json', Connection: 'close' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const retryAfter = response.headers.get('retry-after')
    return { status: response.status, retryAfter, body: (await response.json()) as BodyAt<Verb, Path> }
  }

function assertUnavailable(what: string, { status, retryAfter, body }: Reply<{ code: number }>) {
  assert.deepEqual([what, status, body.code], [what, 503, 32000])
  assert.match(retryAfter ?? '', /^\d+$/)
}

/** Waits until the server has logged this reason for a failed request. */
async function reasonLogged(server: ServerProcess, reason: RegExp) {
  for (let waited = 0; waited < 20_000; waited += 50) {
    const lines = server.stderr.split('\n').filter((line) => line.includes('"event":"not served"'))
    if (lines.some((line) => reason.test(line))) return
    await sleep(50)
  }
  assert.fail(`The log does not have ${reason}: ${server.stderr}`)
}

after(stopAll)

describe('A server whose disk gets full', () => {
  const disk = smallDisk()
  after(() => disk.close())
  const start = () => new ServerProcess({ LACEWING_DATA: disk.folder }, [], { through: disk.through })
  /** The server that starts after the kill in the first test is the one whose disk gets full in the second one. */
  let server: ServerProcess
  let send: ReturnType<typeof sender>

  it('returns 503 until there is space, logs why, and loses nothing that it has acknowledged', async () => {
    await copyDatabase('sqlite', disk.folder)
    server = start()
    send = sender((await server.listening()).url)
    const pid = server.child.pid ?? 0
    const { id } = (await send('POST', '/rest/bug', newBug())).body
    assert.equal((await send('GET', '/ready')).status, 200)

    disk.fill(200_000, pid)
    const acknowledged: number[] = []
    let reply = await send('POST', `/rest/bug/${id}/comment`, { comment: 'x'.repeat(20_000) })
    for (let tries = 0; tries < 100 && reply.status === 201; tries++) {
      acknowledged.push(reply.body.id)
      reply = await send('POST', `/rest/bug/${id}/comment`, { comment: 'x'.repeat(20_000) })
    }
    assertUnavailable('a comment', reply)
    const large = newFile({ data: Buffer.alloc(900_000, 7).toString('base64') })
    assertUnavailable('a file', await send('POST', `/rest/bug/${id}/attachment`, large))
    assertUnavailable('a bug', await send('POST', '/rest/bug', newBug()))
    assert.equal((await send('GET', `/rest/bug/${id}`)).status, 200)
    assert.equal((await send('GET', SEARCH)).status, 200)
    assert.equal((await send('GET', '/health')).status, 200)
    await reasonLogged(server, /full|I\/O/)

    disk.empty(pid)
    const { body: after } = await send('POST', `/rest/bug/${id}/comment`, { comment: 'There is room again' })
    assert.equal((await send('POST', `/rest/bug/${id}/attachment`, large)).status, 201)
    assert.equal((await send('GET', '/ready')).status, 200)
    assert.equal(server.child.exitCode, null)
    assert.doesNotMatch(server.stderr, /internal failure|uncaught/)
    await server.stop('SIGKILL')

    server = start()
    send = sender((await server.listening()).url)
    const { comments } = (await send('GET', `/rest/bug/${id}/comment`)).body.bugs[id] ?? { comments: [] }
    const kept = new Set(comments.map((comment) => comment.id))
    assert.deepEqual(
      [...acknowledged, after.id].filter((comment) => !kept.has(comment)),
      [],
    )
  })

  it('is not ready at /ready, ends in good order, and a server that starts there ends with a message', async () => {
    const pid = server.child.pid ?? 0
    assert.equal((await send('POST', '/rest/bug', newBug())).status, 200)
    disk.fill(0, pid)
    for (let tries = 0; tries < 100; tries++) if ((await send('POST', '/rest/bug', newBug())).status === 503) break
    const ready = await send('GET', '/ready')
    assert.deepEqual([ready.status, ready.body.code], [503, 100500])
    assert.match(
      ready.body.message,
      /^The tracker is not ready: the (disk|file) of the database (is full|cannot be .*)\.$/,
    )
    // When a key is used for the first time, the server notes the time of it, and writes it at its end at the latest.
    assert.equal((await send('GET', '/rest/whoami', undefined, cast.edna.apiKey)).body.name, cast.edna.login)
    assert.equal(await server.stop(), 0)
    if (disk.through.length > 0) return
    disk.empty(pid)
    // Without its log of changes, which a server that starts can write to as far as it has grown.
    const database = new DatabaseSync(join(disk.folder, 'lacewing.db'))
    database.exec('pragma wal_checkpoint(truncate)')
    database.close()
    disk.fill(0, pid)
    const again = start()
    assert.equal(await again.ended, 1)
    assert.match(again.stderr, /^The (database .* cannot be opened: .* \(the disk is full\)|data folder .*)\.\n$/)
    disk.empty(pid)
  })
})

describe('A database file', () => {
  const filesOf = (file: string) => [file, `${file}-wal`, `${file}-shm`]

  /** The server of both tests, with a bug in its database. The first one restores it, the second one damages it. */
  let installation: Awaited<ReturnType<typeof newInstallation>>
  let id = 0
  let send: ReturnType<typeof sender>
  let server: ServerProcess
  const start = async () => {
    server = new ServerProcess(installation, [], { through: WITHOUT_RIGHTS })
    send = sender((await server.listening()).url)
  }
  before(async () => {
    installation = await newInstallation('sqlite')
    await start()
    id = (await send('POST', '/rest/bug', newBug())).body.id
  })

  itInSoak(
    'that the server can no longer open makes searches return 503 until it can, and other calls work',
    async () => {
      const file = join(installation.LACEWING_DATA, 'lacewing.db')
      for (const path of filesOf(file)) chmodSync(path, 0)
      // The thread that the first pages needed has the file open. Searches at the same moment need one more.
      const replies = await Promise.all(Array.from({ length: 8 }, () => send('GET', SEARCH)))
      const refused = replies.filter(({ status }) => status !== 200)
      assert.ok(refused.length > 0)
      for (const reply of refused) assertUnavailable('a search', reply)
      await reasonLogged(server, /unable to open/)
      assert.equal((await send('GET', `/rest/bug/${id}`)).status, 200)
      for (const path of filesOf(file)) chmodSync(path, 0o600)
      assert.equal((await send('GET', SEARCH)).status, 200)
      await server.stop()

      for (const mode of sampled([0o400, 0], 2)) {
        chmodSync(file, mode)
        const refused = new ServerProcess(installation, [], { through: WITHOUT_RIGHTS })
        assert.equal(await refused.ended, 1)
        assert.match(refused.stderr, /^The database .*lacewing\.db cannot be opened: EACCES: permission denied.*\n$/)
      }
      chmodSync(file, 0o600)
      await start()
      assert.equal((await send('GET', `/rest/bug/${id}`)).status, 200)
    },
  )

  it('that is damaged makes calls return 503 and does not end the server; a restored copy has everything', async () => {
    const file = join(installation.LACEWING_DATA, 'lacewing.db')
    const source = new DatabaseSync(file, { readOnly: true })
    await backup(source, `${file}.copy`)
    source.close()
    overwrite(file)
    for (const [method, path, body] of [
      ['GET', `/rest/bug/${id}`],
      ['GET', SEARCH],
      ['POST', '/rest/bug', newBug()],
      ['PUT', `/rest/bug/${id}`, { summary: 'Changed' }],
    ] as const)
      assertUnavailable(`${method} ${path}`, await send(method, path, body))
    const ready = await send('GET', '/ready')
    assert.deepEqual(
      [ready.status, ready.body.message],
      [503, 'The tracker is not ready: the file of the database is damaged.'],
    )
    assert.equal((await send('GET', '/health')).status, 200)
    await reasonLogged(server, /malformed/)
    assert.doesNotMatch(server.stderr, /internal failure|uncaught/)
    assert.equal(server.child.exitCode, null)
    await server.stop('SIGKILL')

    for (const name of readdirSync(installation.LACEWING_DATA))
      if (/-(wal|shm)$/.test(name)) rmSync(join(installation.LACEWING_DATA, name))
    copyFileSync(`${file}.copy`, file)
    const config = readConfig({ ...installation, LACEWING_PORT: '0' })
    const { body } = await withServer(config, (sendHere) => sendHere('GET', `bug/${id}`, undefined, KEY))
    assert.equal(body.bugs[0].summary, newBug().summary)
  })
})

/** Damages all pages except the first two, so that it still looks like a database. */
function overwrite(file: string) {
  const at = 2 * 4096
  const open = openSync(file, 'r+')
  const bytes = Buffer.alloc(statSync(file).size - at, 0x5a)
  writeSync(open, bytes, 0, bytes.length, at)
  closeSync(open)
}
