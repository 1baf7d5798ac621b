import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { linesOf } from '../../src/admin/first-login.ts'
import { messageFor } from '../../src/fault-sentences.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { openDatabase } from '../../src/platform/database/open-database.ts'
import type { Database } from '../../src/platform/database/tables.ts'
import { claimFolders, prepare } from '../../src/prepare.ts'
import { withServer } from '../support/archive.ts'
import type { BodyAt } from '../support/body-types.ts'
import { root } from '../support/doc-examples.ts'
import { isEveryCombination, sampled } from '../support/sample.ts'
import { emptyInstallation, inherited, newInstallation, ServerProcess, stopAll } from '../support/server-process.ts'
import type { Engine } from '../support/world.ts'

after(stopAll)

const ADMIN = {
  LACEWING_ADMIN_LOGIN: 'root@lacewing.test',
  LACEWING_ADMIN_PASSWORD: 'a long password',
  LACEWING_ADMIN_API_KEY: 'a-key-that-was-given',
}

async function get<const Path extends string>(url: string, path: Path, headers: Record<string, string> = {}) {
  const response = await fetch(url + path, { headers: { ...headers, Connection: 'close' } })
  return (await response.json()) as BodyAt<'GET', Path>
}

function databaseIn(settings: Record<string, string>) {
  return openDatabase(settings.LACEWING_DATABASE_URL ?? join(settings.LACEWING_DATA as string, 'lacewing.db'))
}

async function keywordsIn(settings: Record<string, string>): Promise<string[]> {
  const db = databaseIn(settings)
  const rows = await db.query((q) => q.selectFrom('keywords').select('name').orderBy('id'))
  await db.close()
  return rows.map(({ name }) => name)
}

/** The contents of the database, except times of last logins. */
async function contentsOf(settings: Record<string, string>): Promise<string> {
  const db = databaseIn(settings)
  const tables: (keyof Database)[] = [
    'users',
    'groups',
    'user_group_grants',
    'group_grants',
    'api_keys',
    'parameters',
    'audit_log',
    'state_versions',
    'keywords',
    'products',
    'components',
  ]
  const rows = await Promise.all(tables.map((table) => db.query((q) => q.selectFrom(table).selectAll())))
  await db.close()
  return JSON.stringify(
    rows.map((table) => table.map((row) => JSON.stringify({ ...row, last_seen_on: 0, last_used_at: 0 })).sort()),
  )
}

/** How nice each thread of a process is to others (proc(5)); its name may hold spaces, so what is read stands behind it. */
function nicenessOfThreads(pid: number) {
  const threads = readdirSync(`/proc/${pid}/task`)
  const stats = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8'))
  return stats.map((stat) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]))
}

/** The delivery thread runs at a lower processor priority than requests. Only Linux has priorities of threads. */
async function requireOneThreadOfLowPriority(pid: number) {
  while (nicenessOfThreads(pid).every((nice) => nice === getPriority())) await sleep(20)
  assert.deepEqual(
    nicenessOfThreads(pid).filter((nice) => nice !== getPriority()),
    [Math.min(19, getPriority() + 10)],
  )
}

it('makes one administrator when several servers start at once on an empty PostgreSQL database and share a data folder', async () => {
  const settings = await emptyInstallation('postgres')
  const servers = [new ServerProcess(settings), new ServerProcess(settings)]
  const urls = await Promise.all(servers.map(async (server) => (await server.listening()).url))
  const returned = servers.filter(({ stdout }) => stdout.includes('Administrator created'))
  assert.equal(returned.length, 1)
  const key = returned[0]?.credentials['API key'] as string
  for (const url of urls) assert.equal((await get(url, '/rest/whoami', { 'X-TRACKER-API-KEY': key })).id, 1)
  const { users } = await get(urls[0] as string, '/rest/user?match=*@*&include_disabled=1', {
    'X-TRACKER-API-KEY': key,
  })
  assert.equal(users.length, 1)
  assert.deepEqual(await Promise.all(servers.map((server) => server.stop())), [0, 0])
})

