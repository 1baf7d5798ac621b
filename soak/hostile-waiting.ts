import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { ADMIN } from '../bench/processes.ts'
import { many } from '../test/support/hostile-requests.ts'
import { type Account, attempt, type HostileContext } from './hostile-context.ts'
import type { HostileTally } from './hostile-tally.ts'

const LOGINS = 'wrong passwords from as many networks'
const UNREAD = 'responses that nobody reads'

const WRONG_LOGINS = 150
const CALLERS = 8
const CONNECTIONS_OF_EACH = 40
/** On a busy machine it takes long until all have a response, or are refused. */
const LONGEST_MILLISECONDS = 60_000
const SETTLED_MILLISECONDS = 8000
/** The limit of all, from docs/operating.md. */
const MOST_UNREAD_BYTES = 256 * 1024 * 1024

/**
 * Wrong passwords from 150 networks for 150 accounts. Beside them, a right one from a network of an earlier login must be checked before half
 * of them, and a first one that comes last as well. Spaces make a password that was not checked yet: one that was is remembered.
 */
export async function floodFromManyNetworks(context: HostileContext) {
  const { accounts, round, tally } = context
  const [known, first] = accounts as [Account, Account]
  let answered = 0
  const login = async (name: string, password: string, from: string) => {
    const headers = { 'X-Forwarded-For': from }
    const query = new URLSearchParams({ login: name, password })
    const { status } = await attempt(context, { kind: LOGINS, method: 'GET', path: `/login?${query}`, headers })
    return { status, place: answered++ }
  }
  const network = 10 + round
  await login(known.login, `${known.password}${' '.repeat(2 * round)}`, `10.${network}.0.1`)
  answered = 0
  const unknownCallers = (count: number, block: number) =>
    many(count, (number) =>
      login(`unknown${round}-${block}-${number}@example.org`, 'wrong', `10.${100 + 10 * round + block}.${number}.1`),
    )
  const wrong = unknownCallers(WRONG_LOGINS / 2, 1)
  await sleep(50)
  const right = [login(known.login, `${known.password}${' '.repeat(2 * round + 1)}`, `10.${network}.0.2`)]
  wrong.push(...unknownCallers(WRONG_LOGINS / 2, 2))
  await sleep(50)
  right.push(login(first.login, `${first.password}${' '.repeat(round)}`, `10.${50 + round}.0.1`))
  for (const [place, who] of ['a known network', 'a first login'].entries()) {
    const outcome = await right[place]
    if (outcome?.status !== 200) tally.fail(LOGINS, `${who} got ${outcome?.status}`)
    else if (outcome.place > WRONG_LOGINS / 2) tally.fail(LOGINS, `${who} was served after ${outcome.place} others`)
    tally.count(LOGINS, `${who} was served after ${outcome?.place} others`)
  }
  await Promise.all(wrong)
}

/** Very many connections of several callers that ask for long lists and read nothing: the server holds no more than its limit. */
export async function leaveResponsesUnread(context: HostileContext) {
  const { port, accounts, bugs, tally } = context
  const paths = [`/bug/${bugs.withComments}/comment`, '/bug?limit=0&include_fields=_all,_extra']
  const sockets: Socket[] = []
  for (const caller of many(CALLERS, (number) => number))
    for (let number = 0; number < CONNECTIONS_OF_EACH; number++) {
      const account = accounts[caller]
      const who = account === undefined ? `X-Forwarded-For: 192.0.${caller}.1` : `X-TRACKER-API-KEY: ${account.key}`
      sockets.push(ask(port, `GET /rest${paths[number % paths.length]} HTTP/1.1\r\nHost: x\r\n${who}\r\n\r\n`))
      tally.count(UNREAD, 'opened')
    }
  let [bytes, responses] = [0, 0]
  const until = performance.now() + LONGEST_MILLISECONDS
  let settled = until
  while (performance.now() < Math.min(until, settled)) {
    await sleep(250)
    const held = await unreadIn(port, tally)
    if (held.responses > responses || held.bytes > bytes) settled = performance.now() + SETTLED_MILLISECONDS
    bytes = Math.max(bytes, held.bytes)
    responses = Math.max(responses, held.responses)
  }
  for (const socket of sockets) socket.destroy()
  tally.count(UNREAD, `at most ${Math.round(bytes / 1024 / 1024)} MiB of ${responses} responses`)
  if (bytes > MOST_UNREAD_BYTES) tally.fail(UNREAD, `${bytes} bytes were held, more than ${MOST_UNREAD_BYTES}`)
  if (bytes === 0) tally.fail(UNREAD, 'nothing was held, so nothing was tested')
  await sleep(1000)
  await attempt(context, { kind: UNREAD, method: 'GET', path: '/bug?limit=100' })
}

/** A connection that sends a request and never reads. */
function ask(port: number, text: string): Socket {
  const socket = connect(port, '127.0.0.1', () => socket.write(text))
  socket.pause()
  socket.on('error', () => {})
  return socket
}

async function unreadIn(port: number, tally: HostileTally): Promise<{ bytes: number; responses: number }> {
  const headers = { 'X-TRACKER-API-KEY': ADMIN.LACEWING_ADMIN_API_KEY }
  const response = await fetch(`http://127.0.0.1:${port}/metrics`, { headers })
  const text = await response.text()
  if (response.status !== 200)
    tally.fail(UNREAD, `the metrics cannot be read: ${response.status} ${text.slice(0, 200)}`)
  const figure = (name: string) => Number(new RegExp(`^${name}(?:\\{\\S*\\})? (\\S+)`, 'm').exec(text)?.[1] ?? 0)
  return { bytes: figure('lacewing_unread_bytes'), responses: figure('lacewing_unread_responses') }
}
