import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Server, startServer } from '../../bench/processes.ts'
import { freePort } from '../../test/support/free-port.ts'
import { type Pgbouncer, startPgbouncer } from '../../test/support/pgbouncer.ts'
import { quickFolder } from '../../test/support/quick-folder.ts'
import { ClusterNode } from './node.ts'
import { findPrograms, type Programs } from './programs.ts'

const NODES = 3
const SERVERS = 3
const LONGEST_START_MILLISECONDS = 600_000

/**
 * A real cluster on one machine: etcd, three PostgreSQL with Patroni, HAProxy that leads to the primary and to the servers, PgBouncer, and
 * three Lacewing servers that read from the standbys.
 */
export class RealCluster {
  readonly nodes: ClusterNode[] = []
  /** The port of HAProxy for clients. */
  webPort = 0
  private readonly folder = mkdtempSync(join(quickFolder(), 'lacewing-cluster-'))
  private readonly programs: Programs = findPrograms()
  private readonly children: ChildProcess[] = []
  private readonly servers: Server[] = []
  private pgbouncer: Pgbouncer | undefined
  private primaryPort = 0

  static async start(): Promise<RealCluster> {
    const cluster = new RealCluster()
    try {
      await cluster.startDatabases()
      await cluster.startServers()
      return cluster
    } catch (fault) {
      for (const node of cluster.nodes) console.log(`${node.name}: ${node.lastLines}`)
      await cluster.stop()
      throw fault
    }
  }

  /** The database through HAProxy: always the primary. */
  get primaryUrl() {
    return `postgres://lacewing@127.0.0.1:${this.primaryPort}/lacewing`
  }

  async primary(): Promise<ClusterNode | undefined> {
    const answers = await Promise.all(this.nodes.map((node) => node.isPrimary()))
    return this.nodes.find((_, index) => answers[index])
  }

  /** Waits for one primary and for standbys behind all other nodes. */
  async waitUntilWhole() {
    await waitFor('the cluster to be whole', async () => {
      const standbys = await Promise.all(this.nodes.map((node) => node.isStreaming()))
      return (await this.primary()) !== undefined && standbys.filter(Boolean).length === NODES - 1
    })
  }

  /** Statements that ran on standbys, by what each server counts. */
  async readsOnStandbys(): Promise<number> {
    const texts = await Promise.all(
      this.servers.map(({ port }) => fetch(`http://127.0.0.1:${port}/metrics`).then((response) => response.text())),
    )
    const lines = texts.flatMap((text) =>
      text.split('\n').filter((line) => line.startsWith('lacewing_standby_reads_total{')),
    )
    return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
  }

  async stop() {
    await Promise.allSettled(this.servers.map((server) => server.kill()))
    await this.pgbouncer?.stop()
    for (const node of this.nodes) node.kill()
    for (const child of this.children) child.kill('SIGKILL')
    await sleep(500)
    rmSync(this.folder, { recursive: true, force: true })
  }

  private async startDatabases() {
    // PostgreSQL runs as another user, if this one is root.
    chmodSync(this.folder, 0o755)
    const etcdPort = await this.startEtcd()
    for (let number = 1; number <= NODES; number++)
      this.nodes.push(await ClusterNode.make(`node${number}`, this.folder, this.programs, etcdPort))
    for (const node of this.nodes) node.start()
    await this.waitUntilWhole()
    this.primaryPort = await freePort()
    this.webPort = await freePort()
  }

  private async startEtcd(): Promise<number> {
    const [port, peerPort] = [await freePort(), await freePort()]
    const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`]
    this.run('etcd', this.programs.etcd, [
      ...['--data-dir', join(this.folder, 'etcd'), '--listen-client-urls', client, '--advertise-client-urls', client],
      ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer, '--initial-cluster', `default=${peer}`],
    ])
    await waitFor('etcd', () => fetch(`${client}/health`).then((response) => response.ok))
    return port
  }

  private async startServers() {
    const ports = []
    for (let number = 0; number < SERVERS; number++) ports.push(await freePort())
    writeFileSync(join(this.folder, 'haproxy.cfg'), haproxySettings(this, this.primaryPort, ports))
    this.run('haproxy', this.programs.haproxy, ['-db', '-f', join(this.folder, 'haproxy.cfg')])
    await waitFor('HAProxy', () => this.makeDatabase())
    this.pgbouncer = await startPgbouncer({ host: '127.0.0.1', port: this.primaryPort }, 'lacewing')
    if (this.pgbouncer === undefined) throw new Error('PgBouncer does not start')
    for (const [index, port] of ports.entries()) {
      const folder = join(this.folder, `server${index + 1}`)
      mkdirSync(folder)
      const settings = {
        LACEWING_PORT: String(port),
        LACEWING_DATABASE_URL: this.primaryUrl,
        LACEWING_DATABASE_POOLER_URL: `${this.pgbouncer.url}/lacewing`,
        LACEWING_DATABASE_REPLICA_URLS: this.nodes.map(({ url }) => url).join(' '),
      }
      this.servers.push(await startServer(folder, settings))
    }
    await waitFor('the servers', () =>
      fetch(`http://127.0.0.1:${this.webPort}/rest/version`).then((response) => response.ok),
    )
  }

  private async makeDatabase(): Promise<boolean> {
    const client = new pg.Client(`postgres://postgres@127.0.0.1:${this.primaryPort}/postgres`)
    client.on('error', () => {})
    await client.connect()
    try {
      await client.query('create role lacewing login in role pg_read_all_stats')
      await client.query('create database lacewing owner lacewing')
    } finally {
      await client.end()
    }
    return true
  }

  private run(name: string, program: string, words: readonly string[]) {
    const log = openSync(join(this.folder, `${name}.log`), 'a')
    this.children.push(spawn(program, words, { cwd: this.folder, stdio: ['ignore', log, log] }))
    closeSync(log)
  }
}

/** HAProxy asks Patroni which node is the primary, and each server whether it is ready. */
function haproxySettings({ nodes, webPort }: RealCluster, primaryPort: number, ports: readonly number[]) {
  return `global
  maxconn 2000
defaults
  timeout connect 2s
  timeout client 10m
  timeout server 10m
  timeout check 2s
listen primary
  mode tcp
  bind 127.0.0.1:${primaryPort}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map(({ name, port, restPort }) => `  server ${name} 127.0.0.1:${port} check port ${restPort}`).join('\n')}
listen web
  mode http
  balance roundrobin
  bind 127.0.0.1:${webPort}
  option httpchk GET /health
  default-server inter 500ms fall 2 rise 1
${ports.map((port, index) => `  server lacewing${index + 1} 127.0.0.1:${port} check`).join('\n')}
`
}

export async function waitFor(what: string, isThere: () => Promise<boolean>) {
  const until = performance.now() + LONGEST_START_MILLISECONDS
  while (performance.now() < until) {
    if (await isThere().catch(() => false)) return
    await sleep(250)
  }
  throw new Error(`Waited too long for ${what}`)
}
