import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The programs of Debian's packages that the cluster consists of, by their paths. */
export interface Programs {
  postgresFolder: string
  patroni: string
  etcd: string
  haproxy: string
}

const FOLDERS = ['/usr/bin', '/usr/sbin', '/usr/local/bin', '/usr/local/sbin']

/** Throws with one sentence that says what to install. PgBouncer is found, or unpacked, by the support of the tests. */
export function findPrograms(): Programs {
  const missing: string[] = []
  const find = (name: string, packageName: string) => {
    const path = FOLDERS.map((folder) => join(folder, name)).find(existsSync)
    if (path === undefined) missing.push(packageName)
    return path ?? ''
  }
  const postgresFolder = postgresIn('/usr/lib/postgresql')
  if (postgresFolder === undefined) missing.push('postgresql-15')
  const programs = {
    postgresFolder: postgresFolder ?? '',
    patroni: find('patroni', 'patroni'),
    etcd: find('etcd', 'etcd-server'),
    haproxy: find('haproxy', 'haproxy'),
  }
  find('pgbouncer', 'pgbouncer')
  if (missing.length === 0) return programs
  throw new Error(`The cluster needs packages that are not installed: apt-get install ${missing.join(' ')}`)
}

/** The oldest release that is installed. */
function postgresIn(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined
  const [oldest] = readdirSync(folder)
    .map(Number)
    .filter((release) => release >= 15)
    .sort((one, other) => one - other)
  return oldest === undefined ? undefined : join(folder, String(oldest), 'bin')
}
