import { createInterface } from 'node:readline/promises'
import { readConfig } from '../platform/config/config.ts'
import type { Db } from '../platform/database/db.ts'
import { randomWord } from '../platform/secrets/secrets.ts'
import { openMigrated } from '../prepare.ts'
import { endSessions, makeAdministrator, resetFactors, setPassword } from '../upkeep/administer-accounts.ts'

const GENERATED_LENGTH = 20

export function runMakeAdministrator(login: string) {
  return withDatabase(async (db) => {
    const isNew = await makeAdministrator(db, login)
    console.log(isNew ? `${login} is an administrator now.` : `${login} is an administrator already.`)
  })
}

export function runSetPassword(login: string, isGenerated: boolean) {
  return withDatabase(async (db) => {
    const password = isGenerated ? randomWord(GENERATED_LENGTH) : await firstLine()
    await setPassword(db, login, password)
    console.log(`The password of ${login} is set, and its sessions are ended.`)
    if (isGenerated) console.log(`Password: ${password}`)
  })
}

export function runResetFactors(login: string) {
  return withDatabase(async (db) => {
    const count = await resetFactors(db, login)
    console.log(`Removed ${count} second factors of ${login}, and ended its sessions.`)
  })
}

export function runEndSessions(login: string | undefined) {
  return withDatabase(async (db) => {
    const count = await endSessions(db, login)
    console.log(`Ended ${count} sessions of ${login ?? 'all accounts'}.`)
  })
}

/** A running server has migrated the database already; an empty one is left empty. */
async function withDatabase(work: (db: Db) => Promise<void>) {
  const db = await openMigrated(readConfig())
  try {
    await work(db)
  } finally {
    await db.close()
  }
}

/** Not an argument: other users of the machine can see those. */
async function firstLine(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('New password: ')
  const lines = createInterface({ input: process.stdin })
  for await (const line of lines) {
    lines.close()
    return line
  }
  return ''
}
