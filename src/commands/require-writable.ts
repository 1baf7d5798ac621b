import { closeSync, openSync } from 'node:fs'

/** Throws before long work if its result cannot be written to this file afterwards. */
export function requireWritable(file: string | undefined) {
  if (file !== undefined) closeSync(openSync(file, 'a', 0o600))
}
