import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { administrator, COMPANY } from './organisation.ts'
import { Ended, Server } from './server.ts'
import { type Person, setUp } from './set-up.ts'
import { Refused, Tracker } from './tracker.ts'

/** `npm run demo`: a server with a small organisation in it, until it is told to end. */
const given = process.env.LACEWING_DATA?.trim()
const folder = given ? resolve(given) : mkdtempSync(join(tmpdir(), 'lacewing-demo-'))
if (existsSync(folder) && readdirSync(folder).length > 0)
  giveUp(`The folder ${folder} is not empty: the demo needs one that is, or none at all.`)

const login = process.env.LACEWING_ADMIN_LOGIN?.trim() || administrator.login
const password = process.env.LACEWING_ADMIN_PASSWORD || randomBytes(6).toString('hex')
const apiKey = process.env.LACEWING_ADMIN_API_KEY?.trim() || randomBytes(30).toString('base64url')
const server = new Server({
  LACEWING_DATA: folder,
  LACEWING_ADMIN_LOGIN: login,
  LACEWING_ADMIN_PASSWORD: password,
  LACEWING_ADMIN_API_KEY: apiKey,
  // The set-up goes to the address that the server listens on, which another one would hide.
  LACEWING_BASE_URL: '',
})

let isEnding = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    isEnding = true
    server.end()
  })
}

try {
  const address = await server.listening()
  const tracker = new Tracker(address, apiKey)
  await requireEmpty(tracker)
  const people = await setUp(tracker, login, password)
  tell(address, [{ ...administrator, login, apiKey }, ...people])
  // The server gathers lines of its log for a moment; those of the set-up are of no interest.
  await sleep(300)
  server.showLog()
} catch (fault) {
  server.end()
  await server.ended
  removeOwnFolder()
  if (!isEnding) giveUp(fault instanceof Refused || fault instanceof Ended ? fault.message : fault)
}

const code = await server.ended
removeOwnFolder()
process.exit(isEnding ? 0 : code || 1)

/** The key was given to a database without people; one that had some does not know it. */
async function requireEmpty(tracker: Tracker) {
  await tracker.get('/whoami').catch((fault) => {
    throw fault instanceof Refused ? new Refused('The database is not empty: the demo needs one that is.') : fault
  })
}

function tell(address: string, people: readonly Person[]) {
  const widest = (part: (person: Person) => string) => Math.max(...people.map((person) => part(person).length))
  const [logins, keys] = [widest((person) => person.login), widest((person) => person.apiKey)]
  const lines = people.map(
    (person) => `  ${person.login.padEnd(logins)}  ${person.apiKey.padEnd(keys)}  ${person.name}, who ${person.about}`,
  )
  console.log(
    [
      `${COMPANY} is set up on ${address}`,
      '',
      `  ${'login'.padEnd(logins)}  ${'API key'.padEnd(keys)}  who`,
      ...lines,
      '',
      `Everybody’s password is ${password}`,
      `The calls are described on ${address}/rest/docs. For a start:`,
      '',
      `  curl -H 'X-TRACKER-API-KEY: ${people[1]?.apiKey}' '${address}/rest/product?include_fields=name,classification'`,
      '',
      given ? `The data stay in ${folder}. Ctrl-C ends the server.` : 'Ctrl-C ends the server; nothing of it stays.',
    ].join('\n'),
  )
}

function removeOwnFolder() {
  if (!given) rmSync(folder, { recursive: true, force: true })
}

function giveUp(why: unknown): never {
  console.error(why)
  process.exit(1)
}
