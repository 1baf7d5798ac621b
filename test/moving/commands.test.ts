import assert from 'node:assert/strict'
import { createReadStream, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { before, describe, it } from 'node:test'
import type { Config } from '../../src/platform/config/config.ts'
import { emptyConfig, exported, filesIn, migratedConfig } from '../support/archive.ts'
import { mysqlDump } from '../support/bugzilla-dump.ts'
import { writeDump } from '../support/import-bugzilla.ts'
import { endOf, lacewingInThisProcess, startLacewing } from '../support/lacewing-command.ts'
import { smallBugzilla } from '../support/small-bugzilla.ts'

const afterManifest = (file: string) => filesIn(file).slice(1)

describe('the commands that move installations', () => {
  let config: Config
  let other: Config

  before(async () => {
    config = await emptyConfig('sqlite')
    mkdirSync(config.dataFolder, { recursive: true })
    const dump = writeDump({ folder: config.dataFolder }, mysqlDump(smallBugzilla()), 'dump.sql')
    const child = startLacewing(config, ['import', 'bugzilla', '-', '--time-zone', 'Europe/Berlin'])
    const { status, stdout, stderr } = await endOf(child, createReadStream(dump))
    assert.equal(status, 0, stderr)
    assert.match(stdout, /^Import of a Bugzilla database from standard input/)
    assert.match(stdout, /^bugs +6 +5 /m)
    assert.match(stderr, /^Importing bugs: /m)
    assert.ok(!existsSync(join(config.dataFolder, 'import/staging.db')))
  })

  it('exports to standard output and imports from standard input, on the other engine', async () => {
    other = await migratedConfig('postgres')
    const exporting = startLacewing(config, ['export', '-'])
    const importing = endOf(startLacewing(other, ['import', '-']), exporting.stdout as Readable)
    let said = ''
    exporting.stderr?.on('data', (chunk) => (said += chunk))
    exporting.stdin?.end()
    const { status, stdout, stderr } = await importing
    assert.equal(status, 0, stderr)
    assert.match(stdout, /^Imported the archive of \d{4}-.* rows and \d+ contents of attachments\.$/m)
    assert.match(said, /^Wrote [\d,]+ rows and \d+ contents of attachments to standard output\.$/m)
    assert.deepEqual(afterManifest(await exported(other)), afterManifest(await exported(config)))
  })

  // After the commands in processes: a command in this process keeps its claim on the database.
  it('moves, and checks what was moved', async () => {
    const target = await migratedConfig('postgres')
    const move = await lacewingInThisProcess(['move', '--to', target.databaseUrl], config)
    assert.equal(move.status, 0, move.stderr)
    assert.match(move.stdout, /^Moved [\d,]+ rows to postgres:/)
    const moved = { ...config, databaseUrl: target.databaseUrl }
    const check = await lacewingInThisProcess(['check'], moved)
    assert.deepEqual([check.status, check.stdout], [0, 'Nothing is wrong.\n'], check.stderr)
    assert.deepEqual(afterManifest(await exported(moved)), afterManifest(await exported(config)))
  })

  it('refuses with 1 what cannot be done, in a sentence, and changes nothing', async () => {
    const before = afterManifest(await exported(other))
    const folder = join(other.dataFolder, 'backups')
    mkdirSync(folder)
    for (const [words, sentence] of [
      [['import', join(folder, 'none.tar.gz')], /not empty: it has users/],
      [['restore', folder], /no backup/i],
    ] as const) {
      const { status, stdout, stderr } = await lacewingInThisProcess(words, other)
      assert.deepEqual([status, stdout], [1, ''], `${words.join(' ')}: ${stderr}`)
      assert.match(stderr, sentence)
      assert.doesNotMatch(stderr, /\n\s+at /, 'no stack')
    }
    assert.deepEqual(afterManifest(await exported(other)), before)
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
      const { status, stderr } = await lacewingInThisProcess(words)
      assert.equal(status, 2, words.join(' '))
      assert.match(stderr, /^error: /m, words.join(' '))
    }
  })
})
