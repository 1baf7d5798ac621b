import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BodyAt } from '../support/body-types.ts'
import { root } from '../support/doc-examples.ts'
import { describeInSoak } from '../support/sample.ts'
import { inherited, newDataFolder, ServerProcess, stopAll } from '../support/server-process.ts'
import { until } from '../support/until.ts'

const KEY = 'a-key-that-was-given'
const folder = mkdtempSync(join(tmpdir(), 'lacewing-clone-'))
after(async () => {
  await stopAll()
  rmSync(folder, { recursive: true, force: true })
})

/** A copy of the clone, with the bundles that the test run has made. */
describeInSoak('the folder of a clone', () => {
  before(() => {
    for (const name of ['src', 'web', 'shared', 'client', 'cli', 'scripts', '.cache', 'package.json'])
      cpSync(join(root, name), join(folder, name), { recursive: true, preserveTimestamps: true })
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  })

  it('may lose its packages while the server runs, as when npm installs others', async () => {
    const data = newDataFolder()
    const settings = { LACEWING_DATA: data, LACEWING_ADMIN_API_KEY: KEY }
    const node = ['--disable-warning=ExperimentalWarning', join(folder, 'src/main.mjs')]
    const server = new ServerProcess(settings, [], { node, cwd: folder })
    const { url } = await server.listening()
    unlinkSync(join(folder, 'node_modules'))
    // The pages are in memory before it listens, so that the first one is as quick as the second.
    for (const name of ['web', '.cache/web']) renameSync(join(folder, name), join(folder, `${name}-away`))
    const headers = { 'X-TRACKER-API-KEY': KEY, 'Content-Type': 'application/json' }
    const send = async <const Verb extends string, const Path extends string>(
      method: Verb,
      path: Path,
      body?: object,
    ) => {
      const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      assert.ok(response.status < 500, `${path}: ${response.status}`)
      return (await response.json()) as BodyAt<Verb, Path>
    }
    const page = await fetch(`${url}/bugs`)
    const script = /src="(\/assets\/main-\w+\.js)"/.exec(await page.text())?.[1]
    assert.deepEqual([page.status, (await fetch(url + script)).status], [200, 200])
    const bug = { product: 'TestProduct', component: 'TestComponent', version: 'unspecified', summary: 'Still here' }
    await send('POST', '/rest/bug', bug)
    // Each of these loads files that the server has not needed before: a thread for searches, one for mail, and libraries.
    const { bugs } = await send('GET', '/rest/bug?f1=longdesc&o1=notsubstring&v1=zebra&include_fields=summary')
    assert.deepEqual(bugs, [{ summary: bug.summary }])
    await send('POST', '/rest/user', { email: 'new@example.com', full_name: 'New' })
    while (!existsSync(join(data, 'mail'))) await sleep(20)
    await send('PUT', '/rest/parameters', { use_markdown: true })
    const rendered = await send('POST', '/rest/bug/comment/render', { text: '**bold**', is_markdown: true })
    assert.match(rendered.html, /<strong>bold<\/strong>/)
    assert.equal(await server.stop(), 0)
    assert.doesNotMatch(server.stderr, /"level":"error"/)
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    for (const name of ['web', '.cache/web']) renameSync(join(folder, `${name}-away`), join(folder, name))
  })

  it('has a server under npm run dev that starts again after a change, and ends with it', async () => {
    mkdirSync(join(folder, 'src/notes'), { recursive: true })
    const dev = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(folder, 'scripts/dev.ts')], {
      cwd: folder,
      env: { ...inherited(), LACEWING_PORT: '0', LACEWING_DATA: newDataFolder() },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let shown = ''
    dev.stdout.on('data', (text) => (shown += text))
    const ended = new Promise((resolve) => dev.once('exit', resolve))
    const starts = () => [...shown.matchAll(/Lacewing listens on (\S+)/g)].map(([, url]) => url as string)
    await until(() => starts().length === 1)
    writeFileSync(join(folder, 'src/notes/note.txt'), 'changed')
    await until(() => starts().length === 2)
    dev.kill('SIGTERM')
    assert.equal(await ended, 0)
    for (const url of starts()) await assert.rejects(fetch(`${url}/health`), 'no server is left')
  })
})
