import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { columnsOf, rawRows } from '../../src/moving/archive/database-catalogue.ts'
import { insertFactor, noteHasFactor } from '../../src/people/factors/factor-store.ts'
import { renewRecoveryCodes } from '../../src/people/factors/recovery-codes.ts'
import type { Config } from '../../src/platform/config/config.ts'
import { claimFolders, openDatabaseOf } from '../../src/prepare.ts'
import { emptyConfig, exported, migratedConfig, newFile, richInstallation, withServer } from '../support/archive.ts'
import { endOf, LACEWING, lacewingInThisProcess, startLacewing } from '../support/lacewing-command.ts'
import { isEveryCombination, itInSoak } from '../support/sample.ts'
import { until } from '../support/until.ts'

const EDNA = 'edna@example.com'
const PASSWORD = 'a lamp on a table'

async function done(config: Config, ...words: string[]): Promise<string> {
  const { status, stdout, stderr } = await lacewingInThisProcess(words, config)
  assert.equal(status, 0, `${words.join(' ')}: ${stdout}${stderr}`)
  return stdout
}

async function refused(config: Config, words: readonly string[], sentence: RegExp) {
  const { status, stdout, stderr } = await lacewingInThisProcess(words, config)
  assert.deepEqual([status, stdout], [1, ''], `${words.join(' ')}: ${stderr}`)
  assert.match(stderr, sentence, words.join(' '))
  assert.doesNotMatch(stderr, /\n\s+at /, `${words.join(' ')} prints no stack`)
}

