import { randomWord } from '../platform/secrets/secrets.ts'
import {
  endSessions,
  makeAdministrator,
  requireAccount,
  resetFactors,
  setPassword,
} from '../upkeep/administer-accounts.ts'
import { readPassword } from './read-password.ts'
import { withInstallation } from './with-installation.ts'

const GENERATED_LENGTH = 20

export function runMakeAdministrator(login: string) {
  return withInstallation(async (db) => {
    const isNew = await makeAdministrator(db, login)
    console.log(isNew ? `${login} is an administrator now.` : `${login} is an administrator already.`)
  })
}

export function runSetPassword(login: string, isGenerated: boolean) {
  return withInstallation(async (db) => {
    await requireAccount(db, login)
    const password = isGenerated ? randomWord(GENERATED_LENGTH) : await readPassword()
    await setPassword(db, login, password)
    console.log(`The password of ${login} is set, and its sessions are ended.`)
    if (isGenerated) console.log(`Password: ${password}`)
  })
}

export function runResetFactors(login: string) {
  return withInstallation(async (db) => {
    const count = await resetFactors(db, login)
    console.log(`Removed ${count} second ${count === 1 ? 'factor' : 'factors'} of ${login}, and ended its sessions.`)
  })
}

export function runEndSessions(login: string | undefined) {
  return withInstallation(async (db) => {
    const count = await endSessions(db, login)
    console.log(`Ended ${count} ${count === 1 ? 'session' : 'sessions'} of ${login ?? 'all accounts'}.`)
  })
}
