import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { connectionTarget } from './postgres-address.ts'

const AGAIN_AFTER_MILLISECONDS = 500
const LONGEST_TRY_MILLISECONDS = 4000

/**
 * Returns when PostgreSQL accepts connections, which may start after the server; also if that has not happened in time, or waiting
 * would not help, so that the next connection fails with the reason.
 */
export async function waitForPostgres(url: string, seconds: number, onFirstFault: (reason: string) => void) {
  const until = performance.now() + seconds * 1000
  for (let tries = 0; ; tries++) {
    const fault = await faultOfConnecting(url)
    if (fault === undefined || !mayPass(fault) || performance.now() + AGAIN_AFTER_MILLISECONDS > until) return
    if (tries === 0) onFirstFault(fault.message || fault.code || '')
    await sleep(AGAIN_AFTER_MILLISECONDS)
  }
}

type Fault = Error & { code?: string }

async function faultOfConnecting(url: string): Promise<Fault | undefined> {
  let client: pg.Client | undefined
  try {
    client = new pg.Client({ ...connectionTarget(url), connectionTimeoutMillis: LONGEST_TRY_MILLISECONDS })
    client.on('error', () => {})
    await client.connect()
    return undefined
  } catch (fault) {
    return fault as Fault
  } finally {
    await client?.end().catch(() => {})
  }
}

/** Not for a wrong password and the like. A name that is unknown may be that of a container which has not started. */
function mayPass({ code = '', message }: Fault) {
  return PASSING.has(code) || /timeout|terminated unexpectedly/i.test(message)
}

const PASSING = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'],
  // The socket in the file system does not exist yet.
  'ENOENT',
  // PostgreSQL is starting or ending, or has no connection left.
  ...['57P01', '57P02', '57P03', '53300'],
])
