import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { makeBugs } from './bug-set.ts'
import { startMailReceiver } from './mails.ts'
import { postgresOf } from './postgres-set.ts'
import { ADMIN, type Loader, type Server, startServer } from './processes.ts'

const KEY = { 'X-TRACKER-API-KEY': ADMIN.LACEWING_ADMIN_API_KEY }
const BUGS = 2000
const WATCHERS = 1000
const CONNECTIONS = 8
const CHANGES_A_SECOND = 100
const LATENCIES = 10
const OWNER = 'person1@bench.test'
const WATCHER = 'watcher1@bench.test'
const COPIED = 'watcher2@bench.test'
const PEOPLE_KEY = 'k'.repeat(40)

/**
 * `npm run bench -- inbox`: changes of bugs whose components have a thousand watchers, in turns on a server with the watchers and on one
 * without: writes a second, then, at 100 changes a second, the time until the inboxes of a watcher and of a user on a CC list show a change, and what is
 * stored. The watchers and one user on all CC lists get mail; with `quiet` nobody does. Other arguments: `postgres` for the other engine, `seconds=`, `rounds=`.
 */
export async function showInbox(loader: Loader, args: readonly string[]) {
  const seconds = numberIn(args, 'seconds', 3)
  const rounds = numberIn(args, 'rounds', 5)
  const places: Place[] = []
  const receiver = await startMailReceiver()
  try {
    const kind = { isPostgres: args.includes('postgres'), smtpPort: args.includes('quiet') ? undefined : receiver.port }
    for (const isWatched of [true, false]) places.push(await startPlace({ isWatched, ...kind }))
    const [watched, plain] = places as [Place, Place]
    const ratios: number[] = []
    console.log('round   watched/s   without/s   ratio')
    for (let round = 1; round <= rounds; round++) {
      const [one, other] = [await writes(watched), await writes(plain)]
      ratios.push(one / other)
      console.log(
        `${round}`.padEnd(8),
        one.toFixed(0).padStart(8),
        other.toFixed(0).padStart(11),
        (one / other).toFixed(2).padStart(7),
      )
    }
    console.log(`median ratio ${median(ratios).toFixed(2)}`)
    for (const login of [WATCHER, COPIED]) {
      const times = await timesUntilShown(watched.server, login)
      console.log(
        `${login} at ${CHANGES_A_SECOND} changes/s: median ${median(times).toFixed(0)} ms, longest ${Math.max(...times).toFixed(0)} ms until the inbox shows a change`,
      )
    }
    for (const login of [WATCHER, COPIED]) {
      const begun = performance.now()
      const response = await fetch(`http://127.0.0.1:${watched.server.port}/rest/inbox?limit=0`, {
        headers: keyOf(login),
      })
      const { counts } = (await response.json()) as { counts: { open: number } }
      console.log(
        `GET /rest/inbox?limit=0 of ${login}: ${counts.open} entries, ${(performance.now() - begun).toFixed(0)} ms`,
      )
    }
    console.log(`mails received: ${await receiver.received()}`)
    for (const [name, place] of [['with watchers', watched] as const, ['without', plain] as const])
      console.log(`stored ${name}: ${await place.stored()}`)
  } finally {
    receiver.stop()
    for (const { stop } of places) await stop()
  }

  async function writes({ server }: Place) {
    const body = JSON.stringify({ whiteboard: 'written by {n}', comment: { body: 'Said with {n}.' } })
    const target = {
      host: '127.0.0.1',
      port: server.port,
      headers: KEY,
      most: BUGS,
      path: '/rest/bug/{id}',
      method: 'PUT' as const,
      body,
    }
    const done = await loader.load(target, { connections: CONNECTIONS, milliseconds: seconds * 1000 })
    return done.requests / done.seconds
  }
}

interface Place {
  server: Server
  /** How many rows it has of what grows with changes. */
  stored(): Promise<string>
  stop(): Promise<void>
}

const STORED = `select 'events' as what, count(*) as count from outbox union all select 'inbox entries', count(*) from inbox_entries
  union all select 'jobs of ' || queue, count(*) from jobs group by 1`

