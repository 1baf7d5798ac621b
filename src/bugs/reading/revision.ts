import { errors } from '../../platform/errors.ts'

interface Revised {
  id: number
  revision: number
}

/** The number of a bug and of its changes. The ETag of a bug begins with it, whichever fields were requested. */
export function revisionOf({ id, revision }: Revised) {
  return `${id}r${revision}`
}

/** Throws status 412 if one of the bugs has changed since the client read it. */
export function requireUnchanged(ifMatch: string | undefined, bugs: readonly Revised[]) {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  const read = new Set(
    ifMatch.split(',').map((etag) => etag.trim().replace(/^W\//, '').replaceAll('"', '').split('.')[0]),
  )
  if (!bugs.every((bug) => read.has(revisionOf(bug)))) throw errors.changed_meanwhile()
}
