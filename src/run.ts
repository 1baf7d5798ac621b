import cluster, { type Worker } from 'node:cluster'
import { linesOf } from './admin/first-login.ts'
import { messageFor, reasonOf } from './fault-sentences.ts'
import { type Config, readConfig, WrongSetting } from './platform/config/config.ts'
import type { Db } from './platform/database/db.ts'
import { type Log, logTo } from './platform/monitoring/log.ts'
import { relayMetrics } from './platform/monitoring/process-metrics.ts'
import { Restarts } from './platform/monitoring/restarts.ts'
import { containUncaught } from './platform/monitoring/uncaught.ts'
import type { OutputOptions } from './platform/output-options.ts'
import { claimFolders, type FirstLogin, prepare, waitForDatabase } from './prepare.ts'

const RECEIVE_MAIL = 'receive-mail'
/** From sysexits.h, as mail servers understand it. */
const TRY_AGAIN = 75
/** The pause before an ended process is replaced. */
const SHORTEST_PAUSE_MILLISECONDS = 500
const LONGEST_PAUSE_MILLISECONDS = 30_000

let databaseUrl = ''
let isReceivingMail = false
let printed: OutputOptions = {}

/** Runs a server, or takes one message; ends the process with one sentence if that is not possible. */
export async function run(words: readonly string[], options: OutputOptions = {}) {
  printed = options
  isReceivingMail = words[0] === RECEIVE_MAIL
  await main(words).catch(giveUp)
}

async function main(words: readonly string[]) {
  const command = readCommand(words)
  // No other user of the machine may read what the server writes.
  process.umask(0o077)
  const config = readConfig()
  databaseUrl = config.databaseUrl
  if (command === RECEIVE_MAIL) await receiveOne(config)
  else if (config.processes === 1) await runAlone(config)
  else if (cluster.isPrimary) await runMany(config)
  else await runAsOneOfMany(config)
}

function readCommand(words: readonly string[]): typeof RECEIVE_MAIL | undefined {
  const [first, ...more] = words
  if (first === undefined || (first === RECEIVE_MAIL && more.length === 0)) return first
  throw new WrongSetting(
    `The command line has ${JSON.stringify(words.join(' ').slice(0, 100))}, but the only command is ${RECEIVE_MAIL}. ` +
      'Other commands are run with npx lacewing. ' +
      'Settings are environment variables such as LACEWING_PORT: see docs/operating.md.',
  )
}

/**
 * Reads one message from standard input, as mail servers pass it to a program. After a temporary failure the mail
 * server tries again.
 */
async function receiveOne(config: Config) {
  // A server needs none of it, and each file that is loaded delays its start.
  const { receiveMail } = await import('./receive-mail.ts')
  const code = await receiveMail(config, process.stdin, printed).catch((fault: Error) => {
    printFault(messageFor(fault, databaseUrl), reasonOf(fault))
    return TRY_AGAIN
  })
  process.exit(code)
}

async function runAlone(config: Config) {
  claimFolders(config, 'server')
  await waitForDatabase(config)
  const { db, firstLogin } = await prepare(config, process.stdout.isTTY && !printed.json)
  // Shown at once: the generated credentials are in the database now, even if the port turns out to be in use.
  show(firstLogin)
  const server = await serve(config, db)
  endInGoodOrder(server, config, server.log)
  showStart(server.address, config, firstLogin)
}

/** The application is loaded only here: neither a start that fails nor the process that starts others needs it. */
async function serve(config: Config, db: Db) {
  const { listen } = await import('./serve.ts')
  return listen(config, db)
}

