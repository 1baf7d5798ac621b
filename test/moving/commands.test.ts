import assert from 'node:assert/strict'
import { createReadStream, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { before, describe, it } from 'node:test'
import type { Config } from '../../src/platform/config/config.ts'
import { emptyConfig, exported, filesIn, migratedConfig } from '../support/archive.ts'
import { mysqlDump } from '../support/bugzilla-dump.ts'
import { findProgram } from '../support/debian-program.ts'
import { writeDump } from '../support/import-bugzilla.ts'
import { endOf, lacewingInThisProcess, startAtTerminal, startLacewing } from '../support/lacewing-command.ts'
import { itInSoak } from '../support/sample.ts'
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

  itInSoak('asks at a terminal for the time zone, until there is one or the user gives up', async () => {
    const script = findProgram({ name: 'script', package: 'bsdutils', versionOption: '--version' })
    if (script === undefined) return
    const target = await emptyConfig('sqlite')
    mkdirSync(target.dataFolder, { recursive: true })
    const dump = writeDump({ folder: target.dataFolder }, mysqlDump(smallBugzilla()), 'dump.sql')
    const answering = async (...answers: (readonly [question: string, answer: string])[]) => {
      const child = startAtTerminal(script, target, ['import', 'bugzilla', dump])
      let printed = ''
      child.stdout?.on('data', (chunk) => {
        printed += chunk
        const [next] = answers
        if (next === undefined || !printed.includes(next[0])) return
        answers.shift()
        child.stdin?.write(next[1])
      })
      const status = await new Promise<number | null>((resolve) => child.once('close', resolve))
      child.stdin?.destroy()
      return { status, printed }
    }
    for (const key of ['\x03', '\x04']) {
      const { status, printed } = await answering(['such as Europe/Berlin: ', key])
      assert.equal(status, 1, printed)
      assert.match(printed, /No time zone was given\. Name it with --time-zone/)
      assert.doesNotMatch(printed, /\n\s+at |Warning|AbortError/)
    }
    const { status, printed } = await answering(
      ['such as Europe/Berlin: ', 'Nowhere\r'],
      ['There is no time zone "Nowhere". Time zone of the old host: ', 'Europe/Berlin\r'],
    )
    assert.equal(status, 0, printed)
    assert.match(printed, /^bugs +6 +5 /m)
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
  itInSoak('moves, and checks what was moved', async () => {
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
