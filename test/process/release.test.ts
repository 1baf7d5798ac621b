import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { writeRelease } from '../../scripts/write-release.ts'
import { migrate } from '../../src/platform/database/migrations/migrate.ts'
import { openDatabase } from '../../src/platform/database/open-database.ts'
import type { BodyAt } from '../support/body-types.ts'
import { root } from '../support/doc-examples.ts'
import { describeInSoak } from '../support/sample.ts'
import { ServerProcess, stopAll } from '../support/server-process.ts'

const KEY = 'a-key-that-was-given'
const NOBODY = 65_534
/** An older schema, with which a server of an older release left its database. */
const OLD_SCHEMA = 20

after(stopAll)

/** Not below a folder with node_modules, and readable for other users. */
const folder = mkdtempSync(join(tmpdir(), 'lacewing-release-'))
const installed = join(folder, 'lacewing-6.0.0')
const data = join(folder, 'data')
const isRoot = process.getuid?.() === 0
after(() => rmSync(folder, { recursive: true, force: true }))

/** Another user than the owner of the files, where the tests may start programs as one. */
const asOther = isRoot ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : []
const environment = () => ({
  PATH: `${join(folder, 'path')}:/usr/bin:/bin`,
  LACEWING_DATA: data,
  LACEWING_ADMIN_API_KEY: KEY,
  NODE_COMPILE_CACHE: '',
})

function lacewing(...words: string[]) {
  const [program = '', ...given] = [...asOther, join(installed, 'bin/lacewing'), ...words]
  return spawnSync(program, given, { cwd: folder, env: environment(), encoding: 'utf8' })
}

describeInSoak('the archive of npm run release', () => {
  let archive = ''

  before(async () => {
    chmodSync(folder, 0o755)
    archive = (await writeRelease(root, folder)).file
    execFileSync('tar', ['-xzf', archive, '-C', folder])
    execFileSync('chmod', ['-R', 'a-w', installed])
    mkdirSync(join(folder, 'path'))
    cpSync(process.execPath, join(folder, 'path/node'), { dereference: true })
    mkdirSync(data)
    const db = openDatabase(join(data, 'lacewing.db'))
    await migrate(db, OLD_SCHEMA)
    await db.close()
    if (isRoot) for (const path of [data, join(data, 'lacewing.db')]) chownSync(path, NOBODY, NOBODY)
  })
  after(() => execFileSync('chmod', ['-R', 'u+w', installed]))

  it('has no packages and no sources, but the pages, their source maps and the documentation', () => {
    const paths = readdirSync(installed, { recursive: true }).map(String)
    assert.deepEqual(
      paths.filter(
        (path) => /node_modules|\.tsx$|\.node$/.test(path) || (path.endsWith('.ts') && path !== 'src/main.ts'),
      ),
      [],
    )
    assert.ok(paths.some((path) => /^pages\/main-\w+\.js\.map$/.test(path)))
    assert.ok(paths.some((path) => /^server\/run\.mjs\.map$/.test(path)))
    for (const path of ['docs/operating.md', 'LICENSE', 'LICENSES-OF-PACKAGES.txt', 'CHANGELOG.md'])
      assert.ok(paths.includes(path), path)
  })

  it('runs as it is, as another user who cannot write there: migrations, pages, searches, delivery and commands', async () => {
    const server = new ServerProcess(environment(), [], {
      cwd: folder,
      program: [...asOther, join(installed, 'bin/lacewing'), 'start'],
    })
    const { url } = await server.listening()
    const headers = { 'X-TRACKER-API-KEY': KEY, 'Content-Type': 'application/json' }
    const send = async <const Verb extends string, const Path extends string>(
      method: Verb,
      path: Path,
      body?: object,
    ) => {
      const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      return (await response.json()) as BodyAt<Verb, Path>
    }

    const page = await (await fetch(`${url}/`)).text()
    const script = /src="\/assets\/(main-\w+\.js)"/.exec(page)?.[1]
    const loaded = await fetch(`${url}/assets/${script}`)
    assert.equal(loaded.status, 200)
    assert.match(loaded.headers.get('content-encoding') ?? '', /^(br|gzip)$/)
    const map = (await (await fetch(`${url}/assets/${script}.map`)).json()) as { sources: string[] }
    assert.ok(
      map.sources.includes('../web/main.tsx'),
      'it names the sources, without the folder in which they were built',
    )

    const bug = {
      product: 'TestProduct',
      component: 'TestComponent',
      version: 'unspecified',
      summary: 'From a release',
    }
    const { id } = await send('POST', '/rest/bug', bug)
    // A search of this kind runs in a thread, and so does the delivery of the mail.
    const { bugs } = await send('GET', '/rest/bug?f1=longdesc&o1=notsubstring&v1=zebra&include_fields=summary')
    assert.deepEqual([id, bugs], [1001, [{ summary: bug.summary }]])
    await send('POST', '/rest/user', { email: 'new@example.com', full_name: 'New' })
    while (!existsSync(join(data, 'mail'))) await sleep(20)

    const status = lacewing('status')
    assert.equal(status.status, 0, status.stderr)
    assert.match(status.stdout, /^Release 6\.0\.0, schema \d+\n[\s\S]*A server uses it\.\nusers: 2\n/)
    assert.equal(await server.stop(), 0)
    assert.doesNotMatch(server.stderr, /"level":"error"/)
    const check = lacewing('check')
    assert.equal(check.status, 0, check.stdout + check.stderr)
  })

  it('refuses to run with one sentence if a file was altered', () => {
    const altered = join(folder, 'altered')
    execFileSync('cp', ['-a', installed, altered])
    chmodSync(join(altered, 'server/run.mjs'), 0o644)
    writeFileSync(join(altered, 'server/run.mjs'), '')
    const program = join(altered, 'src/main.mjs')
    const { status, stderr } = spawnSync(process.execPath, [program], { env: environment(), encoding: 'utf8' })
    assert.equal(status, 1)
    assert.match(stderr, /^The release in \S+ is damaged: [^\n]*\. Unpack it again\.\n$/)
    // A mail server keeps a message that it can hand over later.
    const receiving = spawnSync(join(altered, 'bin/lacewing'), ['receive-mail'], {
      env: environment(),
      encoding: 'utf8',
    })
    assert.equal(receiving.status, 75, receiving.stderr)
    execFileSync('chmod', ['-R', 'u+w', dirname(program)])
  })
})
