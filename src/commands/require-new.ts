import { lstatSync } from 'node:fs'
import { Refusal } from '../platform/refusal.ts'

export const OVERWRITE = 'Overwrite the file if it exists.'

/** Refuses to overwrite a file. An empty one has nothing to lose. */
export function requireNew(file: string | undefined, isForced = false) {
  if (file === undefined || isForced) return
  const found = lstatSync(file, { throwIfNoEntry: false })
  // A folder or a device is refused when it is opened, with another reason.
  if (found?.isFile() && found.size > 0)
    throw new Refusal(`${file} exists: name another file, or add --force to overwrite it.`)
}
