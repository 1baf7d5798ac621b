import { closeSync, existsSync, openSync, realpathSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { isBusy } from './sqlite-connection.ts'

/** Another server holds the lock. */
export class DatabaseInUse extends Error {}

/** The worker processes of a killed server end a moment after it. */
const WAIT_MILLISECONDS = 3000
/** Two servers that start at the same moment hold the lock for less time than this. */
const SHORT_WAIT_MILLISECONDS = 200

/**
 * Takes the lock that one server at a time can hold on a SQLite file, until this process ends. It is a SQLite lock on a
 * separate file, so backups and `receive-mail` can still use the database. The server holds RESERVED, its worker
 * processes SHARED (see joinServer). A new server first needs EXCLUSIVE, which it gets only when no process of an
 * earlier server is left.
 */
export function lockForServer(databaseFile: string) {
  const lock = openLock(databaseFile)
  try {
    // Fails soon if a server is running. If only its last worker processes are left, this waits for them.
    lock.exec(`pragma busy_timeout = ${SHORT_WAIT_MILLISECONDS}; begin immediate; rollback`)
    lock.exec(`pragma busy_timeout = ${WAIT_MILLISECONDS}; begin exclusive; commit; begin immediate`)
  } catch (fault) {
    throw isBusy(fault) ? new DatabaseInUse(databaseFile) : fault
  }
}

/** Whether a server holds the lock. It must not be called in a process that holds it. */
export function isLocked(databaseFile: string): boolean {
  const file = `${realpathSync(databaseFile)}-lock`
  if (!existsSync(file)) return false
  const lock = new DatabaseSync(file, { timeout: SHORT_WAIT_MILLISECONDS })
  try {
    lock.exec('begin immediate; rollback')
    return false
  } catch (fault) {
    if (isBusy(fault)) return true
    throw fault
  } finally {
    lock.close()
  }
}

/** For a worker process of the server that holds the lock. */
export function joinServer(databaseFile: string) {
  openLock(databaseFile).exec('begin; select count(*) from sqlite_schema')
}

/** To be called before the database is opened: closing a file drops all locks of this process on it. */
function openLock(databaseFile: string) {
  // The database must exist, or two links to it cannot be recognized as the same file.
  createFile(databaseFile)
  const file = `${realpathSync(databaseFile)}-lock`
  createFile(file)
  const lock = new DatabaseSync(file, { timeout: WAIT_MILLISECONDS })
  locks.push(lock)
  return lock
}

function createFile(file: string) {
  closeSync(openSync(file, 'a', 0o600))
}

/** The garbage collector closes unreferenced connections, which would release their locks. */
const locks: DatabaseSync[] = []
