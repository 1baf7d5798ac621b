import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { startServer } from '../bench/processes.ts'
import { mustSend } from './client.ts'
import { type Engine, makeStorage } from './storage.ts'

const ACCOUNTS = 20
const ROUNDS = 200
const WARM_UP = 40
const MOST_RATIO = 1.2

interface Measured {
  milliseconds: number
  /** Processor time, which does not depend on what else the machine does. */
  processor: number
}

/**
 * Whether an account exists must not show in the time of a response: logging in, a forgotten password, and joining, with addresses that
 * have an account and with others, in turn. Compares the medians of the time and of the processor time.
 */
export async function soakAccountTimes(engine: Engine): Promise<boolean> {
  const place = await makeStorage(engine)
  const server = await startServer(place.folder, place.environment)
  try {
    const parameters = { createemailregexp: '.*', account_mails_per_address: 1_000_000, inbound_proxies: '127.0.0.1' }
    await mustSend(server.port, 'PUT', '/parameters', { ...parameters, rate_limit_anonymous: 0 })
    await mustSend(server.port, 'PUT', '/parameters', { account_mails_per_network: 1_000_000 })
    const known = Array.from({ length: ACCOUNTS }, (_, index) => `known-user-${index}@example.com`)
    const unknown = Array.from({ length: ACCOUNTS }, (_, index) => `other-user-${index}@example.com`)
    for (const email of known) await mustSend(server.port, 'POST', '/user', { email, password: 'a quiet afternoon' })
    const results = []
    for (const { name, call, isOfAllThreads } of CALLS) {
      const measure = (email: string) => measured(server.port, server.pid, isOfAllThreads, call(email))
      for (let round = 0; round < WARM_UP; round++) await measure((round % 2 ? known : unknown)[0] ?? '')
      const times = { known: [] as Measured[], unknown: [] as Measured[] }
      for (let round = 0; round < ROUNDS; round++) {
        const pair = [known[round % ACCOUNTS] ?? '', unknown[round % ACCOUNTS] ?? ''] as const
        // Each goes first as often as the other.
        const first = round % 2
        const one = await measure(pair[first === 0 ? 0 : 1])
        const two = await measure(pair[first === 0 ? 1 : 0])
        times.known.push(first === 0 ? one : two)
        times.unknown.push(first === 0 ? two : one)
      }
      results.push(compare(`${name} (${engine})`, times))
    }
    return results.every(Boolean)
  } finally {
    await server.kill()
    await place.remove()
  }
}

interface AccountRequest {
  method: string
  path: string
  body?: object
}

/** Mail is written in a thread of its own, after the response. Passwords are checked in other threads, before it. */
const CALLS: readonly { name: string; isOfAllThreads: boolean; call(email: string): AccountRequest }[] = [
  {
    name: 'logging in',
    isOfAllThreads: true,
    call: (login) => ({
      method: 'GET',
      path: `/rest/login?${new URLSearchParams({ login, password: 'a wrong password' })}`,
    }),
  },
  {
    name: 'a forgotten password',
    isOfAllThreads: false,
    call: (login) => ({ method: 'POST', path: '/rest/account/password', body: { login } }),
  },
  {
    name: 'joining',
    isOfAllThreads: false,
    call: (email) => ({ method: 'POST', path: '/rest/account', body: { email } }),
  },
]

function compare(name: string, { known, unknown }: { known: Measured[]; unknown: Measured[] }): boolean {
  const ratios = (['milliseconds', 'processor'] as const).map((part) => {
    const [one, other] = [known, unknown].map((list) => median(list.map((it) => it[part]))) as [number, number]
    const ratio = Math.max(one, other) / Math.min(one, other)
    return { ratio, text: `${one.toFixed(2)} and ${other.toFixed(2)} ms, ratio ${ratio.toFixed(2)}` }
  })
  console.log(`account-times: ${name}: known and unknown ${ratios[0]?.text}; of processor ${ratios[1]?.text}`)
  return ratios.every(({ ratio }) => ratio <= MOST_RATIO)
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

let clients = 0

/** Every request comes from a client of its own, because attempts from one are limited. */
async function measured(port: number, pid: number, isOfAllThreads: boolean, sent: AccountRequest): Promise<Measured> {
  const address = `198.18.${(++clients >> 8) & 255}.${clients & 255}`
  const before = processorNanoseconds(pid, isOfAllThreads)
  const began = performance.now()
  await send(port, address, sent)
  const milliseconds = performance.now() - began
  return { milliseconds, processor: (processorNanoseconds(pid, isOfAllThreads) - before) / 1e6 }
}

/** Of the thread that answers requests, or of all threads. */
function processorNanoseconds(pid: number, isOfAllThreads: boolean): number {
  const threads = isOfAllThreads ? readdirSync(`/proc/${pid}/task`) : [String(pid)]
  return threads.reduce((sum, thread) => sum + nanosecondsOf(`/proc/${pid}/task/${thread}/schedstat`), 0)
}

/** A thread may have ended since it was listed. */
function nanosecondsOf(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8').split(' ')[0])
  } catch {
    return 0
  }
}

function send(port: number, address: string, { method, path, body }: AccountRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'X-Forwarded-For': address, 'Content-Type': 'application/json' }
    const sent = request({ host: '127.0.0.1', port, method, path, headers }, (response) => {
      const isExpected = response.statusCode === 202 || response.statusCode === 401
      response.resume()
      response.on('end', () => (isExpected ? resolve() : reject(new Error(`${path}: ${response.statusCode}`))))
    })
    sent.on('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
