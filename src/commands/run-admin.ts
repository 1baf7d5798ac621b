import { readConfig } from '../platform/config/config.ts'
import type { Db } from '../platform/database/db.ts'
import { randomWord } from '../platform/secrets/secrets.ts'
import { openDatabaseOf } from '../prepare.ts'
import {
  endSessions,
  makeAdministrator,
  requireAccount,
  resetFactors,
  setPassword,
} from '../upkeep/administer-accounts.ts'
import { requireInstallation } from '../upkeep/require-installation.ts'
import { readPassword } from './read-password.ts'

const GENERATED_LENGTH = 20

export function runMakeAdministrator(login: string) {
  return withDatabase(async (db) => {
    const isNew = await makeAdministrator(db, login)
    console.log(isNew ? `${login} is an administrator now.` : `${login} is an administrator already.`)
  })
}

export function runSetPassword(login: string, isGenerated: boolean) {
  return withDatabase(async (db) => {
    await requireAccount(db, login)
    const password = isGenerated ? randomWord(GENERATED_LENGTH) : await readPassword()
    await setPassword(db, login, password)
    console.log(`The password of ${login} is set, and its sessions are ended.`)
    if (isGenerated) console.log(`Password: ${password}`)
  })
}

export function runResetFactors(login: string) {
  return withDatabase(async (db) => {
    const count = await resetFactors(db, login)
    console.log(`Removed ${count} second ${count === 1 ? 'factor' : 'factors'} of ${login}, and ended its sessions.`)
  })
}

export function runEndSessions(login: string | undefined) {
  return withDatabase(async (db) => {
    const count = await endSessions(db, login)
    console.log(`Ended ${count} ${count === 1 ? 'session' : 'sessions'} of ${login ?? 'all accounts'}.`)
  })
}

async function withDatabase(work: (db: Db) => Promise<void>) {
  const config = readConfig()
  await requireInstallation(config.databaseUrl)
  const db = await openDatabaseOf(config)
  try {
    await work(db)
  } finally {
    await db.close()
  }
}
