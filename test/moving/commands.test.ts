import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createReadStream, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { runCommand } from '../../src/commands/run-command.ts'
import type { Config } from '../../src/platform/config/config.ts'
import { emptyConfig, exported, filesIn, newFile } from '../support/archive.ts'
import { mysqlDump } from '../support/bugzilla-dump.ts'
import { writeDump } from '../support/import-bugzilla.ts'
import { inherited } from '../support/server-process.ts'
import { smallBugzilla } from '../support/small-bugzilla.ts'

const LACEWING = fileURLToPath(new URL('../../src/lacewing.mjs', import.meta.url))

/** Starts a command as bin/lacewing.mjs does. */
function start({ dataFolder, databaseUrl }: Config, words: readonly string[]): ChildProcess {
  return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', LACEWING, ...words], {
    env: { ...inherited(), LACEWING_DATA: dataFolder, LACEWING_DATABASE_URL: databaseUrl },
    stdio: 'pipe',
  })
}

async function ended(child: ChildProcess, input?: Readable) {
  if (input !== undefined && child.stdin !== null) input.pipe(child.stdin)
  else child.stdin?.end()
  let [stdout, stderr] = ['', '']
  child.stdout?.on('data', (chunk) => (stdout += chunk))
  child.stderr?.on('data', (chunk) => (stderr += chunk))
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { status, stdout, stderr }
}

const afterManifest = (file: string) => filesIn(file).slice(1)

describe('the commands that move installations', () => {
  let config: Config

  before(async () => {
    config = await emptyConfig('sqlite')
    mkdirSync(config.dataFolder, { recursive: true })
    const dump = writeDump({ folder: config.dataFolder }, mysqlDump(smallBugzilla()), 'dump.sql')
    const child = start(config, ['import', 'bugzilla', '-', '--time-zone', 'Europe/Berlin'])
    const { status, stdout, stderr } = await ended(child, createReadStream(dump))
    assert.equal(status, 0, stderr)
    assert.match(stdout, /^Import of a Bugzilla database from standard input/)
    assert.match(stdout, /^bugs +6 +5 /m)
    assert.match(stderr, /^Importing bugs: /m)
    assert.ok(!existsSync(join(config.dataFolder, 'import/staging.db')))
  })

  it('exports to standard output and imports from standard input, on the other engine', async () => {
    const other = await emptyConfig('postgres')
    const exporting = start(config, ['export', '-'])
    const importing = ended(start(other, ['import', '-']), exporting.stdout as Readable)
    let said = ''
    exporting.stderr?.on('data', (chunk) => (said += chunk))
    exporting.stdin?.end()
    const { status, stdout, stderr } = await importing
    assert.equal(status, 0, stderr)
    assert.match(stdout, /^Imported the archive of \d{4}-.* rows and \d+ contents of attachments\.$/m)
    assert.match(said, /^Wrote [\d,]+ rows and \d+ contents of attachments to standard output\.$/m)
    assert.deepEqual(afterManifest(await exported(other)), afterManifest(await exported(config)))
  })

  it('refuses with 1 what cannot be done, in a sentence, and changes nothing', async () => {
    const before = afterManifest(await exported(config))
    const folder = join(config.dataFolder, 'backups')
    mkdirSync(folder)
    for (const [words, sentence] of [
      [['import', join(folder, 'none.tar.gz')], /not empty: it has users/],
      [['import', 'bugzilla', '/no/such/dump.sql'], /not empty: it has users/],
      [['restore', folder], /no backup/i],
      [['move', '--to', 'mysql://host/name'], /must be postgres:\/\/… or the path of a file/],
      [['admin', 'make-administrator', 'nobody@example.com'], /nobody@example\.com/],
    ] as const) {
      const { status, stdout, stderr } = await ended(start(config, words))
      assert.deepEqual([status, stdout], [1, ''], `${words.join(' ')}: ${stderr}`)
      assert.match(stderr, sentence)
      assert.doesNotMatch(stderr, /\n\s+at /, 'no stack')
    }
    assert.deepEqual(afterManifest(await exported(config)), before)
  })

  it('backs up, restores, moves and checks', async () => {
    const folder = join(newFile('backups'))
    mkdirSync(folder)
    const backup = await ended(start(config, ['backup', folder]))
    assert.equal(backup.status, 0, backup.stderr)
    assert.equal(readdirSync(folder).length, 1)
    const restored = await emptyConfig('sqlite')
    const restore = await ended(start(restored, ['restore', folder]))
    assert.equal(restore.status, 0, restore.stderr)
    const target = await emptyConfig('postgres')
    const move = await ended(start(restored, ['move', '--to', target.databaseUrl]))
    assert.equal(move.status, 0, move.stderr)
    assert.match(move.stdout, /^Moved [\d,]+ rows to postgres:/)
    const moved = { ...restored, databaseUrl: target.databaseUrl }
    const check = await ended(start(moved, ['check']))
    assert.deepEqual([check.status, check.stdout], [0, 'Nothing is wrong.\n'], check.stderr)
    assert.deepEqual(afterManifest(await exported(moved)), afterManifest(await exported(config)))
  })

  it('refuses a wrong command line with 2', async () => {
    for (const words of [
      ['import'],
      ['import', 'bugzilla'],
      ['import', 'bugzilla', 'dump.sql', '--zone', 'UTC'],
      ['export'],
      ['backup'],
      ['backup', 'folder', '--keep', '0'],
      ['restore'],
      ['move'],
      ['check', 'everything'],
      ['status', '--xml'],
      ['admin', 'set-password'],
      ['admin', 'end-sessions'],
      ['admin', 'end-sessions', 'edna@example.com', '--all'],
    ]) {
      const { code, said } = await inThisProcess(words)
      assert.equal(code, 2, words.join(' '))
      assert.match(said, /^error: /m, words.join(' '))
    }
  })
})

/** Runs a command that ends before it reads any setting, because processes are slow to start. */
async function inThisProcess(words: readonly string[]) {
  const { write } = process.stderr
  const mask = process.umask()
  let said = ''
  process.stderr.write = ((text: string) => {
    said += text
    return true
  }) as typeof write
  try {
    await runCommand(words)
    return { code: process.exitCode, said }
  } finally {
    process.stderr.write = write
    process.umask(mask)
    process.exitCode = undefined
  }
}
