import { errors } from '../../platform/errors.ts'

interface Revised {
  id: number
  revision: number
}

/** Which bug was read, and after how many changes: what the ETag of a bug begins with, whatever of the bug was asked for. */
export function revisionOf({ id, revision }: Revised) {
  return `${id}r${revision}`
}

/** Throws 412 unless each of the bugs is still as it was when the client read it. */
export function requireUnchanged(ifMatch: string | undefined, bugs: readonly Revised[]) {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  const read = new Set(
    ifMatch.split(',').map((etag) => etag.trim().replace(/^W\//, '').replaceAll('"', '').split('.')[0]),
  )
  if (!bugs.every((bug) => read.has(revisionOf(bug)))) throw errors.changed_meanwhile()
}
