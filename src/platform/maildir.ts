import { accessSync, constants, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { WrongSetting } from './config/config.ts'

/** Refuses a mistyped path, which would otherwise be watched in vain. An empty folder counts as a new Maildir. */
export function requireMaildir(folder: string) {
  const missing = `LACEWING_MAILDIR is ${JSON.stringify(folder)}, which`
  const names = namesIn(folder, missing)
  const isMaildir = names.length === 0 || ['new', 'cur'].every((name) => names.includes(name))
  if (!isMaildir)
    throw new WrongSetting(`${missing} is not a Maildir: it must have the folders new and cur, or be empty.`)
  for (const name of names.length === 0 ? ['.'] : ['new', 'cur'])
    if (!isWritable(join(folder, name))) throw new WrongSetting(`${missing} cannot be written by this user.`)
}

function namesIn(folder: string, missing: string) {
  try {
    return readdirSync(folder)
  } catch (fault) {
    throw new WrongSetting(`${missing} is not a folder that can be read (${(fault as NodeJS.ErrnoException).code}).`)
  }
}

function isWritable(folder: string) {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}
