import { chmodSync, closeSync, openSync, statSync } from 'node:fs'

/**
 * Makes a SQLite file that only the user of this process can read, or takes the rights of others away from one that exists. SQLite gives
 * the journal files beside it the same mode. A file that exists is not opened: closing it would drop the locks of this process on it.
 */
export function keepPrivate(file: string) {
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return makePrivate(file)
  for (const path of [file, `${file}-wal`, `${file}-shm`]) tighten(path)
}

function makePrivate(file: string) {
  try {
    closeSync(openSync(file, 'ax', 0o600))
  } catch (fault) {
    // Another process has just made it; what else is wrong SQLite says itself.
    if (!['EEXIST', 'ENOENT', 'EACCES', 'ENOTDIR', 'EROFS'].includes(codeOf(fault))) throw fault
  }
}

/** Only the owner of a file can do it. Where somebody else owns the database, they decide who reads it. */
function tighten(path: string) {
  const { mode } = statSync(path, { throwIfNoEntry: false }) ?? { mode: 0 }
  if ((mode & 0o077) === 0) return
  try {
    chmodSync(path, mode & 0o700)
  } catch (fault) {
    if (!['EPERM', 'ENOENT', 'EROFS'].includes(codeOf(fault))) throw fault
  }
}

function codeOf(fault: unknown) {
  return (fault as NodeJS.ErrnoException).code ?? ''
}
