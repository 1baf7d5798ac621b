import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { many } from '../test/support/hostile-requests.ts'
import { type Account, attempt, type HostileContext } from './hostile-context.ts'

const LOGINS = 'wrong passwords from one address'
const NETWORK = 'many addresses of one IPv6 network'
const RESETS = 'the connection is reset while a response is sent'
const BROKEN = 'requests that are not HTTP'

const WRONG_LOGINS = 150
const ALLOWED_IN_A_MINUTE = 600
/** More than two minutes allow: the minute may end in between, and then as many again are allowed. */
const MOST_ADDRESSES = 2 * ALLOWED_IN_A_MINUTE + 10

/** Wrong passwords from one place, and a right one from another. Returns how long the right one took, in milliseconds. */
export async function floodWithLogins(context: HostileContext): Promise<number> {
  const { accounts, round, tally } = context
  const account = accounts[1] as Account
  const login = (name: string, password: string, from: string) =>
    attempt(context, {
      kind: LOGINS,
      method: 'GET',
      path: `/login?login=${encodeURIComponent(name)}&password=${password}`,
      headers: { 'X-Forwarded-For': from },
    })
  const wrong = many(WRONG_LOGINS, (number) =>
    login(`nobody${number}@example.org`, 'wrong-password', `203.0.113.${round}`),
  )
  await sleep(100)
  const started = performance.now()
  const right = await login(account.login, account.password, '198.51.100.9')
  const milliseconds = performance.now() - started
  if (right.status !== 200) tally.fail(LOGINS, `the right password got ${right.status} ${right.text.slice(0, 200)}`)
  await Promise.all(wrong)
  return milliseconds
}

/** All addresses of a /64 count as one, for the rate limit and for lockouts. */
export async function useManyAddresses(context: HostileContext) {
  const { accounts, round, tally } = context
  const from = (number: number) => ({ 'X-Forwarded-For': `2001:db8:${round}::${number.toString(16)}` })
  const locked = accounts[2] as Account
  for (let number = 1; number <= 8; number++) {
    const path = `/login?login=${encodeURIComponent(locked.login)}&password=wrong`
    const { status } = await attempt(context, { kind: NETWORK, method: 'GET', path, headers: from(number) })
    if (number > 5 && status !== 400 && status !== 503) tally.fail(NETWORK, `guess ${number} got ${status}`)
  }
  for (let number = 0; number < MOST_ADDRESSES; number += 10) {
    const outcomes = await Promise.all(
      many(10, (at) =>
        attempt(context, { kind: NETWORK, method: 'GET', path: '/parameters', headers: from(9 + number + at) }),
      ),
    )
    if (outcomes.some(({ status }) => status === 429)) return
  }
  tally.fail(NETWORK, 'the rate limit did not count the network')
}

/** Clients that reset their connection in the middle of a response or of their own request. */
export async function resetConnections(context: HostileContext) {
  const { port, bugs, accounts, tally } = context
  const paths = [
    '/bug?limit=0',
    '/bug?limit=0&ctype=csv',
    `/bug/${bugs.withComments}/comment`,
    '/openapi.json',
    '/event',
  ]
  for (const account of [undefined, accounts[0]])
    for (const accept of ['application/json', 'text/html', 'text/event-stream'])
      for (const path of paths) {
        const key = account === undefined ? '' : `X-TRACKER-API-KEY: ${account.key}\r\n`
        await resetAfter(port, `GET /rest${path} HTTP/1.1\r\nHost: x\r\nAccept: ${accept}\r\n${key}\r\n`)
        tally.count(RESETS, 'reset')
      }
  const head = 'POST /rest/bug HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n'
  for (const text of [head, `${head}{"product":`, 'GET /rest/version HTTP/1.1\r\nHos', ''])
    await resetAfter(port, text, 50).then(() => tally.count(RESETS, 'reset'))
  await attempt(context, { kind: RESETS, method: 'GET', path: '/version' })
}

/** Bytes that no HTTP client would send. */
export async function sendBrokenRequests(context: HostileContext) {
  const broken = [
    'nonsense\r\n\r\n',
    'GET /rest/version HTTP/9.9\r\nHost: x\r\n\r\n',
    'GET /rest/\u0000 HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET http://[::1 HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET /rest/bug/%ff%fe HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'GET //rest//version HTTP/1.1\r\nHost: \r\nConnection: close\r\n\r\n',
    'POST /rest/bug HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\nzz\r\n',
    'POST /rest/bug HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nfffffffff\r\n',
    `GET /rest/version HTTP/1.1\r\nHost: x\r\n${'X-A: b\r\n'.repeat(3000)}\r\n`,
    `GET /rest/${'a/'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
  ]
  for (const bytes of broken) {
    const status = await statusOf(context.port, bytes)
    context.tally.count(BROKEN, status)
    if (status.startsWith('5') && status !== '505')
      context.tally.fail(BROKEN, `${JSON.stringify(bytes.slice(0, 60))}: ${status}`)
  }
}

/** Resets the connection with the first bytes of the response, or after so long. */
function resetAfter(port: number, text: string, milliseconds = 2000): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    const reset = () => socket.resetAndDestroy()
    const timer = setTimeout(reset, milliseconds)
    socket.once('data', reset)
    socket.on('error', () => {})
    socket.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

function statusOf(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    const timer = setTimeout(() => socket.destroy(), 2000)
    socket.on('data', (chunk) => (text += chunk))
    socket.on('error', () => {})
    socket.once('close', () => {
      clearTimeout(timer)
      resolve(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 'closed')
    })
  })
}
