import pg from 'pg'
import { type ApiError, errors } from '../errors.ts'

const RETRY_SECONDS = 5

/** Stopped by statement_timeout or by a cancel request, or not given a lock in time. */
const QUERY_CANCELLED = '57014'
const LOCK_NOT_AVAILABLE = '55P03'
/** Two transactions waited for each other, and this one was ended. Done again, it succeeds. */
const ENDED_FOR_ANOTHER = ['40P01', '40001']
/** Connection lost, out of disk, memory or connections, shutting down or starting, read-only, or unable to read its files. */
const NOT_SERVING = /^(08|53|57P|58)|^(25006|25P03)$/

/**
 * An error of PostgreSQL or of the way to it, as the client should see it: a statement that fails for what it says stays as it is, and
 * what may work in a moment becomes a 503. The cause is kept for the log.
 */
export function translated(fault: unknown): unknown {
  if (!(fault instanceof pg.DatabaseError)) return databaseUnavailable(fault)
  const code = fault.code ?? ''
  if (code === QUERY_CANCELLED || code === LOCK_NOT_AVAILABLE) return overloaded(fault)
  return NOT_SERVING.test(code) ? databaseUnavailable(fault) : fault
}

/** What pg throws when it gets no connection. */
export function connectFault(fault: unknown): ApiError {
  const isBusy = (fault as Error).message === 'timeout exceeded when trying to connect'
  return isBusy ? overloaded(fault) : databaseUnavailable(fault)
}

export function overloaded(cause?: unknown): ApiError {
  return Object.assign(errors.overloaded({ seconds: RETRY_SECONDS }), { cause })
}

export function isEndedForAnother(fault: unknown) {
  return ENDED_FOR_ANOTHER.includes((fault as { code?: string }).code ?? '')
}

export function isCancelled(fault: unknown) {
  return ((fault as Error).cause as { code?: string } | undefined)?.code === QUERY_CANCELLED
}

export function isUnavailable(fault: unknown) {
  return (fault as Partial<ApiError>).reason === 'database_unavailable'
}

function databaseUnavailable(cause: unknown): ApiError {
  return Object.assign(errors.database_unavailable({ seconds: RETRY_SECONDS }), { cause })
}
