import { readdir, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'

const DAY_MILLISECONDS = 86_400_000

/** The folder for messages while there is no mail server. */
export function mailFolderIn(dataFolder: string) {
  return join(dataFolder, 'mail')
}

/** Deletes messages that are older than this many days; none if it is 0. Other files in the folder stay. */
export async function deleteKeptMail(folder: string, days: number, now = Date.now()) {
  if (days === 0) return
  const firstKept = new Date(Math.max(0, now - days * DAY_MILLISECONDS)).toISOString().slice(0, 10)
  const entries = (await readdir(folder, { withFileTypes: true }).catch(unlessGone)) ?? []
  // Symbolic links are not followed: their targets are not ours.
  const old = entries.filter((it) => it.isDirectory() && /^\d{4}-\d\d-\d\d$/.test(it.name) && it.name < firstKept)
  for (const { name } of old) await empty(join(folder, name))
}

async function empty(day: string) {
  const names = (await readdir(day).catch(unlessGone)) ?? []
  const messages = names.filter((name) => /\.eml((\.\w+)?\.part)?$/.test(name))
  for (const name of messages) await rm(join(day, name), { force: true })
  // Another server that shares the folder may have been faster.
  if (messages.length === names.length) await rmdir(day).catch(unlessGone)
}

function unlessGone(fault: NodeJS.ErrnoException): undefined {
  if (!['ENOENT', 'ENOTEMPTY'].includes(fault.code ?? '')) throw fault
}
