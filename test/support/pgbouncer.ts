import { spawn } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { findProgram } from './debian-program.ts'
import { freePort } from './free-port.ts'
import { unprivileged } from './postgres.ts'

/** A PgBouncer in transaction mode, in front of every database of one PostgreSQL. */
export interface Pgbouncer {
  url: string
  stop(): Promise<void>
}

/** Undefined if there is no PgBouncer. */
export async function startPgbouncer(
  target: { host: string; port: string | number },
  user = 'postgres',
): Promise<Pgbouncer | undefined> {
  const program = findProgram({ name: 'pgbouncer', package: 'pgbouncer', versionOption: '--version' })
  if (program === undefined) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'lacewing-pgbouncer-'))
  const owner = unprivileged()
  if (owner) chownSync(folder, owner.uid, owner.gid)
  const port = await freePort()
  writeFileSync(join(folder, 'users.txt'), `"${user}" ""\n`, { mode: 0o644 })
  writeFileSync(join(folder, 'pgbouncer.ini'), settings(folder, port, target), { mode: 0o644 })
  const child = spawn(program, ['-q', join(folder, 'pgbouncer.ini')], { ...owner, cwd: folder, stdio: 'ignore' })
  const url = `postgres://${user}@127.0.0.1:${port}`
  await answering(`${url}/postgres`)
  return {
    url,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      if (child.exitCode === null && child.kill('SIGTERM')) await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** As docs/operating.md advises. */
function settings(folder: string, port: number, { host, port: databasePort }: { host: string; port: string | number }) {
  return `[databases]
* = host=${host} port=${databasePort} connect_query='set jit = off; set statement_timeout = 30000; set lock_timeout = 15000'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
default_pool_size = 20
max_client_conn = 2000
server_login_retry = 1
server_idle_timeout = 60
query_wait_timeout = 10
`
}

async function answering(url: string) {
  for (let tries = 0; tries < 100; tries++) {
    const client = new pg.Client(url)
    try {
      await client.connect()
      await client.end()
      return
    } catch {
      await sleep(100)
    }
  }
  throw new Error('PgBouncer does not answer')
}
