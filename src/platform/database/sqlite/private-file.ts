import { chmodSync, closeSync, openSync, statSync } from 'node:fs'

/**
 * Creates a SQLite file that only the user of this process can access, or restricts an existing one. SQLite gives the
 * journal files the same mode. An existing file is not opened, because closing it would drop the locks of this process
 * on it.
 */
export function keepPrivate(file: string) {
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return makePrivate(file)
  for (const path of [file, `${file}-wal`, `${file}-shm`]) tighten(path)
}

function makePrivate(file: string) {
  try {
    closeSync(openSync(file, 'ax', 0o600))
  } catch (fault) {
    // Another process has just created it. SQLite reports other errors itself.
    if (!['EEXIST', 'ENOENT', 'EACCES', 'ENOTDIR', 'EROFS'].includes(codeOf(fault))) throw fault
  }
}

/** Only the owner of a file can do this. If another user owns the database, that user decides who reads it. */
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
