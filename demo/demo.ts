import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { RestError } from '../client/rest-error.ts'
import { prepareDataFolder, readConfig, WrongSetting } from '../src/platform/config/config.ts'
import { makePast, Stopped } from './past.ts'
import { administrator, COMPANY } from './people.ts'
import { Ended, Server } from './server.ts'
import type { Person } from './set-up.ts'

/** `npm run demo`: a server with a made-up company and a year of its bugs, until it is stopped. */
const given = process.env.LACEWING_DATA?.trim()
const folder = given ? resolve(given) : mkdtempSync(join(tmpdir(), 'lacewing-demo-'))

const login = process.env.LACEWING_ADMIN_LOGIN?.trim() || administrator.login
const password = process.env.LACEWING_ADMIN_PASSWORD || randomBytes(6).toString('hex')
const apiKey = process.env.LACEWING_ADMIN_API_KEY?.trim() || randomBytes(30).toString('base64url')
const settings = {
  LACEWING_DATA: folder,
  LACEWING_ADMIN_LOGIN: login,
  LACEWING_ADMIN_PASSWORD: password,
  LACEWING_ADMIN_API_KEY: apiKey,
}

let server: Server | undefined
let isEnding = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    isEnding = true
    server?.end()
  })
}

try {
  const config = readConfig({ ...process.env, ...settings })
  prepareDataFolder(config)
  console.error('Creating a year of bugs …')
  const people = await makePast(config, () => isEnding)
  server = new Server(settings)
  const address = await server.listening()
  tell(address, [{ ...administrator, login, apiKey }, ...people])
  // The server buffers its log for a moment; the lines of the start are skipped.
  await sleep(300)
  server.showLog()
} catch (fault) {
  server?.end()
  await server?.ended
  removeOwnFolder()
  if (isEnding || fault instanceof Stopped) process.exit(0)
  giveUp(fault instanceof RestError || fault instanceof Ended || fault instanceof WrongSetting ? fault.message : fault)
}

const code = await server.ended
removeOwnFolder()
process.exit(isEnding ? 0 : code || 1)

function tell(address: string, people: readonly Person[]) {
  const widest = (part: (person: Person) => string) => Math.max(...people.map((person) => part(person).length))
  const [logins, keys] = [widest((person) => person.login), widest((person) => person.apiKey)]
  const lines = people.map(
    (person) => `  ${person.login.padEnd(logins)}  ${person.apiKey.padEnd(keys)}  ${person.name}, who ${person.about}`,
  )
  const key = `-H 'X-TRACKER-API-KEY: ${people[1]?.apiKey}'`
  console.log(
    [
      `${COMPANY} is running on ${address}`,
      '',
      `  ${'login'.padEnd(logins)}  ${'API key'.padEnd(keys)}  who`,
      ...lines,
      '',
      `The password of all users is ${password}`,
      `The calls are described on ${address}/rest/docs. For a start:`,
      '',
      `  curl ${key} '${address}/rest/bug?quicksearch=battery&include_fields=id,status,summary'`,
      `  curl ${key} '${address}/rest/report?x_axis_field=status&y_axis_field=product'`,
      '',
      whatStays(),
    ].join('\n'),
  )
}

function whatStays() {
  if (given) return `The data stays in ${folder}. Ctrl-C ends the server.`
  return process.env.LACEWING_DATABASE_URL?.trim()
    ? 'Ctrl-C ends the server; the bugs stay in its database, the contents of attachments only if LACEWING_DATA is set.'
    : 'Ctrl-C ends the server and deletes its data.'
}

function removeOwnFolder() {
  if (!given) rmSync(folder, { recursive: true, force: true })
}

function giveUp(why: unknown): never {
  console.error(why)
  process.exit(1)
}