async function startPlace(kind: {
  isWatched: boolean
  isPostgres: boolean
  smtpPort: number | undefined
}): Promise<Place> {
  const { isWatched, isPostgres, smtpPort } = kind
  const folder = mkdtempSync(join(tmpdir(), 'lacewing-bench-'))
  await makeBugs(folder, BUGS)
  const file = join(folder, 'lacewing.db')
  const database = new DatabaseSync(file)
  addWatchers(database, isWatched, smtpPort !== undefined)
  database.close()
  const postgres = isPostgres ? await postgresOf(folder) : undefined
  const url = postgres?.url
  const server = await startServer(folder, {
    ...(url !== undefined && { LACEWING_DATABASE_URL: url }),
    ...(smtpPort !== undefined && { LACEWING_SMTP_URL: `smtp://127.0.0.1:${smtpPort}?ignoreTLS=true` }),
  })
  await setPasswords(server)
  return {
    server,
    async stored() {
      const rows = await rowsOf(file, url)
      return rows.map(({ what, count }) => `${count} ${what}`).join(', ')
    },
    async stop() {
      await server.kill()
      await postgres?.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function rowsOf(file: string, url: string | undefined): Promise<{ what: string; count: number }[]> {
  if (url === undefined) {
    const reader = new DatabaseSync(file, { readOnly: true })
    const rows = reader.prepare(STORED).all() as { what: string; count: number }[]
    reader.close()
    return rows
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(STORED)
  await client.end()
  return rows
}

/** The accounts are there on both servers; only what they watch differs. */
function addWatchers(database: DatabaseSync, isWatched: boolean, hasMail: boolean) {
  const columns = (database.prepare('select name from pragma_table_info(?)').all('users') as { name: string }[])
    .map(({ name }) => name)
    .filter((name) => name !== 'id')
  const values = columns.map((name) =>
    name === 'login' || name === 'login_key'
      ? "'watcher' || number || '@bench.test'"
      : name === 'nick' || name === 'nick_key'
        ? "'watcher' || number"
        : name,
  )
  database.exec(`update users set email_enabled = 0;
    with recursive numbers (number) as (select 1 union all select number + 1 from numbers where number < ${WATCHERS})
    insert into users (${columns.join()}) select ${values.join()} from numbers, users where login = '${OWNER}';
    delete from bug_cc; delete from watched_users;
    insert into bug_cc (bug_id, user_id) select bugs.id, users.id from bugs, users where users.login = '${COPIED}'`)
  if (hasMail) database.exec("update users set email_enabled = 1 where login like 'watcher%'")
  if (isWatched)
    database.exec(`insert into watches (user_id, component_id) select users.id, components.id
      from users, components where users.login like 'watcher%' and users.login <> '${COPIED}'`)
}

const keys = new Map<string, string>()

async function setPasswords({ port }: Server) {
  for (const login of [WATCHER, COPIED]) {
    const response = await fetch(`http://127.0.0.1:${port}/rest/user/${login}`, {
      method: 'PUT',
      headers: { ...KEY, 'Content-Type': 'application/json' },
      body: JSON.stringify({ password: PEOPLE_KEY }),
    })
    if (!response.ok) throw new Error(await response.text())
  }
}

function keyOf(login: string) {
  return { 'X-TRACKER-TOKEN': keys.get(login) ?? '' }
}

async function logIn({ port }: Server, login: string) {
  const query = new URLSearchParams({ login, password: PEOPLE_KEY })
  const response = await fetch(`http://127.0.0.1:${port}/rest/login?${query}`)
  const { token } = (await response.json()) as { token?: string }
  if (token === undefined) throw new Error(`${login} cannot log in`)
  keys.set(login, token)
}

/** While bugs are changed at a steady rate, comments on some and waits until the user's entry has the comment. */
async function timesUntilShown(server: Server, login: string): Promise<number[]> {
  await logIn(server, login)
  const base = `http://127.0.0.1:${server.port}/rest`
  const write = (id: number, text: string) =>
    fetch(`${base}/bug/${id}/comment`, {
      method: 'POST',
      headers: { ...KEY, 'Content-Type': 'application/json' },
      body: JSON.stringify({ comment: text }),
    }).then((response) => response.text())
  let number = 0
  const written: Promise<string>[] = []
  const writeNext = () => written.push(write(1 + (number++ % 1000), `Steady ${number}`))
  const steady = setInterval(writeNext, 1000 / CHANGES_A_SECOND)
  const times: number[] = []
  try {
    await pause(2000)
    for (let round = 0; round < LATENCIES; round++) {
      const text = `Looked for ${round} by ${login}`
      // None of them is restricted to a group, as every fiftieth from the seventh on.
      const id = 1510 + round
      await write(id, text)
      const begun = performance.now()
      for (;;) {
        const response = await fetch(`${base}/inbox/${id}?include_fields=last`, { headers: keyOf(login) })
        if ((await response.text()).includes(text)) break
        if (performance.now() - begun > 30_000) throw new Error('the inbox does not show it')
        await pause(20)
      }
      times.push(performance.now() - begun)
    }
  } finally {
    clearInterval(steady)
    // A slow engine has still to answer some of them when the last entry is shown.
    await Promise.all(written)
  }
  return times
}

function median(values: readonly number[]) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function numberIn(args: readonly string[], name: string, usual: number) {
  return Number(args.find((arg) => arg.startsWith(`${name}=`))?.slice(name.length + 1) ?? usual)
}
