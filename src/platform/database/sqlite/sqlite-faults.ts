import { databaseUnavailable, overloaded } from '../unavailable.ts'

/** Why the file cannot be used, by the lowest eight bits of SQLite's result codes. */
const UNUSABLE = new Map([
  [3, 'the file of the database may not be used by this user'],
  [8, 'the database is read-only'],
  [10, 'the file of the database cannot be read or written'],
  [11, 'the file of the database is damaged'],
  [13, 'the disk of the database is full'],
  [14, 'the file of the database cannot be opened'],
  [26, 'the file of the database is damaged'],
])
/** Locked by another process for too long, or out of memory. */
const BUSY = [5, 6, 7]

/** Translates an error of SQLite into what the client gets: a temporary one, or one of the disk, becomes a 503. */
export function translateSqliteFault(fault: unknown): unknown {
  const { errcode } = fault as { errcode?: number }
  if (errcode === undefined) return fault
  const why = UNUSABLE.get(errcode % 256)
  if (why !== undefined) return databaseUnavailable(why, fault)
  return BUSY.includes(errcode % 256) ? overloaded(fault) : fault
}
