import { type ChildProcess, fork } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { MixedCallers } from './mix.ts'
import type { OpenFigures, OpenLoad } from './open-load.ts'
import { keptPostgresOf } from './postgres-set.ts'
import { clientOf, type Server, startServer } from './processes.ts'
import { reusableSet } from './search-set.ts'

const USERS = 40
const BUGS = 20_000

export interface MixedFigures extends OpenFigures {
  /** Of the process that sends. */
  processorSeconds: number
}

/** A server with bugs and users for the mixed load, and a process that sends it. */
export interface MixedServer {
  server: Server
  callers: MixedCallers
  send(load: Pick<OpenLoad, 'rate' | 'milliseconds'> & { mostConnections?: number }): Promise<MixedFigures>
  stop(): Promise<void>
}

export async function startMixedServer(
  engine: 'sqlite' | 'postgres',
  more: Record<string, string> = {},
): Promise<MixedServer> {
  const folder = mkdtempSync(join(tmpdir(), 'lacewing-mixed-'))
  const set = await reusableSet(tmpdir(), BUGS)
  cpSync(set, folder, { recursive: true })
  const postgres = engine === 'postgres' ? await keptPostgresOf(set, 'writes') : undefined
  const server = await startServer(folder, { ...(postgres && { LACEWING_DATABASE_URL: postgres.url }), ...more })
  const keys = await makeUsers(server)
  const callers = { port: server.port, keys, bugs: BUGS }
  const sender = fork(fileURLToPath(new URL('./open-load-process.ts', import.meta.url)), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  return {
    server,
    callers,
    send: (load) => sent(sender, { mostConnections: 1000, ...callers, ...load }),
    async stop() {
      sender.kill('SIGKILL')
      await server.kill()
      await postgres?.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function sent(sender: ChildProcess, load: OpenLoad): Promise<MixedFigures> {
  return new Promise((resolve) => {
    sender.once('message', (figures) => resolve(figures as MixedFigures))
    sender.send(load)
  })
}

/** Without limits by caller, because the few callers of this load stand for many. */
async function makeUsers(server: Server): Promise<string[]> {
  const admin = clientOf(server)
  await admin.put('/parameters', {
    ...{ rate_limit_anonymous: 0, rate_limit_anonymous_searches: 0, rate_limit_signed_in: 0 },
    inbound_proxies: '127.0.0.1',
    usestatuswhiteboard: true,
  })
  const keys: string[] = []
  for (let number = 0; number < USERS; number++) {
    const user = `person${number}@bench.test`
    await admin.put('/user/:ref', { ref: user, groups: { add: ['editbugs'] } })
    keys.push((await admin.post('/user/:user/api_key', { user })).api_key)
  }
  return keys
}
