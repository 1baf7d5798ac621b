import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Server, startServer } from '../bench/processes.ts'
import { send } from './client.ts'
import { makeStorage } from './storage.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const MIGRATIONS = 'src/platform/database/migrations'
const CALLERS = 4
/** Acknowledged writes before the new release starts, beside it, and after the old one has ended. */
const WRITES = [200, 400, 200] as const

/**
 * A rolling upgrade: a server of the last commit before the newest migration, and one of this release, beside each other on one PostgreSQL. Both
 * must serve without a fault, and each must read what the other has acknowledged.
 */
export async function soakUpgrade(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'lacewing-upgrade-'))
  const storage = await makeStorage('postgres')
  const servers: Server[] = []
  const load = new UpgradeLoad()
  try {
    const older = olderRelease(folder)
    const schema = async () => Number((await storage.rows('select max(number) as n from schema_migrations'))[0]?.n)
    const start = async (name: string, entry?: string) => {
      mkdirSync(join(folder, name))
      const server = await startServer(join(folder, name), storage.environment, entry)
      servers.push(server)
      load.ports.push(server.port)
      return server
    }
    const old = await start('old', join(older.root, 'src/main.mjs'))
    const from = await schema()
    const running = load.run()
    await load.reaches(WRITES[0])
    await start('new')
    const to = await schema()
    await load.reaches(load.writes + WRITES[1])
    load.ports.splice(load.ports.indexOf(old.port), 1)
    await old.stop()
    await load.reaches(load.writes + WRITES[2])
    load.isOver = true
    await running
    const twice = await storage.rows('select summary from bugs group by summary having count(*) > 1')
    for (const wrong of load.faults.slice(0, 20)) console.log(`  ${wrong}`)
    console.log(
      `upgrade: schema ${from} (commit ${older.commit.slice(0, 8)}) beside ${to}: ${load.writes} acknowledged writes, ${load.reads} reads, ` +
        `${load.unavailable} times 503, longest time without an acknowledged write ${load.longestGap.toFixed(0)} ms; ` +
        `${load.faults.length} faults, ${twice.length} bugs twice`,
    )
    return load.faults.length + twice.length === 0 && to > from
  } finally {
    load.isOver = true
    await Promise.allSettled(servers.map((server) => server.kill()))
    await storage.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The sources of the last commit before the newest migration. */
function olderRelease(folder: string): { root: string; commit: string } {
  const git = (...words: string[]) => execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).trim()
  const newest = readdirSync(join(ROOT, MIGRATIONS))
    .filter((name) => /^\d{4}-/.test(name))
    .sort()
    .at(-1)
  const added = git('log', '-1', '--diff-filter=A', '--format=%H', '--', `${MIGRATIONS}/${newest}`)
  const commit = git('rev-parse', `${added}^`)
  const root = join(folder, 'sources')
  mkdirSync(root)
  git('archive', '--output', join(folder, 'sources.tar'), commit)
  execFileSync('tar', ['-xf', join(folder, 'sources.tar'), '-C', root])
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  return { root, commit }
}

/** Callers who write and read through any of the servers, as behind a proxy. */
class UpgradeLoad {
  readonly ports: number[] = []
  readonly faults: string[] = []
  isOver = false
  writes = 0
  reads = 0
  unavailable = 0
  longestGap = 0
  private lastWrite = 0

  async run() {
    this.lastWrite = performance.now()
    await Promise.all(Array.from({ length: CALLERS }, (_, number) => this.call(number)))
  }

  async reaches(writes: number) {
    while (this.writes < writes) await sleep(20)
  }

  private async call(caller: number) {
    for (let number = 1; !this.isOver; number++) {
      const summary = `upgrade ${caller} ${number}`
      const bug = await this.write('POST', '/bug', {
        product: 'TestProduct',
        component: 'TestComponent',
        summary,
        description: summary,
      })
      const id = (bug as { id?: number } | undefined)?.id
      if (id === undefined) continue
      await this.write('PUT', `/bug/${id}`, { whiteboard: summary, comment: { body: `said of ${summary}` } })
      await this.read(id, summary)
      await this.read(id, summary)
    }
  }

  /** Repeated with the same key while the answer is 503. */
  private async write(method: string, path: string, body: object): Promise<unknown> {
    const key = `${path} ${JSON.stringify(body).slice(0, 200)}`.replaceAll(/[^\x20-\x7e]/g, '')
    while (!this.isOver) {
      const answered = await send(this.port(), method, path as '/bug', body, { 'Idempotency-Key': key.slice(0, 255) })
      if (answered !== undefined && answered.status < 300) {
        this.noteWrite()
        return answered.body
      }
      if (answered?.status === 503) this.unavailable++
      else if (answered !== undefined) return void this.faults.push(`${method} ${path}: ${JSON.stringify(answered)}`)
      await sleep(50)
    }
    return undefined
  }

  private async read(id: number, whiteboard: string) {
    const answered = await send(this.port(), 'GET', `/bug/${id}`)
    this.reads++
    if (answered === undefined) return
    if (answered.status === 503) this.unavailable++
    else if (!JSON.stringify(answered.body).includes(whiteboard))
      this.faults.push(`bug ${id} was read without ${whiteboard}: ${answered.status}`)
  }

  private port(): number {
    return this.ports[Math.floor(Math.random() * this.ports.length)] as number
  }

  private noteWrite() {
    this.writes++
    this.longestGap = Math.max(this.longestGap, performance.now() - this.lastWrite)
    this.lastWrite = performance.now()
  }
}
