import pg from 'pg'
import type { ApiError } from '../../errors.ts'
import { databaseUnavailable, overloaded } from '../unavailable.ts'

/** Ended by statement_timeout or by a cancel request, or a lock was not available in time. */
const QUERY_CANCELLED = '57014'
const LOCK_NOT_AVAILABLE = '55P03'
/** A deadlock or a serialization failure ended this transaction. A retry succeeds. */
const ENDED_FOR_ANOTHER = ['40P01', '40001']
/** The SQLSTATE codes, or their beginnings, of a server that cannot serve at the moment. */
const NOT_SERVING: readonly (readonly [code: string, why: string])[] = [
  ['08', 'the connection to the database was lost'],
  ['25006', 'the database is read-only'],
  ['25P03', 'the connection to the database was lost'],
  ['42501', 'the database may not be used by this user'],
  ['53100', 'the disk of the database is full'],
  ['53300', 'the database has no connection left'],
  ['53', 'the database is short of memory or disk'],
  ['57P', 'the database is starting or ending'],
  ['58', 'the files of the database cannot be read or written'],
]

/**
 * Translates an error of PostgreSQL or its connection into what the client gets: an error of the statement itself
 * stays, a temporary one becomes a 503. The cause is kept for the log.
 */
export function translatePostgresFault(fault: unknown): unknown {
  if (!(fault instanceof pg.DatabaseError)) return databaseUnavailable('the connection to the database was lost', fault)
  const code = fault.code ?? ''
  if (code === QUERY_CANCELLED || code === LOCK_NOT_AVAILABLE) return overloaded(fault)
  const [, why] = NOT_SERVING.find(([beginning]) => code.startsWith(beginning)) ?? []
  return why === undefined ? fault : databaseUnavailable(why, fault)
}

/** Translates what pg throws if it gets no connection. */
export function connectFault(fault: unknown): ApiError {
  const { message, code = '' } = fault as { message: string; code?: string }
  if (message === 'timeout exceeded when trying to connect') return overloaded(fault)
  const [, why] = NOT_SERVING.find(([beginning]) => code.startsWith(beginning)) ?? []
  return databaseUnavailable(why ?? 'the database cannot be reached', fault)
}

export function isEndedForAnother(fault: unknown) {
  return ENDED_FOR_ANOTHER.includes((fault as { code?: string }).code ?? '')
}

export function isCancelled(fault: unknown) {
  return ((fault as Error).cause as { code?: string } | undefined)?.code === QUERY_CANCELLED
}
