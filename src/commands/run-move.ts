import { readFileSync } from 'node:fs'
import { messageFor, reasonOf } from '../fault-sentences.ts'
import { readConfig } from '../platform/config/config.ts'
import { isPostgres } from '../platform/database/open-database.ts'
import { isServed } from '../platform/database/served.ts'
import { Refusal } from '../platform/refusal.ts'
import { claimFolders, openDatabaseOf, withoutPassword } from '../prepare.ts'
import { moveInstallation, SourceFault } from '../upkeep/move.ts'
import { requireInstallation } from '../upkeep/require-installation.ts'
import type { MoveOptions } from './move-options.ts'
import type { CommandOutput } from './output.ts'
import { readPassword } from './read-password.ts'

export async function runMove(options: MoveOptions, output: CommandOutput) {
  const config = readConfig()
  const to = await targetOf(options)
  await requireInstallation(config.databaseUrl)
  const target = { ...config, databaseUrl: to }
  // A server on SQLite would go on writing to the old file.
  claimFolders(config, 'server')
  if (isPostgres(config.databaseUrl) && options.evenIfServed !== true && (await isServed(config.databaseUrl)))
    throw new Refusal(
      'Other programs are connected to the database. Stop the servers first; changes that they make meanwhile are not moved. To move anyway, add --even-if-served.',
    )
  claimFolders(target, 'server')
  const db = await openDatabaseOf(target)
  try {
    const { rows } = await moveInstallation(config, db, output.progress)
    output.confirm(
      { rows, to: withoutPassword(to), from: withoutPassword(config.databaseUrl) },
      `Moved ${rows.toLocaleString('en')} rows to ${withoutPassword(to)}. Set LACEWING_DATABASE_URL to it, keep LACEWING_DATA (attachments stay there), and start the server.\n` +
        `The old database ${withoutPassword(config.databaseUrl)} is unchanged: do not start a server on it any more.`,
    )
  } catch (fault) {
    if (fault instanceof SourceFault) throw fault.cause
    // All other faults are of the new database, and not of the one that the settings name.
    throw fault instanceof Refusal ? fault : new Refusal(messageFor(fault as Error, to), reasonOf(fault))
  } finally {
    await db.close()
  }
}

/** The address of the new database, with its password. */
async function targetOf({ to, toFile, askPassword }: MoveOptions): Promise<string> {
  const address = toFile === undefined ? (to ?? '') : addressIn(toFile)
  const name = toFile === undefined ? '--to' : `The address in ${toFile}`
  if (!isPostgres(address)) {
    if (address.includes('://'))
      throw new Refusal(`${name} is ${withoutPassword(address)}, but it must be postgres://… or the path of a file.`)
    return address
  }
  if (!URL.canParse(address)) throw new Refusal(`${name} is not an address such as postgres://user@host/name.`)
  const url = new URL(address)
  if (toFile === undefined && (url.password !== '' || url.searchParams.has('password')))
    throw new Refusal(
      '--to has a password, which other users of the machine can see: leave it out and add --ask-password, or write the address to a file and use --to-file.',
    )
  if (askPassword !== true) return address
  url.password = encodeURIComponent(
    await readPassword('Password of the new database: ', 'type it, or pass it as the first line of standard input'),
  )
  return url.href
}

function addressIn(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (fault) {
    throw new Refusal(`The file ${file} cannot be read: ${(fault as NodeJS.ErrnoException).code}.`)
  }
}
