import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { after, describe, it } from 'node:test'
import { readConfig } from '../../src/platform/config/config.ts'
import { claimFolders } from '../../src/prepare.ts'
import { itInSoak } from '../support/sample.ts'
import { newInstallation, ServerProcess, stopAll } from '../support/server-process.ts'

const newFolder = () => mkdtempSync(join(process.env.LACEWING_TEST_FOLDER ?? tmpdir(), 'one-server-'))

const IN_USE = /Another server uses the database \S+\.db\. .*LACEWING_PROCESSES.*\.$/
const IN_USE_LINE = /^Another server uses the database \S+\.db\. .*LACEWING_PROCESSES.*\.\n$/

describe('Two servers on one SQLite file', () => {
  after(stopAll)

  itInSoak('are refused: the second ends with a message, and the first goes on, also after a kill', async () => {
    const settings = await newInstallation('sqlite')
    const first = await started(settings)
    await assertRefused(settings)
    await assertRefused({ ...settings, LACEWING_PROCESSES: '2' })
    await assertServes(first.url)
    await first.server.stop('SIGKILL')
    // Files of the killed server refuse no new server, but the running server does.
    const next = await started(settings)
    await assertServes(next.url)
    await assertRefused(settings)
    assert.equal(await next.server.stop(), 0)
  })

  it('are noticed when their data folders differ, and when one of them reaches the file through a link; a backup of it is another file', async () => {
    const [folder, links] = [newFolder(), newFolder()]
    const file = join(folder, 'bugs.db')
    symlinkSync(file, join(links, 'link.db'))
    symlinkSync(folder, join(links, 'folder'))
    // The target of the link does not exist before the first start.
    const first = await started({ LACEWING_DATA: newFolder(), LACEWING_DATABASE_URL: join(links, 'link.db') })
    for (const path of [join(links, 'folder', 'bugs.db'), join(links, 'link.db'), file])
      assert.throws(() => claim({ LACEWING_DATA: newFolder(), LACEWING_DATABASE_URL: path }), IN_USE)
    await assertServes(first.url)
    claim({ LACEWING_DATA: await backupOf(file) })
    assert.equal(await first.server.stop(), 0)
  })

  it('are noticed when both start at the same moment', async () => {
    const settings = await newInstallation('sqlite')
    const servers = [new ServerProcess(settings), new ServerProcess(settings)]
    const outcomes = await Promise.all(
      servers.map((server) =>
        server.listening().then(
          () => 'listens',
          () => server.ended,
        ),
      ),
    )
    assert.deepEqual(outcomes.map(String).sort(), ['1', 'listens'])
    assert.match(servers.map(({ stderr }) => stderr).find((it) => it.includes('Another')) ?? '', IN_USE_LINE)
    await stopAll()
  })
})

/** What a server does first, in this process. */
function claim(settings: Record<string, string>) {
  claimFolders(readConfig(settings), 'server')
}

/** A data folder with a copy of the database, made while a server uses it. */
async function backupOf(file: string): Promise<string> {
  const copy = join(newFolder(), 'data')
  mkdirSync(copy)
  const source = new DatabaseSync(file, { readOnly: true })
  await backup(source, join(copy, 'lacewing.db'))
  source.close()
  return copy
}

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
  assert.match(second.stderr, IN_USE_LINE)
  assert.equal(second.stdout, '')
}
