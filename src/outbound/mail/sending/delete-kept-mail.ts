import { readdir, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'

const DAY_MILLISECONDS = 86_400_000

/** Where messages are kept while there is no mail server. */
export function keptMailIn(dataFolder: string) {
  return join(dataFolder, 'mail')
}

/** Deletes the messages of days that are longer ago; none when it is 0 days. Whatever else somebody has put there stays. */
export async function deleteKeptMail(folder: string, days: number, now = Date.now()) {
  if (days === 0) return
  const firstKept = new Date(Math.max(0, now - days * DAY_MILLISECONDS)).toISOString().slice(0, 10)
  const entries = (await readdir(folder, { withFileTypes: true }).catch(unlessGone)) ?? []
  // A link is no folder: it leads to what is not ours.
  const old = entries.filter((it) => it.isDirectory() && /^\d{4}-\d\d-\d\d$/.test(it.name) && it.name < firstKept)
  for (const { name } of old) await empty(join(folder, name))
}

async function empty(day: string) {
  const names = (await readdir(day).catch(unlessGone)) ?? []
  const messages = names.filter((name) => /\.eml(\.part)?$/.test(name))
  for (const name of messages) await rm(join(day, name), { force: true })
  // Another server that shares the folder may have been quicker.
  if (messages.length === names.length) await rmdir(day).catch(unlessGone)
}

function unlessGone(fault: NodeJS.ErrnoException): undefined {
  if (!['ENOENT', 'ENOTEMPTY'].includes(fault.code ?? '')) throw fault
}
