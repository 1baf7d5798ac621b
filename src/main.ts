import cluster from 'node:cluster'
import type { MadeUp } from './admin/first-start.ts'
import { type Config, readConfig, WrongSetting } from './platform/config.ts'
import { NewerDatabase } from './platform/database/migrate.ts'
import { listen, prepare, withoutPassword } from './serve.ts'

let databaseUrl = ''
await main().catch(giveUp)

async function main() {
  const config = readConfig()
  databaseUrl = config.databaseUrl
  if (config.processes === 1) await runAlone(config)
  else if (cluster.isPrimary) await runMany(config)
  else await runAsOneOfMany(config)
}

async function runAlone(config: Config) {
  const { db, madeUp } = await prepare(config)
  const server = await listen(config, db)
  tell(madeUp)
  console.log(`Lacewing listens on ${server.address}`)
  onTermination(() => server.end())
}

/** Prepares the database once, then starts the processes that serve, and starts them again when they fall. */
async function runMany(config: Config) {
  const { db, madeUp } = await prepare(config)
  await db.close()
  let isEnding = false
  let listening = 0
  cluster.on('exit', (worker, code) => {
    if (isEnding) return
    if (listening < config.processes && code === 1) process.exit(1)
    console.error(`Process ${worker.process.pid} ended (${code}); another takes its place.`)
    cluster.fork()
  })
  cluster.on('message', (_, address: string) => {
    if (++listening !== config.processes) return
    tell(madeUp)
    console.log(`Lacewing listens on ${address}`)
  })
  for (let started = 0; started < config.processes; started++) cluster.fork()
  onTermination(async () => {
    isEnding = true
    const workers = Object.values(cluster.workers ?? {})
    await Promise.all(workers.map((worker) => new Promise((resolve) => worker?.once('exit', resolve).kill('SIGTERM'))))
  })
}

async function runAsOneOfMany(config: Config) {
  const { db } = await prepare(config)
  const server = await listen(config, db)
  process.send?.(server.address)
  onTermination(() => server.end())
}

function tell(madeUp: MadeUp) {
  const lines = [
    madeUp.login && `login     ${madeUp.login}`,
    madeUp.password && `password  ${madeUp.password}`,
    madeUp.apiKey && `API key   ${madeUp.apiKey}`,
  ].filter((line) => line !== undefined)
  if (lines.length > 0)
    console.log(`The administrator was made; keep this, it is not told again:\n  ${lines.join('\n  ')}`)
}

function onTermination(end: () => Promise<void>) {
  let isEnding = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (isEnding) return
      isEnding = true
      end().then(() => process.exit(0), giveUp)
    })
  }
}

/** One readable sentence; a stack only for what nobody foresaw. */
function giveUp(fault: Error & { code?: string; port?: number }) {
  console.error(sentenceFor(fault) ?? fault)
  process.exit(1)
}

function sentenceFor(
  fault: Error & { code?: string; port?: number; address?: string; syscall?: string },
): string | undefined {
  if (fault instanceof WrongSetting || fault instanceof NewerDatabase) return fault.message
  if (fault.code === 'EADDRINUSE')
    return `The port ${fault.port} is taken by another program: choose another with LACEWING_PORT.`
  if (fault.code === 'EACCES' && fault.syscall === 'listen')
    return `The port ${fault.port} needs more rights: choose one over 1024 with LACEWING_PORT.`
  if (fault.code === 'EADDRNOTAVAIL')
    return `This machine has not the address ${fault.address}: choose another with LACEWING_HOST.`
  if (fault.code === 'ENOTFOUND' && fault.syscall === 'getaddrinfo')
    return 'The host name in LACEWING_HOST or LACEWING_DATABASE_URL is not known.'
  if (isDatabaseFault(fault))
    return `The database ${withoutPassword(databaseUrl)} cannot be used: ${fault.message || fault.code}.`
  return undefined
}

/** PostgreSQL's own error classes for a refused connection or login, and the system's for an unreachable server. */
function isDatabaseFault(fault: Error & { code?: string }) {
  return (
    /^(28|3D|08|57P)/.test(fault.code ?? '') ||
    ['ECONNREFUSED', 'ETIMEDOUT', 'EHOSTUNREACH', 'ERR_SQLITE_ERROR'].includes(fault.code ?? '')
  )
}
