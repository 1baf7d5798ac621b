import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { makeBugs } from './bug-set.ts'
import type { Target } from './load.ts'
import { postgresOf } from './postgres-set.ts'
import { ADMIN, answeringTimeOf, type Loader, processorTimeOf, type Server, startServer } from './processes.ts'

const KEY = { 'X-TRACKER-API-KEY': ADMIN.LACEWING_ADMIN_API_KEY }
const BUGS = 2000
const CONNECTIONS = 8
const LOOK_EVERY_MILLISECONDS = 50
const NO_MAIL = "update users set email_enabled = 0 where login <> 'admin@bench.test'"

/**
 * `npm run bench -- mails`: changes of bugs that four users get mail about, sent to a mail server in another process. First changes are made as
 * fast as possible for some seconds, in turns on a server that sends mail and on one that sends none; then the rest of the mail is waited
 * for. Processor time is that of all threads except the one that serves requests. Arguments: `postgres` for the other engine,
 * `seconds=`, `rounds=`.
 */
export async function showMails(loader: Loader, args: readonly string[]) {
  const seconds = numberIn(args, 'seconds', 3)
  const rounds = numberIn(args, 'rounds', 3)
  const receiver = await startMailReceiver()
  const servers: MailServer[] = []
  try {
    for (const sends of [true, false])
      servers.push(await startMailServer(sends, receiver.port, args.includes('postgres')))
    const titles = ['mails/s', 'CPU ms', 'afterwards', 'CPU ms', 'writes/s', 'without', 'ratio']
    console.log(`${'round'.padEnd(8)}${titles.map((title) => title.padStart(12)).join('')}`)
    for (let round = 1; round <= rounds; round++) {
      const [withMail, without] = [await changed(servers[0], true), await changed(servers[1], false)]
      const { beside, after, writes } = withMail
      const figures = [beside.rate, beside.milliseconds, after.rate, after.milliseconds, writes, without.writes]
      const texts = [...figures.map((it) => it.toFixed(it < 10 ? 2 : 0)), (writes / without.writes).toFixed(2)]
      console.log(`${String(round).padEnd(8)}${texts.map((text) => text.padStart(12)).join('')}`)
    }
  } finally {
    for (const { stop } of servers) await stop()
    receiver.stop()
  }

  async function changed(place: MailServer | undefined, sends: boolean) {
    if (place === undefined) throw new Error('The server is missing')
    const before = await stateOf(place)
    const done = await loader.load(targetOn(place.server), { connections: CONNECTIONS, milliseconds: seconds * 1000 })
    const between = await stateOf(place)
    const expected = place.expected(done.requests)
    while (sends && (await receiver.received()) < expected) await pause(LOOK_EVERY_MILLISECONDS)
    const end = await stateOf(place)
    return { beside: speed(before, between), after: speed(between, end), writes: done.requests / done.seconds }
  }

  async function stateOf({ server: { pid } }: MailServer) {
    const processor = processorTimeOf(pid) - answeringTimeOf(pid)
    return { received: await receiver.received(), at: performance.now(), processor }
  }
}

interface State {
  received: number
  at: number
  processor: number
}

function speed(from: State, to: State) {
  const mails = to.received - from.received
  return {
    rate: (mails * 1000) / Math.max(1, to.at - from.at),
    milliseconds: mails === 0 ? 0 : ((to.processor - from.processor) * 1000) / mails,
  }
}

interface MailServer {
  server: Server
  /** How many mails there are in all when so many further changes are delivered. */
  expected(changes: number): number
  stop(): Promise<void>
}

/** Every change is made by the administrator, and the assignee, the reporter and two users on the CC list of each bug get mail about it. */
async function startMailServer(sends: boolean, port: number, isPostgres: boolean): Promise<MailServer> {
  const folder = mkdtempSync(join(tmpdir(), 'lacewing-bench-'))
  await makeBugs(folder, BUGS)
  const database = new DatabaseSync(join(folder, 'lacewing.db'))
  database.exec(setPeople(database))
  if (!sends) database.exec(NO_MAIL)
  database.close()
  const postgres = isPostgres ? await postgresOf(folder) : undefined
  const server = await startServer(folder, {
    LACEWING_SMTP_URL: `smtp://127.0.0.1:${port}?ignoreTLS=true`,
    ...(postgres && { LACEWING_DATABASE_URL: postgres.url }),
  })
  let changes = 0
  return {
    server,
    expected(more) {
      changes += more
      return MAILS_A_CHANGE * changes
    },
    async stop() {
      await server.kill()
      await postgres?.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const MAILS_A_CHANGE = 4

/** Four different users for each bug. */
function setPeople(database: DatabaseSync): string {
  const { first } = database.prepare("select id as first from users where login = 'person0@bench.test'").get() as {
    first: number
  }
  const user = (step: number) => `${first} + (id * 7 + ${step}) % 300`
  return `update bugs set creator_id = ${user(0)}, assigned_to_id = ${user(1)}, qa_contact_id = null;
    delete from bug_cc;
    insert into bug_cc (bug_id, user_id) select id, ${user(2)} from bugs union all select id, ${user(3)} from bugs;
    delete from bug_dependencies; delete from watched_users`
}

function targetOn({ port }: Server): Target {
  const body = JSON.stringify({ whiteboard: 'written by {n}', comment: { body: 'Said with {n}, see bug 7.' } })
  return { host: '127.0.0.1', port, headers: KEY, most: BUGS, path: '/rest/bug/{id}', method: 'PUT', body }
}

/** A mail server in another process, which counts what it receives. */
export async function startMailReceiver() {
  const child = fork(fileURLToPath(new URL('./mail-receiver.ts', import.meta.url)))
  const answer = () =>
    new Promise<Record<string, number>>((resolve) => child.once('message', (it) => resolve(it as never)))
  const { port = 0 } = await answer()
  return {
    port,
    async received() {
      child.send('count')
      return (await answer()).received ?? 0
    },
    stop: () => void child.kill('SIGKILL'),
  }
}

function numberIn(args: readonly string[], name: string, usual: number) {
  return Number(args.find((arg) => arg.startsWith(`${name}=`))?.slice(name.length + 1) ?? usual)
}

function pause(milliseconds: number) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
