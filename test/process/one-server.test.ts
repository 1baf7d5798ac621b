import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { after, describe, it } from 'node:test'
import { newInstallation, ServerProcess, stopAll } from '../support/server-process.ts'

const newFolder = () => mkdtempSync(join(process.env.LACEWING_TEST_FOLDER ?? tmpdir(), 'one-server-'))

describe('Two servers on one SQLite file', () => {
  after(stopAll)

  it('are refused: the second ends with a message, and the first goes on', async () => {
    const settings = await newInstallation('sqlite')
    const first = await started(settings)
    await assertRefused(settings)
    await assertRefused({ ...settings, LACEWING_PROCESSES: '2' })
    assert.equal((await fetch(`${first.url}/rest/version`)).status, 200)
    await first.server.stop('SIGKILL')
    // Files of the killed server refuse no new server, but the running server does.
    const next = await started(settings)
    await assertRefused(settings)
    assert.equal(await next.server.stop(), 0)
    const last = await started(settings)
    assert.equal(await last.server.stop(), 0)
  })

  it('are noticed when their data folders differ, and when one of them reaches the file through a link', async () => {
    const [folder, links] = [newFolder(), newFolder()]
    const file = join(folder, 'bugs.db')
    symlinkSync(file, join(links, 'link.db'))
    symlinkSync(folder, join(links, 'folder'))
    // The target of the link does not exist before the first start.
    const first = await started({ LACEWING_DATA: newFolder(), LACEWING_DATABASE_URL: join(links, 'link.db') })
    await Promise.all(
      [join(links, 'link.db'), file, join(links, 'folder', 'bugs.db')].map((path) =>
        assertRefused({ LACEWING_DATA: newFolder(), LACEWING_DATABASE_URL: path }),
      ),
    )
    await first.server.stop()
  })

  it('are noticed when both start at the same moment', async () => {
    const settings = await newInstallation('sqlite')
    const servers = Array.from({ length: 3 }, () => new ServerProcess(settings))
    const outcomes = await Promise.all(
      servers.map((it) => Promise.race([it.ended, it.listening().then(() => 'listens')])),
    )
    assert.deepEqual(outcomes.map(String).sort(), ['1', '1', 'listens'])
    await stopAll()
  })
})

describe('A server on a SQLite file', () => {
  after(stopAll)

  it('can be several processes, also when one of them is replaced, and starts again at once after it was killed', async () => {
    const settings = { ...(await newInstallation('sqlite')), LACEWING_PROCESSES: '2' }
    const first = await started(settings)
    const children = readFileSync(`/proc/${first.server.child.pid}/task/${first.server.child.pid}/children`, 'utf8')
    process.kill(Number(children.trim().split(' ')[0]), 'SIGKILL')
    while (!first.server.stderr.includes('a new one is started'))
      await new Promise((resolve) => setTimeout(resolve, 10))
    await assertServes(first.url)
    await assertRefused(settings)
    await first.server.stop('SIGKILL')
    const next = await started(settings)
    await assertServes(next.url)
    await assertRefused(settings)
    assert.equal(await next.server.stop(), 0)
  })

  it('can be backed up while it runs', async () => {
    const settings = await newInstallation('sqlite')
    const { server } = await started(settings)
    const copies = newFolder()
    mkdirSync(join(copies, 'data'))
    const source = new DatabaseSync(join(settings.LACEWING_DATA, 'lacewing.db'), { readOnly: true })
    await backup(source, join(copies, 'data', 'lacewing.db'))
    source.close()
    // The copy is a separate database, so a second server can use it.
    const copy = await started({ LACEWING_DATA: join(copies, 'data') })
    assert.equal(await copy.server.stop(), 0)
    assert.equal(await server.stop(), 0)
  })
})

describe('Two servers on one PostgreSQL database', () => {
  after(stopAll)

  it('may share the data folder', async () => {
    const settings = await newInstallation('postgres')
    const servers = [await started(settings), await started(settings)]
    for (const { server } of servers) assert.equal(await server.stop(), 0)
  })
})

async function started(settings: Record<string, string>) {
  const server = new ServerProcess(settings)
  return { server, url: (await server.listening()).url }
}

async function assertServes(url: string) {
  assert.equal((await fetch(`${url}/rest/version`, { headers: { Connection: 'close' } })).status, 200)
}

async function assertRefused(settings: Record<string, string>) {
  const second = new ServerProcess(settings)
  assert.equal(await second.ended, 1)
  assert.match(second.stderr, /^Another server uses the database \S+\.db\. .*LACEWING_PROCESSES.*\.\n$/)
  assert.equal(second.stdout, '')
}