async function withDatabase<Result>(
  config: Config,
  work: (db: Awaited<ReturnType<typeof openDatabaseOf>>) => Promise<Result>,
) {
  const db = await openDatabaseOf(config)
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

/** A passkey, an authenticator app and recovery codes. */
function addFactors(config: Config, userId: number) {
  return withDatabase(config, (db) =>
    db.transaction(async (tx) => {
      const factor = { userId, isConfirmed: 1, counter: 0, transports: '', isMultiDevice: 0, isBackedUp: 0 } as const
      await insertFactor(tx, { ...factor, kind: 'totp', name: 'phone', secret: 'x', credentialId: null, rpId: '' })
      await insertFactor(tx, {
        ...factor,
        kind: 'passkey',
        name: 'key',
        secret: 'y',
        credentialId: 'c',
        rpId: 'localhost',
      })
      await renewRecoveryCodes(tx, userId)
      await noteHasFactor(tx, userId, true)
    }, 'configuration'),
  )
}

async function setPasswordByInput(config: Config, login: () => Promise<{ token: string }>) {
  const words = ['admin', 'set-password', EDNA]
  const { status, stdout, stderr } = await lacewingInThisProcess(words, config, `${PASSWORD}\nsecond line\n`)
  const sentences = [
    `The password of ${EDNA} is set, and its sessions are ended.`,
    'Not ended: API key (1), Scheduled mail (1).',
    'To end all but second factors, add --end-all.',
  ]
  assert.deepEqual([status, stdout], [0, `${sentences.join('\n')}\n`], stderr)
  assert.ok((await login()).token, 'the password works')
}

async function restoreOnPostgres(folder: string) {
  const restored = await migratedConfig('postgres')
  assert.match(await done(restored, 'restore', folder), /^Imported the archive of /)
  assert.equal(JSON.parse(await done(restored, 'status', '--json')).counts.bugs, 8)
}

for (const engine of ['sqlite', 'postgres'] as const)
  describe(`the commands of an operator (${engine})`, () => {
    const onSqlite = engine === 'sqlite' ? it : itInSoak
    onSqlite('administer accounts, print the status and make backups while the server runs', async () => {
      const config = await richInstallation(engine)
      const folder = dirname(newFile())
      await withServer(config, async (send) => {
        let password = encodeURIComponent(PASSWORD)
        const login = async () => (await send('GET', `login?login=${EDNA}&password=${password}`, undefined, '')).body
        const groups = async (token: string) => {
          const { body } = await send('GET', `user/2?token=${token}`, undefined, '')
          return (body.users?.[0]?.groups ?? []).map(({ name }) => name)
        }
        if (engine === 'sqlite') await setPasswordByInput(config, login)
        const generated = await done(config, 'admin', 'set-password', EDNA, '--generate', '--end-all')
        assert.match(generated, /^Also ended: API key \(1\), Scheduled mail \(1\)\.\nPassword: /m)
        password = /^Password: (\S{20})$/m.exec(generated)?.[1] ?? ''
        const { token } = await login()
        assert.equal(await done(config, 'admin', 'make-administrator', EDNA), `${EDNA} is an administrator now.\n`)
        assert.equal(await done(config, 'admin', 'make-administrator', EDNA), `${EDNA} is an administrator already.\n`)
        await until(async () => (await groups(token)).includes('admin'))
        assert.equal(await done(config, 'admin', 'end-sessions', EDNA), `Ended 1 session of ${EDNA}.\n`)
        await until(async () => (await groups(token)).length === 0)
        await addFactors(config, 2)
        await until(async () => (await login()).token === undefined)
        assert.equal(
          await done(config, 'admin', 'reset-factors', EDNA),
          `Removed 2 second factors of ${EDNA}, and ended its sessions.\n`,
        )
        await until(async () => (await login()).token !== undefined)
        assert.match(await done(config, 'admin', 'end-sessions', '--all'), /^Ended \d+ sessions? of all accounts\.\n$/)
        assert.match(await done(config, 'status'), /^Release .*\nDatabase (?!.*password).* MB\n[\s\S]*^bugs: 8$/m)
        await done(config, 'backup', folder)
        assert.match(
          await done(config, 'backup', folder, '--keep', '1'),
          /^Wrote .*\nDeleted the older backup lacewing-.*\n$/,
        )
        assert.match(await done(config, 'status'), /^Last backup: 20\d\d-/m)
        assert.equal(await done(config, 'check'), 'Nothing is wrong.\n')
        if (engine === 'postgres') {
          const to = ['move', '--to', (await emptyConfig('sqlite')).databaseUrl]
          await refused(config, to, /^Other programs are connected to the database\. Stop the servers first/)
        }
      })
      assert.deepEqual(
        await withDatabase(config, (db) =>
          rawRows(db, `select count(*) as n from second_factors union all select count(*) from recovery_codes`),
        ),
        [{ n: 0 }, { n: 0 }],
      )
      assert.equal(readdirSync(folder).length, 1)
      if (engine === 'sqlite') await restoreOnPostgres(folder)
    })

    if (engine === 'sqlite' || isEveryCombination)
      it('find what is wrong, repair it, and say so with their exit code', async () => {
        const config = await richInstallation(engine)
        await withDatabase(config, (db) =>
          db.script('update bugs set actual_hundredths = actual_hundredths + 5 where id = 10'),
        )
        const found = await lacewingInThisProcess(['check'], config)
        assert.deepEqual(
          [found.status, found.stdout.split('\n')[0]],
          [1, 'work times: 1 wrong, can be repaired with --repair'],
        )
        assert.match(await done(config, 'check', '--repair'), /^work times: 1 wrong, repaired$/m)
        assert.equal(await done(config, 'check', '--without-contents'), 'Nothing is wrong.\n')
      })

    it('refuse what is not an installation, and create nothing', async () => {
      const nothing = await emptyConfig(engine)
      const file = newFile()
      for (const words of [
        ['admin', 'make-administrator', EDNA],
        ['admin', 'set-password', EDNA],
        ['admin', 'reset-factors', EDNA],
        ['admin', 'end-sessions', '--all'],
        ['check', '--repair'],
        ['backup', dirname(file)],
        ['export', file],
        ['move', '--to', join(dirname(file), 'new.db')],
        ['move', '--to', 'mysql://host/name'],
      ])
        await refused(nothing, words, /^(?:The database (?:.* does not exist|is empty)|--to is mysql:)/)
      assert.deepEqual(readdirSync(dirname(file)), [])
      if (engine === 'sqlite') assert.equal(existsSync(nothing.databaseUrl), false)
      else assert.deepEqual([...(await withDatabase(nothing, columnsOf)).keys()], [])
    })
  })

describe('the commands of an operator', () => {
  it('write to a new file only, whatever somebody has put in its place', async () => {
    const config = await richInstallation('sqlite')
    const [victim, file] = [newFile('victim'), newFile('export.tar.gz')]
    writeFileSync(victim, 'mine')
    symlinkSync(victim, `${file}.part`)
    await done(config, 'export', file)
    assert.equal(readFileSync(victim, 'utf8'), 'mine')
    const { mode } = lstatSync(file)
    assert.equal(mode & 0o777, 0o600)
    const link = newFile('link.tar.gz')
    symlinkSync(victim, link)
    await refused(config, ['export', link], /^\S+ cannot be written, because it is not a regular file\. /m)
    assert.equal(readFileSync(victim, 'utf8'), 'mine')
  })

  it('refuse unknown accounts, missing passwords and files that cannot be written', async () => {
    const config = await richInstallation('sqlite')
    for (const words of [['make-administrator'], ['set-password'], ['reset-factors'], ['end-sessions']])
      await refused(config, ['admin', ...words, 'nobody@example.com'], /^There is no account nobody@example\.com\.$/m)
    await refused(config, ['admin', 'set-password', EDNA], /^There is no password: /)
    const file = newFile('file')
    writeFileSync(file, '')
    await refused(config, ['export', '/no/such/folder/a.tar.gz'], /^\/no\/such\/folder\/a\.tar\.gz cannot be used: /m)
    await refused(config, ['export', dirname(file)], /cannot be used: |is a folder/)
    await refused(config, ['backup', join(file, 'folder')], /cannot be used: /)
    await refused(config, ['restore', join(file, 'folder')], /does not exist|cannot be used/)
    const empty = await emptyConfig('sqlite')
    const report = ['import', 'rest', 'http://127.0.0.1:9', '--report', '/no/such/folder/report.txt']
    await refused(empty, report, /^\/no\/such\/folder\/report\.txt cannot be used: /)
  })

  it('name the new database if there is no room for it', async () => {
    const config = await richInstallation('sqlite')
    const target = join(dirname(newFile()), 'new.db')
    mkdirSync(dirname(target), { recursive: true })
    // Files of at most 100 KB, which is nearly the same as a full disk.
    const small = ['-c', 'trap "" XFSZ; ulimit -f 200; exec "$@"', 'sh']
    const { status, stderr } = spawnSync(
      'sh',
      [...small, process.execPath, '--disable-warning=ExperimentalWarning', LACEWING, 'move', '--to', target],
      {
        env: { ...process.env, LACEWING_DATA: config.dataFolder, LACEWING_DATABASE_URL: config.databaseUrl },
        encoding: 'utf8',
      },
    )
    assert.notEqual(status, 0)
    assert.ok(stderr.includes(`The database ${target} cannot be used: `), stderr)
    assert.ok(!stderr.includes(config.databaseUrl), stderr)
  })

  it('print one JSON document with --json, and nothing about success with --quiet', async () => {
    const config = await richInstallation('sqlite')
    const file = newFile()
    const folder = dirname(file)
    for (const [words, expected] of [
      [['status'], { counts: { bugs: 8 } }],
      [['check'], { is_wrong: false, findings: [] }],
      [['backup', folder], { missing_contents: 0 }],
      [['export', file], { file }],
      [['admin', 'make-administrator', EDNA], { login: EDNA, is_new: true }],
      [['admin', 'end-sessions', '--all'], { login: null }],
      [['admin', 'reset-factors', EDNA], { removed: 0 }],
      [['mail', 'retry'], { dead: 0 }],
    ] as const) {
      const printed = JSON.parse(await done(config, ...words, '--json'))
      for (const [name, value] of Object.entries(expected))
        if (typeof value === 'object' && value !== null && !Array.isArray(value)) assert.equal(printed[name].bugs, 8)
        else assert.deepEqual(printed[name], value, words.join(' '))
      const more = words[0] === 'export' ? ['--force'] : []
      const quiet = await lacewingInThisProcess([...words, ...more, '--quiet'], config)
      assert.deepEqual([quiet.status, quiet.stderr], [0, ''], words.join(' '))
      assert.equal(quiet.stdout === '', words[0] !== 'status', `${words.join(' ')}: ${quiet.stdout}`)
    }
    const failed = await lacewingInThisProcess(['restore', '/no/such/folder', '--json'], config)
    assert.deepEqual([failed.status, JSON.parse(failed.stdout)], [1, { error: failed.stderr.trim() }])
    const short = await lacewingInThisProcess(['admin', 'set-password', EDNA, '--json'], config, 'short\n')
    const { error: sentence, reason } = JSON.parse(short.stdout)
    assert.deepEqual([short.status, sentence, reason], [1, short.stderr.trim(), 'password_too_short'])
    const start = await endOf(startLacewing(config, ['start', '--json'], { LACEWING_PORT: 'x' }))
    const refused = JSON.parse(start.stdout)
    assert.deepEqual([start.status, refused.error, refused.reason], [1, start.stderr.trim(), 'wrong_setting'])
    for (const [words, error] of [
      [['export', '--json'], "missing required argument 'file'"],
      [['nonsense', '--json'], "unknown command 'nonsense'"],
    ] as const) {
      const wrong = await lacewingInThisProcess(words, config)
      assert.deepEqual([wrong.status, JSON.parse(wrong.stdout)], [2, { error }])
    }
    const generated = await done(config, 'admin', 'set-password', EDNA, '--generate', '--quiet')
    assert.match(generated, /^Password: \S{20}$/m)
  })

  it('keep the backup that they have just written, also beside one from a clock that was wrong', async () => {
    const config = await richInstallation('sqlite')
    const folder = dirname(newFile())
    mkdirSync(folder, { recursive: true })
    for (const year of ['2001', '2999']) writeFileSync(join(folder, `lacewing-${year}-01-01T000000.000Z.tar.gz`), 'old')
    const { file, deleted } = JSON.parse(await done(config, 'backup', folder, '--keep', '1', '--json'))
    assert.ok(existsSync(file))
    assert.deepEqual(deleted, ['lacewing-2001-01-01T000000.000Z.tar.gz'])
  })

  it('overwrite no file without --force', async () => {
    const config = await richInstallation('sqlite')
    const file = newFile()
    writeFileSync(file, 'precious')
    await refused(config, ['export', file], /^\S+ exists: name another file, or add --force to overwrite it\.$/m)
    assert.equal(readFileSync(file, 'utf8'), 'precious')
    await done(config, 'export', file, '--force')
    assert.notEqual(readFileSync(file, 'utf8'), 'precious')
    const empty = await emptyConfig('sqlite')
    const dump = ['import', 'bugzilla', file, '--time-zone', 'UTC', '--report', file]
    await refused(empty, dump, /^\S+ exists: name another file/m)
    await refused(empty, ['import', 'rest', 'http://127.0.0.1:9', '--report', file], /^\S+ exists: name another file/m)
  })

  it('take no password of a database from the command line', async () => {
    const config = await richInstallation('sqlite')
    for (const to of ['postgres://me:geheim@127.0.0.1:9/bugs', 'postgres://me@127.0.0.1:9/bugs?password=geheim'])
      await refused(config, ['move', '--to', to], /^--to has a password, which other users .* --ask-password, .*$/m)
    const file = newFile('address')
    writeFileSync(file, 'postgres://me:geheim@127.0.0.1:9/bugs\n')
    const unreachable = /^(?!.*geheim).* cannot be (?:used|reached|opened): .*ECONNREFUSED/m
    await refused(await emptyConfig('sqlite'), ['move', '--to-file', file], /^The database .* does not exist/m)
    const asked = ['move', '--to', 'postgres://me@127.0.0.1:9/bugs', '--ask-password']
    await refused(config, asked, /^There is no password: /)
    const { status, stderr } = await lacewingInThisProcess(asked, config, 'geheim\n')
    assert.equal(status, 1)
    assert.match(stderr, unreachable)
    assert.equal((await lacewingInThisProcess(['move', '--to', 'a', '--to-file', 'b'], config)).status, 2)
    assert.equal((await lacewingInThisProcess(['move'], config)).status, 2)
  })

  it('refuse to replace or to move what a server uses', async () => {
    const config = await richInstallation('sqlite')
    const archive = await exported(config)
    claimFolders(config, 'server')
    const target = join(dirname(newFile()), 'new.db')
    mkdirSync(dirname(target), { recursive: true })
    for (const words of [
      ['import', archive],
      ['restore', archive],
      ['import', 'bugzilla', archive],
      ['import', 'rest', 'http://127.0.0.1:9'],
      ['move', '--to', target],
    ])
      await refused(config, words, /^Another server uses the database /m)
    assert.equal(existsSync(target), false)
    assert.match(await done(config, 'status'), /^A server uses it\.$/m)
  })
})
