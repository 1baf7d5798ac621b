import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../test/support/free-port.ts'
import { unprivileged } from '../../test/support/postgres.ts'
import type { Programs } from './programs.ts'

/** One machine of the cluster: a PostgreSQL and the Patroni that keeps it. */
export class ClusterNode {
  readonly name: string
  readonly port: number
  readonly restPort: number
  private readonly folder: string
  private readonly programs: Programs
  private patroni: ChildProcess | undefined

  private constructor(name: string, folder: string, programs: Programs, ports: readonly [number, number]) {
    this.name = name
    this.folder = folder
    this.programs = programs
    ;[this.port, this.restPort] = ports
  }

  static async make(name: string, parent: string, programs: Programs, etcdPort: number): Promise<ClusterNode> {
    const folder = join(parent, name)
    mkdirSync(folder, { mode: 0o700 })
    const node = new ClusterNode(name, folder, programs, [await freePort(), await freePort()])
    writeFileSync(join(folder, 'patroni.yml'), JSON.stringify(node.settings(etcdPort), undefined, 2))
    const owner = unprivileged()
    if (owner) for (const path of [folder, join(folder, 'patroni.yml')]) chownSync(path, owner.uid, owner.gid)
    return node
  }

  get url() {
    return `postgres://lacewing@127.0.0.1:${this.port}/lacewing`
  }

  start() {
    const log = openSync(join(this.folder, 'patroni.log'), 'a')
    this.patroni = spawn(this.programs.patroni, [join(this.folder, 'patroni.yml')], {
      ...unprivileged(),
      cwd: this.folder,
      env: { ...process.env, HOME: this.folder, PYTHONUNBUFFERED: '1' },
      stdio: ['ignore', log, log],
    })
    closeSync(log)
  }

  /** Like a power cut: nothing of it goes on. */
  kill() {
    this.patroni?.kill('SIGKILL')
    this.killPostgres()
  }

  /** Only PostgreSQL, which Patroni notices. */
  killPostgres() {
    this.signal('SIGKILL')
  }

  /** Its connections stay open, and nothing answers. */
  freezePostgres() {
    this.signal('SIGSTOP')
  }

  thawPostgres() {
    this.signal('SIGCONT')
  }

  private signal(signal: NodeJS.Signals) {
    const postmaster = this.postmaster()
    if (postmaster === undefined) return
    for (const pid of [postmaster, ...childrenOf(postmaster)]) {
      try {
        process.kill(pid, signal)
      } catch {
        // It has ended already.
      }
    }
  }

  /** What Patroni says about this node: 200 if it is the primary. */
  isPrimary() {
    return this.is('primary')
  }

  isStreaming() {
    return this.is('replica')
  }

  /** A standby that no commit waits for. */
  isAsynchronous() {
    return this.is('asynchronous')
  }

  private is(role: 'primary' | 'replica' | 'asynchronous'): Promise<boolean> {
    return fetch(`http://127.0.0.1:${this.restPort}/${role}`, { signal: AbortSignal.timeout(2000) }).then(
      ({ status }) => status === 200,
      () => false,
    )
  }

  /** The last lines of its log, for a message. */
  get lastLines() {
    return readFileSync(join(this.folder, 'patroni.log'), 'utf8').slice(-1500)
  }

  private postmaster(): number | undefined {
    const file = join(this.folder, 'data', 'postmaster.pid')
    return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : undefined
  }

  private settings(etcdPort: number) {
    const users = { username: 'postgres' }
    return {
      scope: 'lacewing',
      name: this.name,
      restapi: { listen: `127.0.0.1:${this.restPort}`, connect_address: `127.0.0.1:${this.restPort}` },
      etcd3: { hosts: [`127.0.0.1:${etcdPort}`] },
      bootstrap: {
        dcs: DYNAMIC_SETTINGS,
        initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, { auth: 'trust' }, 'no-sync'],
      },
      postgresql: {
        listen: `127.0.0.1:${this.port}`,
        connect_address: `127.0.0.1:${this.port}`,
        data_dir: join(this.folder, 'data'),
        bin_dir: this.programs.postgresFolder,
        authentication: { superuser: users, replication: users, rewind: users },
        pg_hba: ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
        parameters: { unix_socket_directories: this.folder },
      },
    }
  }
}

/** As docs/operating.md advises: synchronous standbys, and a failover as soon as a primary is gone. */
const DYNAMIC_SETTINGS = {
  ttl: 10,
  loop_wait: 2,
  retry_timeout: 3,
  master_start_timeout: 0,
  synchronous_mode: true,
  postgresql: {
    use_pg_rewind: true,
    use_slots: true,
    parameters: {
      max_connections: 300,
      shared_buffers: '128MB',
      work_mem: '16MB',
      random_page_cost: 1.1,
      wal_log_hints: 'on',
      max_wal_size: '1GB',
      hot_standby_feedback: 'on',
    },
  },
}

function childrenOf(pid: number): number[] {
  try {
    return execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
      .trim()
      .split(/\s+/)
      .map(Number)
      .filter((child) => child > 0)
  } catch {
    return []
  }
}