it('shows the credentials that it generated on a terminal, and writes them nowhere', async () => {
  const settings = await newInstallation('sqlite', 'migrated')
  // The entry point of older releases, which services still name.
  const command = `${process.execPath} --disable-warning=ExperimentalWarning src/main.ts`
  // Runs a command on a terminal of its own; it comes with every Linux (util-linux).
  const terminal = spawn('script', ['--quiet', '--command', command, '/dev/null'], {
    cwd: root,
    env: { ...inherited(), LACEWING_PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  let shown = ''
  for await (const text of terminal.stdout) {
    shown += text
    if (shown.includes('Lacewing listens on')) break
  }
  const key = /^ {2}API key {3}(\w{40})\r?$/m.exec(shown)?.[1] as string
  const url = /Lacewing listens on (\S+)/.exec(shown)?.[1] as string
  assert.match(
    shown,
    /^Administrator created\. Save these credentials: they are shown only once\.\r?\n {2}login {5}\S+/,
  )
  assert.equal((await get(url, '/rest/whoami', { 'X-TRACKER-API-KEY': key })).id, 1)
  assert.ok(!existsSync(join(settings.LACEWING_DATA, 'first-login.txt')))
  process.kill(-(terminal.pid as number), 'SIGKILL')
})

for (const engine of isEveryCombination ? (['sqlite', 'postgres'] as const) : (['sqlite'] as const))
  describe(`the first start of a server on ${engine}`, () => {
    let settings: Record<string, string> = {}
    let server: ServerProcess
    let url = ''
    before(async () => {
      settings = await emptyInstallation(engine)
      // The delivery thread is there as long as there is mail to be taken.
      const maildir = mkdtempSync(join(tmpdir(), 'lacewing-maildir-'))
      server = new ServerProcess({ ...settings, LACEWING_MAILDIR: maildir })
      url = (await server.listening()).url
    })

    it('generates the administrator, saves the credentials in a file, and prints its address', async () => {
      const { login, password, 'API key': apiKey } = server.credentials
      const file = join(settings.LACEWING_DATA as string, 'first-login.txt')
      assert.deepEqual(server.stdout.split('\n'), [
        `Administrator created. Its credentials are in ${file}: save them, then delete the file.`,
        `Lacewing listens on ${url}`,
        '',
      ])
      assert.equal(statSync(file).mode & 0o777, 0o600)
      assert.equal(statSync(settings.LACEWING_DATA as string).mode & 0o077, 0, 'the data folder is for its owner')
      assert.match(password ?? '', /^\w{20}$/)
      assert.match(apiKey ?? '', /^\w{40}$/)
      const byKey = await get(url, '/rest/whoami', { 'X-TRACKER-API-KEY': apiKey as string })
      assert.deepEqual([byKey.name, byKey.login_source], [login, 'api_key'])
      assert.ok(byKey.groups.some((group) => group.name === 'admin'))
      const byPassword = await get(
        url,
        `/rest/whoami?${new URLSearchParams({ login: login as string, password: password as string })}`,
      )
      assert.equal(byPassword.login_source, 'password')
      const { parameters } = await get(url, '/rest/parameters', { 'X-TRACKER-API-KEY': apiKey as string })
      assert.deepEqual([parameters.maintainer, parameters.use_markdown], [login, '1'])
      if (process.platform === 'linux') await requireOneThreadOfLowPriority(server.child.pid as number)
    })

    it('finishes running requests at SIGTERM, and has written one JSON line for each request, and no secret in it', async () => {
      const { password, 'API key': apiKey } = server.credentials
      const [queries, paths] = [
        ['api_key=s3cret', 'token=s3cret', 'login=x@y.test&password=s3cret', `api_key=${apiKey}`],
        ['/rest/time', '/rest/time/s3cret', '/rest/keyword/s3cret'],
      ]
      for (const query of queries) for (const path of paths) await get(url, `${path}?${query}`)
      const idle = await opened(url)
      idle.write('GET /rest/version HTTP/1.1\r\nHost: x\r\n\r\n')
      const idleEnded = new Promise((resolve) => idle.resume().once('close', resolve))
      const body = JSON.stringify({ name: 'under-way', description: 'd' })
      const slow = await opened(url)
      const answer = read(slow)
      slow.write(
        `POST /rest/keyword HTTP/1.1\r\nHost: x\r\nX-TRACKER-API-KEY: ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
      )
      await sleep(100)
      const end = server.stop()
      await refusing(url)
      // It ends a connection without a request at once: if it waited, it would cut off both at the same time.
      await idleEnded
      slow.write(body.slice(10))
      assert.match(await answer, /^HTTP\/1\.1 201 .*\r\nConnection: close\r\n/s)
      assert.equal(await end, 0)
      assert.deepEqual(await keywordsIn(settings), ['under-way'])
      const lines = server.stderr
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
        // What the server of the tests lacks is said at the start.
        .filter(({ event }) => event !== 'mail stored, not sent' && event !== 'setting of the database')
      const last = lines.pop()
      assert.deepEqual([last.level, last.event, typeof last.ms], ['info', 'server ended', 'number'])
      const [ending] = lines.splice(
        lines.findIndex(({ event }) => event === 'server ending'),
        1,
      )
      assert.deepEqual([ending.level, ending.event, ending.signal], ['info', 'server ending', 'SIGTERM'])
      assert.equal(lines.length, 5 + queries.length * paths.length)
      for (const line of lines) {
        assert.match(line.time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
        assert.deepEqual([line.level, line.event], ['info', 'request'])
      }
      assert.doesNotMatch(server.stderr, /s3cret|x@y/)
      assert.ok(!server.stderr.includes(password as string) && !server.stderr.includes(apiKey as string))
    })
  })

for (const engine of ['sqlite', 'postgres'] as const satisfies Engine[])
  describe(`a start on ${engine}`, () => {
    it('changes nothing in a database that has an administrator, and refuses that of a newer release', async () => {
      const settings = await newInstallation(engine, 'migrated')
      assert.notDeepEqual(linesOf(await prepareAndClose(settings)), [])
      const before = await contentsOf(settings)
      const others = {
        LACEWING_ADMIN_LOGIN: 'other@lacewing.test',
        LACEWING_ADMIN_PASSWORD: 'another one',
        LACEWING_ADMIN_API_KEY: 'another-key',
      }
      assert.deepEqual(linesOf(await prepareAndClose({ ...settings, ...others })), [])
      assert.equal(await contentsOf(settings), before)
      const db = databaseIn(settings)
      await db.script(`insert into schema_migrations (number, name) values (9999, 'from the future')`)
      await db.close()
      assert.match(await refusalOf(settings), /newer release.*9999/)
      assert.equal(await contentsOf(settings), before)
    })

    it('creates nothing if the credentials cannot be written', async () => {
      const settings = { ...(await newInstallation(engine, 'migrated')), LACEWING_ADMIN_LOGIN: 'root@lacewing.test' }
      mkdirSync(join(settings.LACEWING_DATA, 'first-login.txt', 'x'), { recursive: true })
      assert.match(await refusalOf(settings), /credentials of the administrator cannot be written.*first-login\.txt/)
      rmSync(join(settings.LACEWING_DATA, 'first-login.txt'), { recursive: true })
      const generated = await prepareAndClose(settings)
      assert.deepEqual(Object.keys(generated), ['password', 'apiKey'], 'only what it generated')
      assert.equal(await userOf(settings, generated.apiKey as string), 1)
    })
  })

describe('a server that cannot start', () => {
  const folders: string[] = []
  const folder = () => {
    folders.push(mkdtempSync(join(tmpdir(), 'lacewing-refused-')))
    return folders.at(-1) as string
  }
  after(() => {
    for (const it of folders) rmSync(it, { recursive: true, force: true })
  })

  const WRONG_WORDS: [words: string[], exitCode: number][] = [
    [['--port', '9000'], 1],
    [['receive-mail', 'now'], 75],
  ]

  it('ends with a sentence if the data folder cannot be written, or the command line is wrong', async () => {
    const file = join(folder(), 'a-file')
    writeFileSync(file, '')
    const settings = { LACEWING_DATA: join(file, 'data') }
    assert.match(await refusalOf(settings), /data folder .*a-file\/data cannot be written/)
    for (const [words, exitCode] of sampled(WRONG_WORDS, 2)) {
      const sentence = new RegExp(`command line has "${words.join(' ')}", but the only command is receive-mail`)
      await assertRefusal(settings, sentence, words, exitCode)
    }
  })

  it('reports that the database is a folder, or not a database', async () => {
    const data = folder()
    mkdirSync(join(data, 'lacewing.db'))
    assert.match(await refusalOf({ LACEWING_DATA: data }), /database .*lacewing\.db cannot be/)
    const other = folder()
    writeFileSync(join(other, 'lacewing.db'), 'This is a letter to my aunt. '.repeat(200))
    assert.match(await refusalOf({ LACEWING_DATA: other }), /database .*lacewing\.db cannot be/)
    assert.equal(statSync(join(other, 'lacewing.db')).size, 5800)
    assert.match(
      await refusalOf({ LACEWING_DATA: folder(), LACEWING_DATABASE_URL: '/no/such/folder/x.db' }),
      /\/no\/such\/folder\/x\.db cannot be/,
    )
  })

  it('reports that the port is taken, and has already saved the generated credentials', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    const { port } = other.address() as { port: number }
    const settings = { ...(await newInstallation('sqlite', 'migrated')), LACEWING_PORT: String(port) }
    const refused = new ServerProcess(settings)
    try {
      assert.equal(await refused.ended, 1)
      assert.match(refused.stderr, new RegExp(`^The port ${port} is in use .*LACEWING_PORT\\.\n$`))
      if (isEveryCombination)
        await assertRefusal({ ...settings, LACEWING_PROCESSES: '2' }, new RegExp(`port ${port} is in use`))
    } finally {
      other.close()
    }
    assert.equal(await userOf(settings, refused.credentials['API key'] as string), 1)
  })

  // More values are in src/platform/config/config.test.ts and src/prepare.test.ts.
  const WRONG: [setting: string, value: string, sentence: RegExp][] = [
    ['LACEWING_DATABASE_URL', 'postgres://root:tops3cret@127.0.0.1:1/x', /database .*127\.0\.0\.1:1\/x cannot be used/],
    ['LACEWING_DATABASE_URL', 'postgres://no-such-host.invalid/x', /host name/],
    ['LACEWING_ADMIN_LOGIN', 'not an address', /LACEWING_ADMIN_LOGIN/],
    ['LACEWING_ADMIN_PASSWORD', 's3cr', /LACEWING_ADMIN_PASSWORD.*too short/],
    ['LACEWING_MAILDIR', '/etc', /LACEWING_MAILDIR is "\/etc", which is not a Maildir/],
  ]
  for (const [setting, value, sentence] of WRONG)
    it(`says so when ${setting} is ${value}`, async () => {
      const message = await refusalOf({ ...ADMIN, LACEWING_DATA: folder(), [setting]: value })
      assert.match(message, sentence)
      assert.doesNotMatch(message, /s3cr/)
    })

  const WRONG_HOSTS: [value: string, sentence: RegExp][] = [
    ['192.0.2.1', /LACEWING_HOST is 192\.0\.2\.1, which is not an address of this machine/],
    ['no-such-host.invalid', /host name/],
  ]
  for (const [value, sentence] of WRONG_HOSTS)
    it(`says so when LACEWING_HOST is ${value}`, async () => {
      const fault = await new Promise<Error>((resolve) => createServer().once('error', resolve).listen(0, value))
      assert.match(messageFor(fault, ''), sentence)
    })

  it('reports all wrong settings at once', async () => {
    assert.match(await refusalOf({ LACEWING_PORT: 'x', LACEWING_PROCESSES: 'y' }), /LACEWING_PORT.*LACEWING_PROCESSES/)
  })
})

/** What a server does before it listens, in this process; returns what it generated for the administrator. */
async function prepareAndClose(settings: Record<string, string>) {
  const { db, firstLogin } = await prepare(readConfig(settings))
  await db.close()
  return firstLogin.generated
}

/** The sentence that a server with these settings ends with, asked in this process. `assertRefusal` starts a server. */
async function refusalOf(settings: Record<string, string>): Promise<string> {
  try {
    const config = readConfig(settings)
    claimFolders(config, 'server')
    await prepareAndClose(settings)
  } catch (fault) {
    const message = messageFor(fault as Error, settings.LACEWING_DATABASE_URL ?? '')
    assert.match(message, /^[A-Z].*\.$/, 'it is one sentence on one line')
    return message
  }
  assert.fail('It would start')
}

/** Whose API key it is, according to a server in this process. */
function userOf(settings: Record<string, string>, apiKey: string): Promise<number> {
  const config = readConfig({ ...settings, LACEWING_PORT: '0' })
  return withServer(config, async (send) => (await send('GET', 'whoami', undefined, apiKey)).body.id)
}

/** The server ends with exit code 1 and one readable sentence. */
async function assertRefusal(
  settings: Record<string, string>,
  sentence: RegExp,
  words: readonly string[] = [],
  exitCode = 1,
): Promise<string> {
  const server = new ServerProcess(settings, words)
  const code = await server.ended
  assert.match(server.stderr, sentence)
  assert.match(server.stderr, /^[A-Z].*\.\n$/, 'it is one sentence on one line')
  assert.equal(server.stdout, '')
  assert.equal(code, exitCode)
  return server.stderr
}

function opened(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => resolve(socket)).once('error', reject)
  })
}

function read(socket: Socket): Promise<string> {
  return new Promise((resolve) => socket.once('data', (chunk) => resolve(String(chunk))))
}

/** Waits until the server accepts no connections. */
async function refusing(url: string) {
  for (;;) {
    const socket = await opened(url).catch(() => undefined)
    if (!socket) return
    socket.destroy()
    await sleep(5)
  }
}
