import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { differences, fencedIn, root } from './support/doc-examples.ts'
import { until } from './support/until.ts'

const SHOWN = 'http://127.0.0.1:8080'

describe('The first session of README.md', () => {
  const folder = mkdtempSync(join(process.env.LACEWING_TEST_FOLDER ?? tmpdir(), 'readme-'))
  const blocks = fencedIn('README.md')
  let npm: ChildProcess
  let url = ''

  before(async () => {
    const start = blocks.find(({ text }) => /^LACEWING_ADMIN_LOGIN=.* npm start$/.test(text))?.text ?? ''
    // What the shell makes of the assignments before the command.
    const printed = execFileSync('sh', ['-c', start.replace('npm start', 'env')], { encoding: 'utf8' })
    const settings = Object.fromEntries(
      [...printed.matchAll(/^(LACEWING_ADMIN_\w+)=(.*)$/gm)].map(([, a, b]) => [a, b]),
    )
    assert.equal(Object.keys(settings).length, 3)
    const env = { ...process.env, ...settings, LACEWING_PORT: '0', LACEWING_DATA: folder }
    npm = spawn('npm', ['start', '--silent'], { cwd: root, env, stdio: ['ignore', 'pipe', 'ignore'] })
    let said = ''
    npm.stdout?.on('data', (text) => (said += text))
    url = await until(() => /listens on (\S+)\n/.exec(said)?.[1])
  })
  after(() => {
    npm.kill('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  })

  const commands = blocks.filter(({ text }) => text.startsWith('curl '))
  for (const command of commands)
    it(`answers as shown: ${command.text.split('\n')[0]} (${command.place})`, () => {
      const { status, stdout, error } = spawnSync('sh', ['-c', command.text.replaceAll(SHOWN, url)], {
        encoding: 'utf8',
      })
      if (status === 127) return console.log('NOT CHECKED: curl is not installed here')
      assert.ifError(error)
      const next = blocks[blocks.indexOf(command) + 1]
      if (next?.language !== 'json') return assert.match(stdout, /lamp|bulb|Monday/)
      const [real, shown] = [JSON.parse(stdout.replaceAll(url, SHOWN)), JSON.parse(next.text)]
      assert.deepEqual(differences(real, shown), [])
      assert.deepEqual(namesIn(shown), namesIn(real), 'the order of the fields')
    })

  it('files a bug, finds it and changes it', () => {
    const all = commands.map(({ text }) => text).join('\n')
    for (const part of ['/rest/bug \\', 'quicksearch=', '-X PUT']) assert.ok(all.includes(part), part)
  })

  it('ends when npm gets a signal', async () => {
    const ended = once(npm, 'exit')
    npm.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null])
    await assert.rejects(fetch(`${url}/rest/version`))
  })
})

/** The names of all fields, in their order. */
function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) => [name, ...namesIn(part)])
}