/** Prepares the database once, then starts the serving processes, and restarts those that end. */
async function runMany(config: Config) {
  claimFolders(config, 'server')
  await waitForDatabase(config)
  const { db, firstLogin } = await prepare(config, process.stdout.isTTY && !printed.json)
  await db.close()
  show(firstLogin)
  let isEnding = false
  let listening = 0
  const restarts = new Restarts(SHORTEST_PAUSE_MILLISECONDS, LONGEST_PAUSE_MILLISECONDS)
  const startedAt = new Map<number, number>()
  cluster.on('fork', ({ id }) => startedAt.set(id, performance.now()))
  cluster.on('exit', (worker, code) => {
    if (isEnding) return
    console.error(`Process ${worker.process.pid} ended (${code}); a new one is started.`)
    const lived = performance.now() - (startedAt.get(worker.id) ?? 0)
    startedAt.delete(worker.id)
    setTimeout(() => isEnding || cluster.fork(), restarts.pauseAfter(lived))
  })
  relayMetrics()
  cluster.on('message', (_, message: Message | object) => {
    if ('fault' in message) {
      if (listening === config.processes) return console.error(message.fault)
      // A fault at the start affects all processes; later ones are survived.
      printFault(message.fault, message.reason)
      endAtOnce()
    } else if ('address' in message && ++listening === config.processes) showStart(message.address, config, firstLogin)
  })
  for (let started = 0; started < config.processes; started++) cluster.fork()
  onTermination(logTo(), async () => {
    isEnding = true
    const workers = Object.values(cluster.workers ?? {})
    const ends = await Promise.all(workers.map(endedInGoodOrder))
    return ends.every(Boolean)
  })
}

/** A process that is still starting has nothing to finish: the signal ends it. */
function endedInGoodOrder(worker: Worker | undefined) {
  return new Promise<boolean>((resolve) =>
    worker?.once('exit', (code, signal) => resolve(code === 0 || signal === 'SIGTERM')).process.kill('SIGTERM'),
  )
}

/** No process serves clients yet, so all are ended without a message. */
function endAtOnce() {
  for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGKILL')
  process.exit(1)
}

/** The messages of a serving process to the primary process. */
type Message = { address: string } | { fault: string; reason: string | undefined }

async function runAsOneOfMany(config: Config) {
  claimFolders(config, 'worker')
  await waitForDatabase(config)
  const { db } = await prepare(config)
  const server = await serve(config, db)
  endInGoodOrder(server, config)
  process.send?.({ address: server.address } satisfies Message)
}

function show({ generated, file }: FirstLogin) {
  if (printed.json) return
  const lines = linesOf(generated)
  if (file !== undefined)
    console.log(`Administrator created. Its credentials are in ${file}: save them, then delete the file.`)
  else if (lines.length > 0)
    console.log(`Administrator created. Save these credentials: they are shown only once.\n${lines.join('\n')}`)
}

/** Shows both addresses: the base URL of a server is often that of a proxy. */
function showStart(address: string, { baseUrl = address }: Config, { file = null }: { file?: string | null }) {
  if (printed.json) return console.log(JSON.stringify({ address, base_url: baseUrl, first_login_file: file }))
  if (printed.quiet) return
  const reached = baseUrl === address ? '' : ` and is reached at ${baseUrl}`
  console.log(`Lacewing listens on ${address}${reached}`)
}

/** On a signal, or after an uncaught exception. `log` is undefined for one of several processes: the primary one logs their end. */
function endInGoodOrder(server: Awaited<ReturnType<typeof serve>>, { limits }: Config, log?: Log) {
  onTermination(log, async () => {
    await server.end()
    return true
  })
  containUncaught(server.log, (code) => {
    setTimeout(() => process.exit(code), limits.drainMilliseconds * 2)
    server.end().finally(() => process.exit(code))
  })
}

/** `end` returns whether everything has ended in good order. */
function onTermination(log: Log | undefined, end: () => Promise<boolean>) {
  let isEnding = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (isEnding) return
      isEnding = true
      log?.info('server ending', { signal })
      endAndLog(log, end).then(() => process.exit(0), giveUp)
    })
  }
}

async function endAndLog(log: Log | undefined, end: () => Promise<boolean>) {
  const began = performance.now()
  // It is written now: ending may take long, or fail.
  await log?.flush()
  const isInGoodOrder = await end()
  const facts = { ms: Math.round(performance.now() - began) }
  if (isInGoodOrder) log?.info('server ended', facts)
  else log?.error('server ended, but not every process in good order', facts)
  await log?.flush()
}

/** On standard error; with --json also as the one document. */
function printFault(message: string, reason: string | undefined) {
  console.error(message)
  if (printed.json) console.log(JSON.stringify({ error: message, reason }))
}

function giveUp(fault: Error) {
  const message = messageFor(fault, databaseUrl)
  const reason = reasonOf(fault)
  if (cluster.isWorker) return void process.send?.({ fault: message, reason } satisfies Message, () => process.exit(1))
  printFault(message, reason)
  // A wrong setting is soon corrected, so the message should not be returned to its sender.
  process.exit(isReceivingMail ? TRY_AGAIN : 1)
}
